package origin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Place is a group in its account, by their names.
type Place struct{ Group, Account string }

// Domain returns the cluster domain of a hostname, in lower case and with its leading dot: what remains when the name,
// group and account of the machine are taken off. Names may contain dots, so a hostname cannot be split without them. It
// returns "" if none of the names in none of the places begins the hostname, or if nothing remains.
func Domain(hostname string, places []Place, names ...string) string {
	domains := domains(hostname, places, names)
	if len(domains) == 0 {
		return ""
	}
	return domains[0]
}

// domainBehind returns the cluster domain of a hostname that is older than a rename, so that its names are not known in
// full: what follows the group and the account, or the account alone. It returns "" where they stand in no place, or in
// several, because then it is unknown where the domain begins.
func domainBehind(hostname string, places []Place) string {
	hostname = strings.ToLower(hostname)
	for _, withGroup := range []bool{true, false} {
		domain := ""
		for _, place := range places {
			part := "." + strings.ToLower(place.Account) + "."
			if withGroup {
				part = "." + strings.ToLower(place.Group) + part
			}
			at := strings.Index(hostname, part)
			switch {
			case place.Account == "" || place.Group == "" || at <= 0:
				continue
			case at != strings.LastIndex(hostname, part), domain != "" && domain != hostname[at+len(part)-1:]:
				return ""
			}
			domain = hostname[at+len(part)-1:]
		}
		if domain != "" {
			return domain
		}
	}
	return ""
}

// domains returns what remains of a hostname for each name and place that begins it.
func domains(hostname string, places []Place, names []string) (domains []string) {
	hostname = strings.ToLower(hostname)
	for _, place := range places {
		for _, name := range names {
			if name == "" || place.Group == "" || place.Account == "" {
				continue
			}
			domain, found := strings.CutPrefix(hostname, strings.ToLower(name+"."+place.Group+"."+place.Account))
			if found && strings.HasPrefix(domain, ".") {
				domains = append(domains, domain)
			}
		}
	}
	return domains
}

// Verdict is what a hostname says about the service of its machine.
type Verdict int

// The verdicts.
const (
	Open     Verdict = iota // it says nothing: the hostname or the domain is unknown
	Same                    // it is a machine of the domain
	Unplaced                // it ends in the domain, but with other names before it
	Other                   // it is a machine of another domain
)

// Compare compares the domain of a hostname with that of a service. The machine has one of the names, and is in one of
// the places: those of the answer and of the directory, or those of the state, because a hostname may be older than a
// rename.
func Compare(domain, hostname string, places []Place, names ...string) Verdict {
	if domain == "" || hostname == "" {
		return Open
	}
	verdict := Other
	if endsIn(hostname, domain) {
		verdict = Unplaced
	}
	for _, found := range domains(hostname, places, names) {
		if SameDomain(found, domain) {
			return Same
		}
		verdict = Other
	}
	return verdict
}

// CheckNeighbours returns an [*Error] if the machines next to an object, which are in one group, have hostnames, but none
// that is known to be of its service: one that only ends in its domain may be of a copy. It reports whether one of them
// belongs to its service.
func CheckNeighbours(domain, object string, machines []cloudserver.VirtualMachine, places []Place) (same bool, err error) {
	for _, vm := range machines {
		if vm.Hostname == nil {
			continue
		}
		verdict := Compare(domain, *vm.Hostname, places, vm.Name)
		switch {
		case verdict == Same:
			return true, nil
		case verdict == Other, verdict == Unplaced && err == nil:
			err = &Error{
				Expected: fmt.Sprintf("%s of a service whose hostnames end with %s", object, domain),
				Found:    fmt.Sprintf("the machine %q, which has the hostname %q", vm.Name, *vm.Hostname),
				Doubt:    verdict == Unplaced,
			}
		}
	}
	return false, err
}

// SameDomain reports whether two domains are the same. Unknown ones are not.
func SameDomain(a, b string) bool { return a != "" && strings.EqualFold(a, b) }

// endsIn reports whether a hostname ends in a domain, whatever precedes it.
func endsIn(hostname, domain string) bool {
	return domain != "" && strings.HasSuffix(strings.ToLower(hostname), strings.ToLower(domain))
}

// AnotherService is what an [Error] claims of the object that was found.
const AnotherService = "an object of another service"

// Error is returned for an answer about an object of another service, or about one of which that is not known.
type Error struct {
	Expected string // such as `the machine "web1.default.demo.example"`
	Found    string // what the service has under the same ID
	Doubt    bool   // it is not known whether it is another service's

	Answer  *cloudserver.VirtualMachine // the machine that was refused; nil: another object
	failure error                       // of finding the machine's group, or of listing; ErrNotDescribed: the answer says nothing
}

// Unlisted returns the error for an object whose service is not known, because the machines next to it could not be listed.
func Unlisted(expected string, failure error) *Error {
	return &Error{Expected: expected, Doubt: true, failure: failure}
}

// Unwrap returns the failure to find the machine's group, or to list machines, or [cloudserver.ErrNotDescribed], if that is the reason.
func (e *Error) Unwrap() error { return e.failure }

// Error names both objects and explains what to do.
func (e *Error) Error() string {
	if errors.Is(e.failure, cloudserver.ErrNotDescribed) {
		return fmt.Sprintf("Expected %s, but the service answers with %s: it shows neither the hostname nor the discs that are known. "+
			"It may be "+AnotherService+", so nothing is sent to it. Run the same command again.", e.Expected, e.Found)
	}
	if e.Found == "" && e.failure != nil {
		return fmt.Sprintf("Expected %s, but the service does not list the machines there, and without their hostnames it is unknown whether it is the same service: %v. "+
			"It may be "+AnotherService+", so nothing is sent to it. "+
			"Check endpoint, and whether these credentials may list the machines. Then run the same command again.", e.Expected, e.failure)
	}
	if e.Doubt && e.failure != nil {
		return fmt.Sprintf("Expected %s, but the service answers with %s, and cannot tell which group that is in: %v. "+
			"It may be "+AnotherService+", so nothing is sent to it. Run the same command again.", e.Expected, e.Found, e.failure)
	}
	if e.Doubt {
		return fmt.Sprintf("Expected %s, but the service answers with %s. "+
			"It ends in the same domain, but the names before it are neither those of the answer nor those of the state: "+
			"it may be "+AnotherService+", so nothing is sent to it. "+
			"Check endpoint, and whether these credentials see the machine's group. Then run the same command again.", e.Expected, e.Found)
	}
	return fmt.Sprintf("Expected %s, but the service answers with %s: "+AnotherService+". Nothing is sent to it. "+
		"Check endpoint, and which provider configuration this resource uses. "+
		"If it is the same object after all, remove the resource with `terraform state rm` and its address, and import it.",
		e.Expected, e.Found)
}
