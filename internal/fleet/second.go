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

// SecondMachine returns the second path to a machine: the one with its group, soft-deleted machines included. If that
// does not show the machine either, the account's listing decides, because machines move. A listing in which no machine is
// of the domain, but others are, is another service's: it denies nothing. domain may be "".
func (d *Directory) SecondMachine(m Machine, domain string) Second[cloudserver.VirtualMachine] {
	second := d.secondMachine(m, domain)
	return func(ctx context.Context, account *cloudserver.Account) (*cloudserver.VirtualMachine, error) {
		found, err := second(ctx, account)
		if err != nil {
			return nil, err
		}
		return m.admit(ctx, found, time.Time{})
	}
}

func (d *Directory) secondMachine(m Machine, domain string) Second[cloudserver.VirtualMachine] {
	return func(ctx context.Context, account *cloudserver.Account) (*cloudserver.VirtualMachine, error) {
		if account == nil {
			return d.findListed(ctx, m.ID, domain)
		}
		group := m.group()
		if m.GroupID != 0 { // a rename does not change it
			group = cloudserver.IDText(m.GroupID)
		}
		if group == "" {
			return d.listedMachine(ctx, account, m.ID, domain)
		}
		found, err := d.api.VirtualMachineAt(ctx, cloudserver.Ref{Account: element(account), Group: group, ID: m.ID}, cloudserver.IncludeDeleted)
		switch {
		case err == nil && found.ID == m.ID:
			return found, nil
		case err != nil && !cloudserver.IsNotFound(err):
			return nil, err
		}
		return d.listedMachine(ctx, account, m.ID, domain)
	}
}

// element returns the path element of an account: its ID, which a rename does not change, if it is known.
func element(account *cloudserver.Account) string {
	if account.ID == 0 {
		return account.Name
	}
	return cloudserver.IDText(account.ID)
}

// listedMachine finds a machine in a listing of its account that is requested after this call. The error is a not-found
// error only if the listing has the machines of every group, and is not another service's.
func (d *Directory) listedMachine(
	ctx context.Context, account *cloudserver.Account, id int64, domain string,
) (*cloudserver.VirtualMachine, error) {
	all, err := d.inventory.get(ctx, account.Name, func(ctx context.Context) (*cloudserver.Account, error) {
		return d.api.Overview(ctx, element(account), cloudserver.IncludeDeleted)
	})
	if err != nil {
		return nil, notListed(err)
	}
	for _, g := range all.Groups {
		for i := range g.VirtualMachines {
			if g.VirtualMachines[i].ID == id {
				return &g.VirtualMachines[i], nil
			}
		}
	}
	if err := errIncomplete(all); err != nil {
		return nil, err
	}
	if other := errOtherListing(all.Groups, account.Name, id, domain); other != nil {
		return nil, other
	}
	return nil, cloudserver.NotListed("/accounts/"+account.Name, fmt.Sprintf("the account has no virtual machine with the ID %d", id))
}

// errOtherListing returns an [origin.Error] if the machines of an account have hostnames, but none of the domain.
func errOtherListing(groups []cloudserver.Group, account string, id int64, domain string) (other error) {
	for _, g := range groups {
		object, place := fmt.Sprintf("virtual machine %d", id), origin.Place{Group: g.Name, Account: account}
		same, err := origin.CheckNeighbours(domain, object, g.VirtualMachines, []origin.Place{place})
		if same {
			return nil
		}
		other = cmp.Or(other, err)
	}
	return other
}

// errIncomplete returns an error if the listing of an account lacks the machines of a group.
func errIncomplete(all *cloudserver.Account) error {
	if all.Groups == nil || slices.ContainsFunc(all.Groups, func(g cloudserver.Group) bool { return g.VirtualMachines == nil }) {
		return fmt.Errorf("the listing of account %q lacks the machines of a group", all.Name)
	}
	return nil
}

// findListed does the same for a machine whose account is unknown.
func (d *Directory) findListed(ctx context.Context, id int64, domain string) (found *cloudserver.VirtualMachine, err error) {
	accounts, err := d.Accounts(ctx)
	if err != nil {
		return nil, notListed(err)
	}
	err = errNoAccounts
	for i := range accounts {
		if found, err = d.listedMachine(ctx, &accounts[i], id, domain); !cloudserver.IsNotFound(err) {
			return found, err
		}
	}
	return nil, err
}

// SecondGroup returns the second path to a group: the list of its account.
func (d *Directory) SecondGroup(id int64) Second[cloudserver.Group] {
	return func(ctx context.Context, account *cloudserver.Account) (*cloudserver.Group, error) {
		if account == nil {
			return nil, errNoAccounts
		}
		groups, err := d.current.get(ctx, account.Name, func(ctx context.Context) ([]cloudserver.Group, error) {
			return d.api.Groups(ctx, element(account))
		})
		if err != nil {
			return nil, notListed(err)
		}
		if i := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.ID == id }); i >= 0 {
			return &groups[i], nil
		}
		return nil, cloudserver.NotListed("/accounts/"+account.Name+"/groups", fmt.Sprintf("no group has the ID %d", id))
	}
}

// notListed is the failure of a listing, which denies nothing. It is not a not-found error.
func notListed(err error) error { return errors.New(err.Error()) }
