package directory

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Element returns what addresses the group in a path without ambiguity: its
// name, or its id where the name consists of digits only. Group is a name, or ""
// where only the id is known; id is 0 where only the name is known. It asks the
// service only where digits are involved, and returns an *AmbiguousError where
// neither name nor id is safe.
func (d *Directory) Element(ctx context.Context, account, group string, id int64) (string, error) {
	if group != "" && !cloudserver.IsDigits(group) {
		return group, nil
	}
	groups, err := d.Groups(ctx, account)
	if err != nil {
		return "", err
	}
	if id == 0 {
		i := named(groups, group)
		if i < 0 {
			return "", cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", group))
		}
		id = groups[i].ID
	}
	other := named(groups, cloudserver.IDText(id))
	if other < 0 || groups[other].ID == id {
		return cloudserver.IDText(id), nil
	}
	// Only the name is left, which must not be the id of another group.
	own := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.ID == id })
	if own >= 0 {
		if name := groups[own].Name; !cloudserver.IsDigits(name) || !slices.ContainsFunc(groups, func(g cloudserver.Group) bool { return g.ID != id && cloudserver.IDText(g.ID) == name }) {
			return name, nil
		}
	}
	return "", &AmbiguousError{
		What: fmt.Sprintf("the group with id %d of account %q", id, account),
		With: fmt.Sprintf("the group named %q (id %d)", groups[other].Name, groups[other].ID),
	}
}

// CheckAccount returns an *AmbiguousError where the name of an account could be
// taken for the id of another one, and the service's refusal where no account has
// that name. It asks only for a name that consists of digits.
func (d *Directory) CheckAccount(ctx context.Context, name string) error {
	if !cloudserver.IsDigits(name) {
		return nil
	}
	accounts, err := d.accountsWithin(ctx, -1)
	if err != nil {
		return err
	}
	isNamed := slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return a.Name == name })
	other := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return cloudserver.IDText(a.ID) == name && a.Name != name })
	switch {
	case isNamed && other >= 0:
		return &AmbiguousError{
			What: fmt.Sprintf("the account named %q", name),
			With: fmt.Sprintf("the account %q, which has that id", accounts[other].Name),
		}
	case isNamed:
		return nil
	case other >= 0:
		return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q; the account with that ID is named %q", name, accounts[other].Name))
	}
	return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q", name))
}

func named(groups []cloudserver.Group, name string) int {
	return slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.Name == name })
}

// AmbiguousError is a name or id that a path could take for another object.
type AmbiguousError struct {
	What string // for example `the group with id 12`
	With string // for example `the group named "12"`
}

// Error names the two objects that cannot be distinguished.
func (e *AmbiguousError) Error() string {
	return e.What + " cannot be distinguished from " + e.With + ": the service takes names and ids alike in a path"
}
