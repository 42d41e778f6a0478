package rdns

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// rdnsPrivate is the private state of a reverse DNS name.
type rdnsPrivate struct {
	// Account is the account of the machine that has the address, or "" if no process has seen the machine. Whether the
	// address is gone depends on whether that account is visible.
	Account string `json:"account,omitempty"`
	// Accounts are the accounts that were visible together with the address, if Account is unknown. The machine is in
	// one of them.
	Accounts []string `json:"accounts,omitempty"`
	// Homes is what is known about these accounts.
	Homes map[string]presence.Home `json:"homes,omitempty"`
	// Set is the name that this resource set last, and Mark identifies that call.
	Set  string `json:"set"`
	Mark string `json:"mark,omitempty"`
}

// find returns the name of the address. The error is [presence.IsGone] if the address has none, or is known to be gone
// itself. One that is not as the state says may be another service's.
func (r *rdnsResource) find(ctx context.Context, m model, k rdnsPrivate) (string, error) {
	name, err := r.ask(ctx, m, k.accounts())
	if err == nil && name == "" { // one answer is no proof
		name, err = r.ask(ctx, m, k.accounts())
	}
	switch {
	case err != nil && !presence.IsGone(err):
		return "", err
	case err == nil && name == "":
		err = presence.Gone(fmt.Errorf("the address %s has no reverse DNS name", m.address()))
	case err == nil && sameName(name, m.Hostname.ValueString()):
		return name, nil
	}
	if other := r.errOtherService(ctx, m, k, presence.Home.Check); other != nil {
		return "", other
	}
	return name, err
}

// ask returns the name of an address that is in one of the accounts. It is gone only if none of them is out of sight.
func (r *rdnsResource) ask(ctx context.Context, m model, accounts []string) (_ string, err error) {
	for _, account := range accounts {
		var found *string
		found, err = presence.Find(ctx, r.Data.Fleet, r.Data.Memory, account, func(ctx context.Context) (*string, error) {
			is, err := m.name(ctx, r.Data.Client)
			return &is, err
		})
		if err == nil {
			return *found, nil
		}
		if !presence.IsGone(err) {
			break
		}
	}
	return "", err
}

// keepAccount records the account of the address, now that the service shows it: that of its machine, if this process
// has read it, or else all visible accounts.
func (r *rdnsResource) keepAccount(ctx context.Context, k rdnsPrivate, address netip.Addr) rdnsPrivate {
	if account := r.Data.Memory.Of(run.NameOf(address)).Account; account != "" && account != k.Account {
		k.Account, k.Accounts, k.Homes = account, nil, nil
	} else if k.Account == "" && len(k.Accounts) == 0 {
		accounts, _ := r.Data.Fleet.Directory.Accounts(ctx) // without them, the provider's account counts
		for _, account := range accounts {
			k.Accounts = append(k.Accounts, account.Name)
		}
	}
	if len(k.Homes) == 0 {
		k.Homes = r.learnHomes(ctx, k.accounts())
	}
	return k
}

// accounts are those in one of which the address is. "" stands for that of the provider.
func (k rdnsPrivate) accounts() []string {
	if k.Account != "" || len(k.Accounts) == 0 {
		return []string{k.Account}
	}
	return k.Accounts
}

// learnHomes returns what is known of accounts, until the cluster domain of one is.
func (r *rdnsResource) learnHomes(ctx context.Context, accounts []string) map[string]presence.Home {
	homes := map[string]presence.Home{}
	for _, account := range accounts {
		if account = cmp.Or(account, r.Data.Fleet.Directory.Default); account == "" {
			continue
		}
		home := presence.LearnHome(ctx, r.Data.Fleet, r.Data.Memory, account)
		if home != (presence.Home{}) {
			homes[account] = home
		}
		if home.Domain != "" {
			break
		}
	}
	return homes
}

// homeCheck is [presence.Home.Check] or, before a request that changes something, [presence.Home.CheckToWrite].
type homeCheck func(presence.Home, context.Context, *fleet.Fleet, *run.Memory, string, string) error

// errOtherService returns an error if the address is known to be another service's: one of the accounts is another one of
// this name, and none is known to be the home of its machines. Where none of them is shown, nothing is known.
func (r *rdnsResource) errOtherService(ctx context.Context, m model, k rdnsPrivate, check homeCheck) error {
	var other error
	for _, account := range slices.Sorted(maps.Keys(k.Homes)) {
		home := k.Homes[account]
		err := check(home, ctx, r.Data.Fleet, r.Data.Memory, account, "address "+m.Address.ValueString())
		if home.IsHome(r.Data.Fleet, account) {
			return nil
		}
		other = cmp.Or(other, err)
	}
	if other != nil {
		return other
	}
	if len(k.Homes) == 0 {
		return nil
	}
	accounts, _ := r.Data.Fleet.Directory.Accounts(ctx) // a refusal to list them says nothing
	if len(accounts) == 0 || slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return slices.Contains(k.accounts(), a.Name) }) {
		return nil
	}
	return fleet.Hidden(k.accounts()[0], fmt.Errorf("GET /ips/%s was answered", m.address()))
}
