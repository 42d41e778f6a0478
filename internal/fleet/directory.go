package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
)

// Group is a group in its account.
type Group struct {
	Account string // name
	cloudserver.Group
}

// Directory knows the names and IDs of accounts and groups. It requests them only when they are needed: to distinguish
// a machine that is gone from one that these credentials may not see, to find the group and account of a machine of
// which only the group's ID is known, and to keep a name of digits from being taken for an ID. Answers are used for a
// minute, because somebody else may have created a group since. It is safe for concurrent use.
type Directory struct {
	// Default is the provider's account, or "".
	Default string

	api       client
	shown     Memo[struct{}]            // by the path of an account or a group
	groups    Memo[[]cloudserver.Group] // by account
	accounts  Memo[[]cloudserver.Account]
	overviews Memo[*cloudserver.Account] // by account
	residents Memo[Residents]            // by account
	proofs    asks[*cloudserver.Account] // by account
	inventory asks[*cloudserver.Account] // by account: its machines
	current   asks[[]cloudserver.Group]  // by account
}

// BasePath returns the path of the endpoint, or "" if it has none.
func (d *Directory) BasePath() string { return d.api.BasePath() }

// Visible returns nil if the credentials can see the account, and the client's error otherwise. The answer may be a
// minute old, which is good enough for messages and plans, but does not prove that something is gone (see
// [Directory.prove]). If account is "", Visible finds out whether any account is visible. If group is the path element
// of a group, it finds out whether the account has that group.
func (d *Directory) Visible(ctx context.Context, account, group string) error {
	if account == "" {
		accounts, err := d.Accounts(ctx)
		if err == nil && len(accounts) == 0 {
			err = errNoAccounts
		}
		return err
	}
	if err := d.CheckAccount(ctx, account); err != nil {
		return err
	}
	_, err := d.shown.Get(ctx, account+"/"+group, func(ctx context.Context) (none struct{}, err error) {
		if group == "" {
			_, err = d.api.Account(ctx, account)
		} else {
			_, err = d.api.Group(ctx, account, group)
		}
		return none, err
	})
	return err
}

// Accounts returns the accounts that the credentials can see.
func (d *Directory) Accounts(ctx context.Context) ([]cloudserver.Account, error) {
	return d.accounts.Get(ctx, "", d.api.Accounts)
}

// Groups returns the groups of an account. The result must not be changed.
func (d *Directory) Groups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	if err := d.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	return d.groups.Get(ctx, account, func(ctx context.Context) ([]cloudserver.Group, error) {
		return d.api.Groups(ctx, account)
	})
}

// Overview returns an account with its groups and their machines. It serves the lists of one query, and nothing that
// changes a machine. The result must not be changed. With options, it is always requested.
func (d *Directory) Overview(
	ctx context.Context, account string, options ...cloudserver.ReadOption,
) (*cloudserver.Account, error) {
	if len(options) > 0 {
		return d.api.Overview(ctx, account, options...)
	}
	return d.overviews.Get(ctx, account, func(ctx context.Context) (*cloudserver.Account, error) {
		return d.api.Overview(ctx, account)
	})
}

// Residents are the machines of a group, soft-deleted ones included, without their discs.
type Residents struct {
	Group    string
	Machines []cloudserver.VirtualMachine
	Asked    time.Time // none of them was requested before
}

// groupsLooked is how many groups are looked at for a machine, one by one.
const groupsLooked = 5

// Residents returns the machines of the first group of an account that has any: enough to tell a service by their
// hostnames. If the first few groups have none, or may not be listed, the account's listing of all machines is requested.
// Without an error, an account without residents has no machine. The caller must not change them.
func (d *Directory) Residents(ctx context.Context, account string) (Residents, error) {
	return d.residents.Get(ctx, account, func(ctx context.Context) (none Residents, err error) {
		asked := time.Now()
		groups, refused := d.Groups(ctx, account)
		if refused != nil && !cloudserver.IsForbidden(refused) {
			return none, refused
		}
		for _, group := range groups[:min(len(groups), groupsLooked)] {
			machines, err := d.residentsOf(ctx, account, group)
			switch {
			case cloudserver.IsForbidden(err):
				refused = err
			case err != nil:
				return none, err
			case len(machines) > 0:
				return Residents{group.Name, machines, asked}, nil
			}
		}
		if refused == nil && len(groups) <= groupsLooked {
			return none, nil
		}
		all, err := d.api.Overview(ctx, account, cloudserver.IncludeDeleted)
		if err != nil {
			return none, cmp.Or(refused, err)
		}
		for _, group := range all.Groups {
			if len(group.VirtualMachines) > 0 {
				return Residents{group.Name, group.VirtualMachines, asked}, nil
			}
		}
		return none, errIncomplete(all)
	})
}

// residentsOf lists the machines of a group. One that was removed meanwhile has none.
func (d *Directory) residentsOf(ctx context.Context, account string, group cloudserver.Group) ([]cloudserver.VirtualMachine, error) {
	element, err := d.Element(ctx, account, group.Name, group.ID)
	if err != nil {
		return nil, err
	}
	machines, err := d.api.VirtualMachines(ctx, account, element, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if cloudserver.IsNotFound(err) {
		return nil, nil
	}
	return machines, err
}

// forgetBefore discards the lists that were not requested after this time, and the residents, which are found with them.
func (d *Directory) forgetBefore(since time.Time) {
	d.groups.ForgetBefore(since)
	d.shown.ForgetBefore(since)
	d.accounts.ForgetBefore(since)
	d.overviews.ForgetBefore(since)
	d.residents.Forget()
}

// Changed forgets what is known of groups, after one was created, renamed, moved or
// deleted.
func (d *Directory) Changed() {
	d.groups.Forget()
	d.shown.Forget()
	d.overviews.Forget()
}

// GroupWithID finds the group of an account that has the ID, even if a path would take the ID for a name. It returns
// nil if there is none.
func (d *Directory) GroupWithID(ctx context.Context, account string, id int64) (*Group, error) {
	return d.find(ctx, account, cloudserver.IDText(id), func(g cloudserver.Group) bool { return g.ID == id })
}

// GroupNamed finds the group of an account that has the name. It returns nil if there is none.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	return d.find(ctx, account, name, func(g cloudserver.Group) bool { return g.Name == name })
}

