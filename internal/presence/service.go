package presence

import (
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Domain returns the cluster domain of a hostname, in lower case and with its dot: what is
// behind the name, the group and the account of a machine (API.md §8.1). It returns "" if
// the hostname does not begin with them, as after a rename of the group, or there is none.
func Domain(hostname, name, group, account string) string {
	domain, found := strings.CutPrefix(strings.ToLower(hostname), strings.ToLower(name+"."+group+"."+account))
	if !found || !strings.HasPrefix(domain, ".") {
		return ""
	}
	return domain
}

// IsOfDomain reports whether a machine with that hostname may belong to the service with
// the cluster domain. IDs are small numbers, and a state may be pointed at another
// service, which has other objects under the same IDs, but another cluster domain. Where
// one of the two is not known, nothing speaks against it.
func IsOfDomain(hostname, domain string) bool {
	return domain == "" || hostname == "" || strings.HasSuffix(strings.ToLower(hostname), domain)
}

// CheckDomain returns an error if the service ends the hostnames of all machines with
// another cluster domain than that of an object in the state. It asks nothing, so it is
// known only of an emulator that the provider serves itself.
func CheckDomain(d *tfkit.ProviderData, object, domain string) error {
	if domain == "" || d.HostDomain == "" || domain == d.HostDomain {
		return nil
	}
	return &OtherServiceError{
		Expected: fmt.Sprintf("the %s of a service whose hostnames end with %s", object, domain),
		Found:    "hostnames that end with " + d.HostDomain,
	}
}

// OtherServiceError is an object of another service that has the ID of one in the state.
type OtherServiceError struct {
	Expected string // the object of the state, such as `virtual machine "web1" (web1.default.demo.example)`
	Found    string // what the service has under that ID
}

// Error says what was found, and what to do.
func (e *OtherServiceError) Error() string {
	return fmt.Sprintf("The state has %s, and the service answers with %s: an object of another service. The state is unchanged, and nothing was sent. "+
		"Check endpoint, and which provider configuration this resource uses. If it is the same object after all, remove the resource with `terraform state rm` and its address, and import it.",
		e.Expected, e.Found)
}
