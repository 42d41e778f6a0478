package fleet

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// PlacesAPI is the part of the client that a directory uses (API.md §5).
// *cloudserver.Client implements it.
type PlacesAPI interface {
	// AccountAlone reads an account without its groups.
	AccountAlone(ctx context.Context, account string) (*cloudserver.Account, error)
	// Accounts reads the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Groups reads the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
	// GroupAlone reads a group without its machines.
	GroupAlone(ctx context.Context, account, group string) (*cloudserver.Group, error)
}

// Group is a group in its account.
type Group struct {
	Account string // name
	Name    string
	ID      int64
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
	visible  Memo[struct{}]            // by account
	groups   Memo[[]cloudserver.Group] // by account
	accounts Memo[[]cloudserver.Account]
	exist    atomic.Pointer[Memo[struct{}]] // by account and group
}

// NewDirectory returns a directory that has not asked for anything yet.
func NewDirectory(api PlacesAPI) *Directory {
	d := &Directory{
		api: api, visible: Memo[struct{}]{Keep: keepPlaces}, groups: Memo[[]cloudserver.Group]{Keep: keepPlaces},
		accounts: Memo[[]cloudserver.Account]{Keep: keepPlaces},
	}
	d.exist.Store(&Memo[struct{}]{})
	return d
}

// Visible returns nil when the credentials can see the account, and the client's
// error otherwise: only what is missing in a visible account is gone. Without an
// account it reports whether they can see any.
func (d *Directory) Visible(ctx context.Context, account string) error {
	_, err := d.visible.Get(ctx, account, func(ctx context.Context) (struct{}, error) {
		if account != "" {
			_, err := d.api.AccountAlone(ctx, account)
			return struct{}{}, err
		}
		accounts, err := d.Accounts(ctx)
		if err == nil && len(accounts) == 0 {
			err = cloudserver.NotListed("/accounts", "these credentials can see no account")
		}
		return struct{}{}, err
	})
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

// Changed forgets what is known of an account's groups, after one of them was
// created, renamed, moved or deleted.
func (d *Directory) Changed(account string) {
	d.groups.Forget(account)
	d.exist.Store(&Memo[struct{}]{})
}

// Exists returns nil when the account has the group that the path element
// addresses, and the client's error otherwise.
func (d *Directory) Exists(ctx context.Context, account, element string) error {
	_, err := d.exist.Load().Get(ctx, account+"/"+element, func(ctx context.Context) (struct{}, error) {
		_, err := d.api.GroupAlone(ctx, account, element)
		return struct{}{}, err
	})
	return err
}

// Find finds a group of an account by its id. It returns nil when the account has
// no such group.
func (d *Directory) Find(ctx context.Context, account string, id int64) (*cloudserver.Group, error) {
	return d.find(ctx, account, func(g cloudserver.Group) bool { return g.ID == id })
}

// GroupNamed finds a group by its name, never by its id. It returns nil when
// the account has no group of that name.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	found, err := d.find(ctx, account, func(g cloudserver.Group) bool { return g.Name == name })
	return in(account, found), err
}

// GroupByID finds a group among those that the service lists, the likely
// accounts first. It returns nil when no visible account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	asked := map[string]bool{"": true}
	for everywhere := false; ; everywhere = true {
		for _, account := range likely {
			if asked[account] {
				continue
			}
			asked[account] = true
			found, err := d.Find(ctx, account, id)
			if found != nil || err != nil && !isHidden(err) {
				return in(account, found), err
			}
		}
		if everywhere {
			return nil, nil
		}
		accounts, err := d.Accounts(ctx)
		if err != nil {
			return nil, err
		}
		likely = nil
		for _, account := range accounts {
			likely = append(likely, account.Name)
		}
	}
}

func (d *Directory) find(ctx context.Context, account string, wanted func(cloudserver.Group) bool) (*cloudserver.Group, error) {
	groups, err := d.Groups(ctx, account)
	if i := slices.IndexFunc(groups, wanted); i >= 0 {
		return &groups[i], nil
	}
	return nil, err
}

// in returns a group of the account that was found, nil if none was.
func in(account string, found *cloudserver.Group) *Group {
	if found == nil {
		return nil
	}
	return &Group{Account: account, Name: found.Name, ID: found.ID}
}

// isHidden reports whether the credentials may not see the groups of an account.
func isHidden(err error) bool {
	return cloudserver.IsNotFound(err) || cloudserver.StatusCode(err) == http.StatusForbidden
}
