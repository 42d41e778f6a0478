// Package directory knows the names and ids of accounts and groups. It asks the
// service for them once per run, and only when something needs them: to tell a
// machine that is gone from one that these credentials may not see, to find the
// group and account of a machine that only has a group id, and to keep a name
// that consists of digits from being taken for an id.
package directory

import (
	"context"
	"strconv"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// API is the part of the client that a directory uses (API.md §5).
// *cloudserver.Client implements it.
type API interface {
	AccountAlone(ctx context.Context, account string) (*cloudserver.Account, error)
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
}

// Group is a group in its account.
type Group struct {
	Account string // name
	Name    string
	ID      int64
}

// Directory remembers what the service answered. It is safe for concurrent use.
type Directory struct {
	api API

	mu       sync.Mutex
	visible  map[string]error               // account → the answer to "is it visible?"
	groups   map[string][]cloudserver.Group // account → its groups
	accounts []cloudserver.Account
}

// New returns a directory that has not asked for anything yet.
func New(api API) *Directory {
	return &Directory{api: api, visible: map[string]error{}, groups: map[string][]cloudserver.Group{}}
}

// Visible returns nil when the credentials can see the account, and the
// client's error otherwise. Without an account it reports whether they can see
// any. One request per account and run.
func (d *Directory) Visible(ctx context.Context, account string) error {
	panic("not implemented: " + account)
}

// GroupByID finds a group among those that the service lists, the likely
// accounts first. It returns nil when no visible account has the group.
func (d *Directory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	panic("not implemented: " + strconv.FormatInt(id, 10))
}

// GroupNamed finds a group by its name, never by its id. It returns nil when
// the account has no group of that name.
func (d *Directory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	panic("not implemented: " + account + name)
}

// Element returns what addresses the group in a path without ambiguity: its
// name, or its id where the name consists of digits only. Group is a name, or ""
// where only the id is known; id is 0 where only the name is known. It asks the
// service only where digits are involved, and returns an *AmbiguousError where
// neither name nor id is safe.
func (d *Directory) Element(ctx context.Context, account, group string, id int64) (string, error) {
	panic("not implemented: " + account + group)
}

// Changed forgets what is known of an account's groups, after one of them was
// created, renamed, moved or deleted.
func (d *Directory) Changed(account string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.groups, account)
}

// AmbiguousError is a name or id that a path could take for another object.
type AmbiguousError struct {
	What string // for example `the group with id 12`
	With string // for example `the group that is named "12"`
}

// Error says which two objects cannot be told apart.
func (e *AmbiguousError) Error() string {
	return e.What + " cannot be told from " + e.With + ": the service takes names and ids alike in a path"
}
