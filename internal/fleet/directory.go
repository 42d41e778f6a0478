package fleet

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// PlacesAPI is the part of the client that a directory uses (API.md §5).
// *cloudserver.Client implements it.
type PlacesAPI interface {
	// Account reads an account without its groups.
	Account(ctx context.Context, account string) (*cloudserver.Account, error)
	// Accounts reads the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Groups reads the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
	// Group reads a group without its machines.
	Group(ctx context.Context, account, group string) (*cloudserver.Group, error)
}

// Group is a group in its account.
type Group struct {
	Account string // name
	cloudserver.Group
}

// keepPlaces is how long the directory believes what it has read: somebody else may
// have created a group since.
const keepPlaces = time.Minute

// Directory knows the names and ids of accounts and groups. It asks for them only
// when something needs them: to tell a machine that is gone from one that these
// credentials may not see, to find the group and account of a machine that only
// has a group id, and to keep a name that consists of digits from being taken for
// an id. It is safe for concurrent use.
type Directory struct {
	api      PlacesAPI
	shown    Memo[struct{}]            // by the path of an account or a group
	groups   Memo[[]cloudserver.Group] // by account
	accounts Memo[[]cloudserver.Account]
}

// NewDirectory returns a directory that has not asked for anything yet.
func NewDirectory(api PlacesAPI) *Directory {
	return &Directory{
		api: api, shown: Memo[struct{}]{Keep: keepPlaces},
		groups: Memo[[]cloudserver.Group]{Keep: keepPlaces}, accounts: Memo[[]cloudserver.Account]{Keep: keepPlaces},
	}
}

// Visible returns nil when the credentials can see the account, and the client's
// error otherwise: only what is missing in a visible account is gone. Without an
// account it reports whether they can see any.
func (d *Directory) Visible(ctx context.Context, account string) error {
	if account == "" {
		accounts, err := d.Accounts(ctx)
		if err == nil && len(accounts) == 0 {
			err = cloudserver.NotListed("/accounts", "these credentials can see no account")
		}
		return err
	}
	return d.shows(ctx, account, func(ctx context.Context) error {
		_, err := d.api.Account(ctx, account)
		return err
	})
}

// Exists returns nil when the account has the group that the path element
// addresses, and the client's error otherwise.
func (d *Directory) Exists(ctx context.Context, account, element string) error {
	return d.shows(ctx, account+"/"+element, func(ctx context.Context) error {
		_, err := d.api.Group(ctx, account, element)
		return err
	})
}

func (d *Directory) shows(ctx context.Context, path string, ask func(context.Context) error) error {
	_, err := d.shown.Get(ctx, path, func(ctx context.Context) (struct{}, error) { return struct{}{}, ask(ctx) })
	return err
}

// Accounts returns the accounts that the credentials can see.
func (d *Directory) Accounts(ctx context.Context) ([]cloudserver.Account, error) {
	return d.accounts.Get(ctx, "", d.api.Accounts)
}

// Groups returns the groups of an account. The caller must not change them.
func (d *Directory) Groups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	return d.groups.Get(ctx, account, func(ctx context.Context) ([]cloudserver.Group, error) {
		return d.api.Groups(ctx, account)
	})
}

// Changed forgets what is known of groups, after one was created, renamed, moved or
// deleted.
func (d *Directory) Changed() {
	d.groups.Forget()
	d.shown.Forget()
}

// Find finds a group of an account by its id. It returns nil when the account has
// no such group.
func (d *Directory) Find(ctx context.Context, account string, id int64) (*Group, error) {
	return d.find(ctx, account, func(g cloudserver.Group) bool { return g.ID == id })
}

// GroupNamed finds a group by its name, never by its id. It returns nil when
// the account has no group of that name.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	return d.find(ctx, account, func(g cloudserver.Group) bool { return g.Name == name })
}

func (d *Directory) find(ctx context.Context, account string, wanted func(cloudserver.Group) bool) (*Group, error) {
	groups, err := d.Groups(ctx, account)
	if i := slices.IndexFunc(groups, wanted); i >= 0 {
		return &Group{account, groups[i]}, nil
	}
	return nil, err
}

// GroupByID finds a group among those that the service lists, the likely
// accounts first. It returns nil when no visible account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	found, err := d.findIn(ctx, id, likely)
	if found != nil || err != nil {
		return found, err
	}
	accounts, err := d.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	var all []string // the likely ones are answered from memory
	for _, account := range accounts {
		all = append(all, account.Name)
	}
	return d.findIn(ctx, id, all)
}

func (d *Directory) findIn(ctx context.Context, id int64, accounts []string) (*Group, error) {
	for _, account := range accounts {
		if account == "" {
			continue
		}
		found, err := d.Find(ctx, account, id)
		if found != nil || err != nil && !isHidden(err) {
			return found, err
		}
	}
	return nil, nil
}

// isHidden reports whether the credentials may not see the groups of an account.
func isHidden(err error) bool {
	return cloudserver.IsNotFound(err) || cloudserver.StatusCode(err) == http.StatusForbidden
}

// Element returns what addresses the group in a path without ambiguity: its
// name, or its id where the name consists of digits only. Group is a name, or ""
// where only the id is known; id is 0 where only the name is known. It asks the
// service only where digits are involved, and returns an error where neither name
// nor id is safe.
func (d *Directory) Element(ctx context.Context, account, group string, id int64) (string, error) {
	if group != "" && !cloudserver.IsDigits(group) {
		return group, nil
	}
	if id == 0 {
		found, err := d.GroupNamed(ctx, account, group)
		if err != nil {
			return "", err
		}
		if found == nil {
			return "", cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", group))
		}
		id = found.ID
	}
	element := cloudserver.IDText(id)
	other, err := d.GroupNamed(ctx, account, element)
	if err != nil {
		return "", err
	}
	if other != nil && other.ID != id {
		own, _ := d.Find(ctx, account, id)                 // from the listing that showed the other
		if own != nil && !cloudserver.IsDigits(own.Name) { // only the name is left
			return own.Name, nil
		}
		return "", ambiguous(fmt.Sprintf("the group with id %d of account %q", id, account), fmt.Sprintf("the group named %q (id %d)", other.Name, other.ID))
	}
	return element, nil
}

// CheckAccount returns an error where the name of an account could be taken for
// the id of another one, and the service's refusal where no account has that name.
// It asks only for a name that consists of digits.
func (d *Directory) CheckAccount(ctx context.Context, name string) error {
	if !cloudserver.IsDigits(name) {
		return nil
	}
	accounts, err := d.Accounts(ctx)
	if err != nil {
		return err
	}
	message, named := fmt.Sprintf("no account is named %q", name), false
	for _, account := range accounts {
		switch {
		case account.Name == name:
			named = true
		case cloudserver.IDText(account.ID) == name:
			message += fmt.Sprintf("; the account with that ID is named %q", account.Name)
			err = ambiguous(fmt.Sprintf("the account named %q", name), fmt.Sprintf("the account %q, which has that id", account.Name))
		}
	}
	if !named {
		return cloudserver.NotListed("/accounts", message)
	}
	return err
}

// ambiguous returns the error for a name or id that a path could take for another
// object.
func ambiguous(what, with string) error {
	return fmt.Errorf("%s cannot be distinguished from %s: the service takes names and ids alike in a path", what, with)
}
