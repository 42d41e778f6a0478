package fleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Element returns what addresses the group in a path without ambiguity: its
// name, or its id where the name consists of digits only. Group is a name, or ""
// where only the id is known; id is 0 where only the name is known. It asks the
// service only where digits are involved, and returns an error where neither name
// nor id is safe.
func (d *Directory) Element(ctx context.Context, account, group string, id int64) (string, error) {
	if group != "" && !cloudserver.IsDigits(group) {
		return group, nil
	}
	groups, err := d.Groups(ctx, account)
	if err != nil {
		return "", err
	}
	named := func(name string) int {
		return slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.Name == name })
	}
	withID := func(id string) int {
		return slices.IndexFunc(groups, func(g cloudserver.Group) bool { return cloudserver.IDText(g.ID) == id })
	}
	if id == 0 {
		i := named(group)
		if i < 0 {
			return "", cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", group))
		}
		id = groups[i].ID
	}
	element := cloudserver.IDText(id)
	other := named(element)
	if other < 0 || groups[other].ID == id {
		return element, nil
	}
	// Only the name is left, which must not be the id of another group.
	if own := withID(element); own >= 0 && withID(groups[own].Name) < 0 {
		return groups[own].Name, nil
	}
	return "", ambiguous(fmt.Sprintf("the group with id %d of account %q", id, account),
		fmt.Sprintf("the group named %q (id %d)", groups[other].Name, groups[other].ID))
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
	isNamed := slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return a.Name == name })
	other := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return cloudserver.IDText(a.ID) == name && a.Name != name })
	switch {
	case isNamed && other >= 0:
		return ambiguous(fmt.Sprintf("the account named %q", name), fmt.Sprintf("the account %q, which has that id", accounts[other].Name))
	case isNamed:
		return nil
	case other >= 0:
		return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q; the account with that ID is named %q", name, accounts[other].Name))
	}
	return cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q", name))
}

// ambiguous returns the error for a name or id that a path could take for another
// object.
func ambiguous(what, with string) error {
	return fmt.Errorf("%s cannot be distinguished from %s: the service takes names and ids alike in a path", what, with)
}
