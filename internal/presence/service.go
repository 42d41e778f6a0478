package presence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Domain returns the cluster domain of a hostname, in lower case and with its leading dot: what follows the name, group
// and account of a machine (API.md §8.1). It returns "" if the hostname does not begin with those, for example after a
// rename of the group, or if nothing follows.
func Domain(hostname, name, group, account string) string {
	domain, found := strings.CutPrefix(strings.ToLower(hostname), strings.ToLower(name+"."+group+"."+account))
	if !found || !strings.HasPrefix(domain, ".") {
		return ""
	}
	return domain
}

// IsOfDomain reports whether a machine with this hostname may belong to the service with this cluster domain. A state may
// be used with another service, which has other objects with the same IDs, but another cluster domain. If one of the two
// is unknown, the result is true.
func IsOfDomain(hostname, domain string) bool {
	return domain == "" || hostname == "" || strings.HasSuffix(strings.ToLower(hostname), domain)
}

// CheckDomain returns an error if the service's cluster domain differs from that of an object in the state. It sends no
// request, so it can only detect emulators that the provider serves itself.
func CheckDomain(d *tfkit.ProviderData, object, domain string) error {
	if domain == "" || d.HostDomain == "" || domain == d.HostDomain {
		return nil
	}
	return &OtherServiceError{
		Expected: fmt.Sprintf("the %s of a service whose hostnames end with %s", object, domain),
		Found:    "hostnames that end with " + d.HostDomain,
	}
}

// OtherServiceError is returned if the service has another service's object under the ID of an object in the state.
type OtherServiceError struct {
	Expected string // the object in the state, such as `virtual machine "web1" (web1.default.demo.example)`
	Found    string // the object that the service has under the same ID
}

// Error names both objects and explains what to do.
func (e *OtherServiceError) Error() string {
	return fmt.Sprintf("The state has %s, and the service answers with %s: an object of another service. The state is unchanged, and nothing was sent. "+
		"Check endpoint, and which provider configuration this resource uses. If it is the same object after all, remove the resource with `terraform state rm` and its address, and import it.",
		e.Expected, e.Found)
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
func LearnHome(ctx context.Context, d *tfkit.ProviderData, account string) (h Home) {
	if h.Domain = d.Memory.Domain(account); h.Domain != "" {
		return h
	}
	h.Domain = LearnDomain(ctx, d, account)
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	accounts, _ := d.Fleet.Directory.Accounts(ctx)
	for _, a := range accounts {
		if a.Name == account {
			h.ID = a.ID
		}
	}
	return h
}

// LearnDomain returns the cluster domain of the machines of an account. It sends a request only if this process has not
// read one of them; after a failure the next refresh tries again. It returns "" if the machines in the state have
// another domain.
func LearnDomain(ctx context.Context, d *tfkit.ProviderData, account string) string {
	if domain := d.Memory.Domain(account); domain != "" {
		return domain
	}
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	residents, _ := d.Fleet.Directory.Residents(ctx, account)
	expected := d.Memory.StateDomain(account)
	for _, vm := range residents.Machines {
		if vm.Hostname != nil && IsOfDomain(*vm.Hostname, expected) {
			d.Memory.SetDomain(account, Domain(*vm.Hostname, vm.Name, residents.Group, account))
		}
	}
	return d.Memory.Domain(account)
}

// NoteHostname records that an account is that of the state's machines, if a machine that the service has there has the
// same cluster domain. Then no further request is needed.
func NoteHostname(d *tfkit.ProviderData, account, hostname string) {
	if domain := d.Memory.StateDomain(account); hostname != "" && domain != "" && IsOfDomain(hostname, domain) {
		d.Memory.SetDomain(account, domain)
	}
}

// Check returns an [OtherServiceError] if the account is known not to be the home of an object: it has another ID, or
// only machines with another cluster domain. If the domain is unknown, that of the state's machines in the account is
// used. An account that is not visible or has no machines decides nothing, and neither does a listing that fails.
func (h Home) Check(ctx context.Context, d *tfkit.ProviderData, account, object string) error {
	h.Domain = cmp.Or(h.Domain, d.Memory.StateDomain(account))
	if err := CheckDomain(d, object, h.Domain); err != nil || h.IsHome(d, account) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, homeTimeout)
	defer cancel()
	if err := h.checkID(ctx, d, account, object); err != nil || h.Domain == "" {
		return err
	}
	residents, _ := d.Fleet.Directory.Residents(ctx, account)
	same, err := h.CheckMachines(object, residents.Machines)
	if same {
		d.Memory.SetDomain(account, h.Domain)
	}
	return err
}

// CheckMachines returns an [OtherServiceError] if the machines next to the object have hostnames, but none of its
// service. It reports whether one of them belongs to its service.
func (h Home) CheckMachines(object string, machines []cloudserver.VirtualMachine) (same bool, err error) {
	for _, vm := range machines {
		switch {
		case h.Domain == "" || vm.Hostname == nil || *vm.Hostname == "":
		case IsOfDomain(*vm.Hostname, h.Domain):
			return true, nil
		default:
			err = &OtherServiceError{
				Expected: fmt.Sprintf("the %s of a service whose hostnames end with %s", object, h.Domain),
				Found:    fmt.Sprintf("the hostname %q", *vm.Hostname),
			}
		}
	}
	return false, err
}

// IsHome reports whether this process knows that the account is the home of an object.
func (h Home) IsHome(d *tfkit.ProviderData, account string) bool {
	return h.Domain != "" && d.Memory.Domain(account) == h.Domain
}

func (h Home) checkID(ctx context.Context, d *tfkit.ProviderData, account, object string) error {
	if h.ID == 0 {
		return nil
	}
	accounts, _ := d.Fleet.Directory.Accounts(ctx)
	i := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return a.Name == account && a.ID != 0 })
	if i < 0 || accounts[i].ID == h.ID {
		return nil
	}
	return &OtherServiceError{
		Expected: fmt.Sprintf("the %s of account %q with the ID %d", object, account, h.ID),
		Found:    fmt.Sprintf("an account %q with the ID %d", account, accounts[i].ID),
	}
}
