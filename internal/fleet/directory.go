package fleet

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Group is a group in its account.
type Group struct {
	Account string // name
	cloudserver.Group
}

// Directory knows the names and IDs of accounts and groups. It requests them when they are needed, and keeps the answers
// for a minute. It is safe for concurrent use.
type Directory struct {
	// DefaultAccount is the name of the provider's account, or "".
	DefaultAccount string

	api       client
	account   Memo[*cloudserver.Account]
	accounts  Memo[[]cloudserver.Account]
	groups    Memo[[]cloudserver.Group]  // by account
	overviews Memo[*cloudserver.Account] // by account
	proofs    Memo[*cloudserver.Account] // requested after a 404

	mu      sync.Mutex // guards planned
	planned map[string]PlannedGroup
}

// Account returns an account without its groups. The error is a not-found error if the credentials cannot see it.
func (d *Directory) Account(ctx context.Context, account string) (*cloudserver.Account, error) {
	return d.account.Get(ctx, account, func(ctx context.Context) (*cloudserver.Account, error) {
		return d.api.Account(ctx, account)
	})
}

// Accounts returns the accounts that the credentials can see.
func (d *Directory) Accounts(ctx context.Context) ([]cloudserver.Account, error) {
	return d.accounts.Get(ctx, "", d.api.Accounts)
}

// Groups returns the groups of an account. The result must not be changed.
func (d *Directory) Groups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	return d.groups.Get(ctx, account, func(ctx context.Context) ([]cloudserver.Group, error) {
		return d.api.Groups(ctx, account)
	})
}

// Overview returns an account with its groups and their machines. It serves the lists of one query. The result must not
// be changed.
func (d *Directory) Overview(ctx context.Context, account string) (*cloudserver.Account, error) {
	return d.overviews.Get(ctx, account, func(ctx context.Context) (*cloudserver.Account, error) {
		return d.api.Overview(ctx, account)
	})
}

// Changed forgets what is known of groups, after one was created, renamed or deleted.
func (d *Directory) Changed() {
	d.groups.Forget()
	d.overviews.Forget()
}

// GroupNamed finds the group of an account that has the name in the list of its groups: a path would take a name of
// digits for an ID. The error is a not-found error if there is none.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	groups, err := d.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.Name == name })
	if i < 0 {
		return nil, cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", name))
	}
	return &Group{account, groups[i]}, nil
}

// GroupByID finds a group in the lists of groups, those of the likely accounts first. It returns nil if no visible
// account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	found, err := d.findGroup(ctx, id, likely)
	if found != nil || err != nil {
		return found, err
	}
	accounts, err := d.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, account := range accounts {
		if !slices.Contains(likely, account.Name) {
			others = append(others, account.Name)
		}
	}
	return d.findGroup(ctx, id, others)
}

// findGroup finds a group in the lists of these accounts. Accounts that are not visible are left out.
func (d *Directory) findGroup(ctx context.Context, id int64, accounts []string) (*Group, error) {
	for _, account := range accounts {
		if account == "" {
			continue
		}
		groups, err := d.Groups(ctx, account)
		if err != nil && !cloudserver.IsNotFound(err) && !cloudserver.IsForbidden(err) {
			return nil, err
		}
		for _, group := range groups {
			if group.ID == id {
				return &Group{account, group}, nil
			}
		}
	}
	return nil, nil
}