// find finds the wanted group in the list of its account. If the list shows two, because one was renamed or created
// meanwhile, the group is read at its own path.
func (d *Directory) find(
	ctx context.Context, account, element string, isWanted func(cloudserver.Group) bool,
) (*Group, error) {
	groups, err := d.Groups(ctx, account)
	first := slices.IndexFunc(groups, isWanted)
	switch {
	case first < 0:
		return nil, err
	case !slices.ContainsFunc(groups[first+1:], isWanted):
		return &Group{account, groups[first]}, nil
	}
	now, err := d.api.Group(ctx, account, element)
	switch {
	case err != nil:
		return nil, err
	case !isWanted(*now):
		return nil, ambiguous(fmt.Sprintf("the group %s of account %q, which is listed twice,", element, account),
			fmt.Sprintf("the group named %q (id %d)", now.Name, now.ID))
	}
	return &Group{account, *now}, nil
}

// GroupByID finds a group in the lists of groups, those of the likely accounts first. It returns nil if no visible
// account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	found, _, err := d.groupByID(ctx, id, likely...)
	return found, err
}

// groupByID is GroupByID, and also returns why the first account that is hidden is.
func (d *Directory) groupByID(ctx context.Context, id int64, likely ...string) (found *Group, hidden, err error) {
	for pass := range 2 { // the second pass has the likely accounts in memory
		for _, account := range likely {
			if account == "" {
				continue
			}
			found, err := d.GroupWithID(ctx, account, id)
			isHidden := cloudserver.IsNotFound(err) || cloudserver.IsForbidden(err)
			if found != nil || err != nil && !isHidden {
				return found, nil, err
			}
			hidden = cmp.Or(hidden, err)
		}
		if pass == 0 {
			accounts, err := d.Accounts(ctx)
			if err != nil {
				return nil, nil, err
			}
			for _, account := range accounts {
				likely = append(likely, account.Name)
			}
		}
	}
	return nil, hidden, nil
}

// Finder returns a function that finds the group of a machine by its ID. likely is the account that it is probably in.
func (d *Directory) Finder(likely string) origin.Finder {
	return func(ctx context.Context, groupID int64, again bool) ([]origin.Place, error) {
		if again {
			d.Changed()
		}
		if groupID == 0 {
			return nil, nil
		}
		group, hidden, err := d.groupByID(ctx, groupID, likely)
		if group == nil && hidden != nil {
			return nil, errors.New(hidden.Error()) // it is no answer about the machine
		}
		if err != nil || group == nil {
			return nil, err
		}
		return []origin.Place{{Group: group.Name, Account: group.Account}}, nil
	}
}

// Element returns the path element that addresses the group without ambiguity: its name or, if the name consists of
// digits, its ID. group is "" if only the ID is known, and id is 0 if only the name is known. Element sends a request
// only if digits are involved, and returns an error if neither the name nor the ID is safe.
func (d *Directory) Element(ctx context.Context, account, group string, id int64) (string, error) {
	if err := d.CheckAccount(ctx, account); err != nil {
		return "", err
	}
	if group != "" && !cloudserver.IsDigits(group) {
		return group, nil
	}
	own, err := d.GroupNamed(ctx, account, group)
	if id != 0 {
		own, err = d.GroupWithID(ctx, account, id)
	}
	switch {
	case err != nil:
		return "", err
	case own == nil && id == 0:
		return "", cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", group))
	case own != nil:
		id, group = own.ID, own.Name
	}
	element := cloudserver.IDText(id)
	other, err := d.GroupNamed(ctx, account, element) // from the same listing
	switch {
	case err != nil:
		return "", err
	case other == nil, other.ID == id:
		return element, nil
	case group != "" && !cloudserver.IsDigits(group): // no ID to fall back on
		return group, nil
	}
	return "", ambiguous(fmt.Sprintf("the group with id %d of account %q", id, account), fmt.Sprintf("the group named %q (id %d)", other.Name, other.ID))
}

// CheckAccount returns an error if the name of an account could be taken for the ID of another one, and the service's
// refusal if no account has that name. It sends a request only for a name of digits.
func (d *Directory) CheckAccount(ctx context.Context, name string) error {
	if !cloudserver.IsDigits(name) {
		return nil
	}
	accounts, err := d.Accounts(ctx)
	isNamed := slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return a.Name == name })
	other := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return a.Name != name && cloudserver.IDText(a.ID) == name })
	switch {
	case err != nil:
		return err
	case isNamed && other >= 0:
		return ambiguous(fmt.Sprintf("the account named %q", name), fmt.Sprintf("the account %q, which has that id", accounts[other].Name))
	case isNamed:
		return nil
	case other >= 0:
		return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q; the account with that ID is named %q", name, accounts[other].Name))
	}
	return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q", name))
}

// ambiguous returns the error for a name or ID that a path could take for another object.
func ambiguous(what, with string) error {
	return fmt.Errorf("%s cannot be distinguished from %s: the service takes names and ids alike in a path", what, with)
}
