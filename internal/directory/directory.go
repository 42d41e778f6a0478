// Package directory knows the names and ids of accounts and groups. It asks the
// service for them once per run, and only when something needs them: to tell a
// machine that is gone from one that these credentials may not see, to find the
// group and account of a machine that only has a group id, and to keep a name
// that consists of digits from being taken for an id.
//
//	directory.go  accounts and groups, as the service lists them
//	element.go    which path element addresses one group and no other
package directory

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/memo"
)

// API is the part of the client that a directory uses (API.md §5).
// *cloudserver.Client implements it.
type API interface {
	// AccountAlone reads an account without its groups.
	AccountAlone(ctx context.Context, account string) (*cloudserver.Account, error)
	// Accounts reads the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Groups reads the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
}

// Group is a group in its account.
type Group struct {
	Account string // name
	Name    string
	ID      int64
}

// missAge is how old a listing may be that lacks what is looked for: somebody
// else may have created it since.
const missAge = 10 * time.Second

// Directory remembers what the service answered. It is safe for concurrent use.
type Directory struct {
	api API

	visible  memo.Memo[struct{}]            // by account
	groups   memo.Memo[[]cloudserver.Group] // by account
	accounts memo.Memo[[]cloudserver.Account]
}

// New returns a directory that has not asked for anything yet.
func New(api API) *Directory {
	return &Directory{api: api}
}

// Visible returns nil when the credentials can see the account, and the
// client's error otherwise. Without an account it reports whether they can see
// any. One request per account and run.
func (d *Directory) Visible(ctx context.Context, account string) error {
	_, err := d.visible.Get(ctx, account, func(ctx context.Context) (struct{}, error) {
		if account != "" {
			_, err := d.api.AccountAlone(ctx, account)
			return struct{}{}, err
		}
		accounts, err := d.accountsWithin(ctx, -1)
		if err == nil && len(accounts) == 0 {
			err = cloudserver.NotListed("/accounts", "these credentials can see no account")
		}
		return struct{}{}, err
	})
	return err
}

// Accounts returns the accounts that the credentials can see.
func (d *Directory) Accounts(ctx context.Context) ([]cloudserver.Account, error) {
	return d.accountsWithin(ctx, -1)
}

// Groups returns the groups of an account. The caller must not change them.
func (d *Directory) Groups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	return d.groupsWithin(ctx, account, -1)
}

// RecentGroups is Groups, from a listing that is at most seconds old.
func (d *Directory) RecentGroups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	return d.groupsWithin(ctx, account, missAge)
}

// GroupByID finds a group among those that the service lists, the likely
// accounts first. It returns nil when no visible account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	asked := map[string]bool{"": true}
	for _, account := range likely {
		if asked[account] {
			continue
		}
		asked[account] = true
		found, err := d.groupIn(ctx, account, hasID(id))
		if found != nil || err != nil && !isHidden(err) {
			return found, err
		}
	}
	accounts, err := d.accountsWithin(ctx, missAge)
	if err != nil {
		return nil, err
	}
	for _, account := range accounts {
		if asked[account.Name] {
			continue
		}
		found, err := d.groupIn(ctx, account.Name, hasID(id))
		if found != nil || err != nil && !isHidden(err) {
			return found, err
		}
	}
	return nil, nil
}

// GroupNamed finds a group by its name, never by its id. It returns nil when
// the account has no group of that name.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	return d.groupIn(ctx, account, func(g cloudserver.Group) bool { return g.Name == name })
}

// Changed forgets what is known of an account's groups, after one of them was
// created, renamed, moved or deleted.
func (d *Directory) Changed(account string) { d.groups.Forget(account) }

// Find finds a group of an account by its id. It returns nil when the account has
// no such group.
func (d *Directory) Find(ctx context.Context, account string, id int64) (*cloudserver.Group, error) {
	return d.find(ctx, account, hasID(id))
}

func hasID(id int64) func(cloudserver.Group) bool {
	return func(g cloudserver.Group) bool { return g.ID == id }
}

// find asks again where a listing that is not fresh lacks the group.
func (d *Directory) find(ctx context.Context, account string, wanted func(cloudserver.Group) bool) (*cloudserver.Group, error) {
	for _, maxAge := range []time.Duration{-1, missAge} {
		groups, err := d.groupsWithin(ctx, account, maxAge)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(groups, wanted); i >= 0 {
			return &groups[i], nil
		}
	}
	return nil, nil
}

// groupIn is find for callers that need no more than names and ids.
func (d *Directory) groupIn(ctx context.Context, account string, wanted func(cloudserver.Group) bool) (*Group, error) {
	found, err := d.find(ctx, account, wanted)
	if found == nil {
		return nil, err
	}
	return &Group{Account: account, Name: found.Name, ID: found.ID}, nil
}

func (d *Directory) groupsWithin(ctx context.Context, account string, maxAge time.Duration) ([]cloudserver.Group, error) {
	return d.groups.GetWithin(ctx, maxAge, account, func(ctx context.Context) ([]cloudserver.Group, error) {
		return d.api.Groups(ctx, account)
	})
}

func (d *Directory) accountsWithin(ctx context.Context, maxAge time.Duration) ([]cloudserver.Account, error) {
	return d.accounts.GetWithin(ctx, maxAge, "", d.api.Accounts)
}

// isHidden reports whether the credentials may not see the groups of an account.
func isHidden(err error) bool {
	return cloudserver.IsNotFound(err) || cloudserver.StatusCode(err) == http.StatusForbidden
}
