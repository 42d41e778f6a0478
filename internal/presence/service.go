package presence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// CheckDomain returns an error if the service's cluster domain differs from that of an object in the state. It sends no
// request, so it can only detect emulators that the provider serves itself.
func CheckDomain(f *fleet.Fleet, object, domain string) error {
	if domain == "" || f.Domains.Service == "" || origin.SameDomain(domain, f.Domains.Service) {
		return nil
	}
	return &origin.Error{
		Expected: fmt.Sprintf("the %s of a service whose hostnames end with %s", object, domain),
		Found:    "hostnames that end with " + f.Domains.Service,
	}
}

// Home distinguishes an account from one with the same name at another service. Groups and reverse names keep it in
// their private state, because they have no hostname of their own.
type Home struct {
	// ID is the numeric ID of the account. 0: unknown.
	ID int64 `json:"id,omitempty"`
	// Domain is the cluster domain of the machines of the account. "": none has been seen.
	Domain string `json:"domain,omitempty"`
}

// homeTimeout is how long an operation waits to find out which service it uses.
const homeTimeout = 10 * time.Second

// LearnHome returns what is known about an account. It requests the ID only if the domain is unknown, because the ID is
// weaker evidence.
func LearnHome(ctx context.Context, f *fleet.Fleet, states *run.Memory, account string) (h Home) {
	if h.Domain = f.Domains.Account(account); h.Domain != "" {
		return h
	}
	h.Domain = LearnDomain(ctx, f, states, account)
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	accounts, _ := f.Directory.Accounts(ctx)
	for _, a := range accounts {
		if a.Name == account {
			h.ID = a.ID
		}
	}
	return h
}

// LearnDomain returns the cluster domain of the machines of an account. It sends a request only if this process has not
// read one of them; after a failure the next refresh tries again. It returns "" if the machines in the state have
// another domain, or if not all have the same.
func LearnDomain(ctx context.Context, f *fleet.Fleet, states *run.Memory, account string) (learned string) {
	if domain := f.Domains.Account(account); domain != "" {
		return domain
	}
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	residents, _ := f.Directory.Residents(ctx, account)
	expected := states.DomainIn(account)
	for _, vm := range residents.Machines {
		if vm.Hostname == nil {
			continue
		}
		domain := origin.Domain(*vm.Hostname, []origin.Place{{Group: residents.Group, Account: account}}, vm.Name)
		expected = cmp.Or(expected, domain)
		if domain != "" && !origin.SameDomain(domain, expected) {
			return ""
		}
		learned = cmp.Or(learned, domain)
	}
	f.Domains.SetAccount(account, learned, residents.Asked)
	return learned
}

// NoteDomain records the domain of a machine that the service has in an account. If it is that of the state's machines
// there, no further request is needed to know the account.
func NoteDomain(f *fleet.Fleet, states *run.Memory, account string, machine *origin.Machine) {
	domain := machine.Domain()
	if !origin.SameDomain(domain, f.Domains.Account(account)) && origin.SameDomain(domain, states.DomainIn(account)) {
		f.Domains.SetAccount(account, domain, time.Time{})
	}
}

// Check returns an [origin.Error] if the account is not known to be the home of an object, but has another ID, or
// machines with hostnames. If the domain is unknown, that of the state's machines in the account is used. An account that
// is not visible or has no machines decides nothing, and neither does a listing that fails. Before a request that changes
// the object, there is [Home.CheckToWrite].
func (h Home) Check(ctx context.Context, f *fleet.Fleet, states *run.Memory, account, object string) error {
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	other, _ := h.check(ctx, f, states, account, object)
	return other
}

// CheckToWrite is [Home.Check] before a request that changes the object. If the machines of the account, which would tell
// its service, cannot be listed, that is an [origin.Error] as well.
func (h Home) CheckToWrite(ctx context.Context, f *fleet.Fleet, states *run.Memory, account, object string) error {
	other, unlisted := h.check(ctx, f, states, account, object)
	if other != nil || unlisted == nil || cloudserver.IsNotFound(unlisted) {
		return other
	}
	return origin.Unlisted(fmt.Sprintf("the %s of the account %q", object, account), unlisted)
}

// check returns an [origin.Error] if the account is another one, and why its machines could not be listed.
func (h Home) check(ctx context.Context, f *fleet.Fleet, states *run.Memory, account, object string) (other, unlisted error) {
	h.Domain = cmp.Or(h.Domain, states.DomainIn(account))
	if err := CheckDomain(f, object, h.Domain); err != nil || h.IsHome(f, account) {
		return err, nil
	}
	if err := h.checkID(ctx, f, account, object); err != nil || h.Domain == "" {
		return err, nil
	}
	residents, unlisted := f.Directory.Residents(ctx, account)
	same, other := h.CheckMachines(object, residents.Machines, []origin.Place{{Group: residents.Group, Account: account}})
	if same {
		f.Domains.SetAccount(account, h.Domain, residents.Asked)
	}
	return other, unlisted
}

// CheckMachines is [origin.CheckNeighbours] with the machines next to the object.
func (h Home) CheckMachines(object string, machines []cloudserver.VirtualMachine, places []origin.Place) (same bool, err error) {
	return origin.CheckNeighbours(h.Domain, "the "+object, machines, places)
}

// IsHome reports whether this process knows that the account is the home of an object.
func (h Home) IsHome(f *fleet.Fleet, account string) bool {
	return origin.SameDomain(h.Domain, f.Domains.Account(account))
}

func (h Home) checkID(ctx context.Context, f *fleet.Fleet, account, object string) error {
	if h.ID == 0 {
		return nil
	}
	accounts, _ := f.Directory.Accounts(ctx)
	i := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return a.Name == account && a.ID != 0 })
	if i < 0 || accounts[i].ID == h.ID {
		return nil
	}
	return &origin.Error{
		Expected: fmt.Sprintf("the %s of account %q with the ID %d", object, account, h.ID),
		Found:    fmt.Sprintf("an account %q with the ID %d", account, accounts[i].ID),
	}
}
