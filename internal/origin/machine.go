package origin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Finder returns the places of the group that has the ID, of which a directory may know none. again requests its lists
// once more.
type Finder func(ctx context.Context, groupID int64, again bool) ([]Place, error)

// Machine is what is known of a machine: from a state, or from the first answer that has it. Every answer about the
// machine passes [Machine.Admit] before it is used. It is safe for concurrent use.
type Machine struct {
	find Finder

	mu       sync.Mutex
	known    facts
	answered bool // an answer was admitted
	last     look
}

// look is the last answer that was admitted, and when it was requested: neither is renewed without the other. It is zero
// if the machine has to be read again.
type look struct {
	vm    *cloudserver.VirtualMachine
	asked time.Time
}

// facts are what distinguishes a machine from another service's with the same ID.
type facts struct {
	id       int64
	hostname string // "": unknown
	domain   string // "": unknown
	names    []string
	places   []Place
	discs    []int64 // IDs; empty: unknown
}

// Known returns what a state knows of a machine, where "" and 0 stand for what it does not know. find may be nil.
func Known(id int64, hostname, name string, place Place, discs []int64, find Finder) *Machine {
	discs = slices.DeleteFunc(slices.Clone(discs), func(id int64) bool { return id == 0 })
	names := []string{name, fmt.Sprintf("renaming-%d", id)} // the temporary name may still be in the hostname
	f := facts{id: id, hostname: hostname, names: names, places: []Place{place}, discs: discs}
	f.domain = f.ownDomain()
	return &Machine{find: find, known: f}
}

// ExpectDomain sets the domain of a machine whose hostname is unknown. "" is ignored.
func (m *Machine) ExpectDomain(domain string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known.domain = cmp.Or(m.known.domain, domain)
}

// Domain returns the machine's cluster domain, or "" if it is unknown.
func (m *Machine) Domain() string {
	if m == nil {
		return ""
	}
	return m.facts().domain
}

// IsDescribed reports whether any answer, or the state, has described the machine.
func (m *Machine) IsDescribed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answered || m.known.isDescribed()
}

// Admit returns an [*Error] if an answer describes another service's machine, or if it is not known whose. An answer that
// says nothing of a machine that was described before is one of these, and wraps [cloudserver.ErrNotDescribed]. Otherwise
// the answer is the machine's, and Admit learns from it. asked is when it was requested; zero: it counts as no look.
func (m *Machine) Admit(ctx context.Context, vm *cloudserver.VirtualMachine, asked time.Time) error {
	if m == nil || vm == nil {
		return nil
	}
	if known := m.facts(); known.isDescribed() && !known.isComparable(vm) {
		m.Expire()
		return &Error{
			Expected: known.String(), Found: fmt.Sprintf("a machine for ID %d that it does not describe", vm.ID),
			Doubt: true, Answer: vm, failure: cloudserver.ErrNotDescribed,
		}
	}
	if err := m.Check(ctx, vm); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answered = true
	if !asked.IsZero() && !asked.Before(m.last.asked) {
		m.last = look{vm, asked}
	}
	return nil
}

// Check is [Machine.Admit] for the answer to a request that has changed the machine. It counts as no look, and may say
// nothing.
func (m *Machine) Check(ctx context.Context, vm *cloudserver.VirtualMachine) error {
	if m == nil || vm == nil {
		return nil
	}
	if known := m.facts(); known.isDescribed() && !known.isComparable(vm) {
		return nil
	}
	if err := m.compare(ctx, vm); err != nil {
		m.Expire()
		return err
	}
	m.learn(vm)
	return nil
}

// CheckDiscs returns an error if an answer shows no discs, although the machine is known to have some: where discs
// decide, it says nothing.
func (m *Machine) CheckDiscs(vm *cloudserver.VirtualMachine) error {
	if len(vm.Discs) > 0 || len(m.facts().discs) == 0 {
		return nil
	}
	return &NoDiscsError{vm.ID}
}

// NoDiscsError is returned for an answer that shows a machine without its discs, where they decide. It counts as an answer
// that does not describe the machine.
type NoDiscsError struct{ ID int64 }

// Error names the machine.
func (e *NoDiscsError) Error() string {
	return fmt.Sprintf("the service shows virtual machine %d without its discs, so it is not known which discs the request would be about", e.ID)
}

// Unwrap returns [cloudserver.ErrNotDescribed].
func (e *NoDiscsError) Unwrap() error { return cloudserver.ErrNotDescribed }

// Fresh returns the last answer that was admitted if it is [cloudserver.Recent] and has not expired, and nil otherwise.
func (m *Machine) Fresh() *cloudserver.VirtualMachine {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last.vm == nil || time.Since(m.last.asked) >= cloudserver.Recent {
		return nil
	}
	return m.last.vm
}

// Expire makes the last answer too old for a look before a request that changes the machine.
func (m *Machine) Expire() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = look{}
}

func (m *Machine) facts() facts {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known
	known.names, known.places = slices.Clone(known.names), slices.Clone(known.places)
	return known
}

// compare compares an answer with what is known. The directory is asked only if the names of the state and the answer do
// not explain the hostname: the machine may have been moved, or its group renamed.
func (m *Machine) compare(ctx context.Context, vm *cloudserver.VirtualMachine) error {
	known, hostname := m.facts(), hostnameOf(vm)
	if !known.isDescribed() && !known.isNamed(vm) {
		return &Error{Expected: fmt.Sprintf("the machine %q", known.names[0]), Found: fmt.Sprintf("%q for ID %d", vm.Name, vm.ID), Doubt: true, Answer: vm}
	}
	if hostname == "" || known.hostname == "" && known.domain == "" {
		return known.compareDiscs(vm)
	}
	if SameDomain(hostname, known.hostname) { // the whole hostname
		return nil
	}
	verdict := known.verdict(hostname, vm.Name)
	var failure error
	for _, again := range []bool{false, true} {
		if verdict == Same || m.find == nil || known.domain != "" && !endsIn(hostname, known.domain) {
			break
		}
		var places []Place
		places, failure = m.find(ctx, vm.GroupID, again)
		known.places = append(known.places, places...)
		verdict = known.verdict(hostname, vm.Name)
	}
	switch verdict {
	case Same:
		return nil
	case Open: // neither hostname can be taken apart
		return known.compareDiscs(vm)
	default:
	}
	return &Error{Expected: known.String(), Found: fmt.Sprintf("%q for ID %d", hostname, vm.ID), Doubt: verdict == Unplaced, Answer: vm, failure: failure}
}

// ownDomain returns the domain of the known hostname, or "" if it is unknown where that begins.
func (f *facts) ownDomain() string {
	return cmp.Or(Domain(f.hostname, f.places, f.names...), domainBehind(f.hostname, f.places))
}

// verdict compares a hostname with what is known. If it is unknown where the domain of the known hostname begins, a
// hostname with a domain is another service's: that one ends in the other proves nothing.
func (f *facts) verdict(hostname, name string) Verdict {
	names := append(slices.Clone(f.names), name)
	if domain := cmp.Or(f.domain, f.ownDomain()); domain != "" {
		return Compare(domain, hostname, f.places, names...)
	}
	if len(domains(hostname, f.places, names)) > 0 {
		return Other
	}
	return Open
}

// compareDiscs compares the discs of a machine without a hostname. One in common is enough: the others may have been
// added, moved or purged.
func (f *facts) compareDiscs(vm *cloudserver.VirtualMachine) error {
	isKnown := func(d cloudserver.Disc) bool { return slices.Contains(f.discs, d.ID) }
	if len(f.discs) == 0 || len(vm.Discs) == 0 || slices.ContainsFunc(vm.Discs, isKnown) {
		return nil
	}
	return &Error{Expected: f.String(), Found: fmt.Sprintf("the machine %q with other discs for ID %d", vm.Name, vm.ID), Answer: vm}
}

// isDescribed reports whether anything is known that distinguishes the machine.
func (f *facts) isDescribed() bool { return f.hostname != "" || f.domain != "" || len(f.discs) > 0 }

// isNamed reports whether an answer has one of the known names, or nothing is known of names.
func (f *facts) isNamed(vm *cloudserver.VirtualMachine) bool {
	return f.names[0] == "" || slices.ContainsFunc(f.names, func(name string) bool { return strings.EqualFold(name, vm.Name) })
}

// isComparable reports whether an answer has anything with which that can be compared.
func (f *facts) isComparable(vm *cloudserver.VirtualMachine) bool {
	return hostnameOf(vm) != "" && (f.hostname != "" || f.domain != "") || len(vm.Discs) > 0 && len(f.discs) > 0
}

// String names the machine in sentences.
func (f *facts) String() string {
	if f.hostname != "" {
		return fmt.Sprintf("the machine %q", f.hostname)
	}
	return fmt.Sprintf("the machine with the ID %d", f.id)
}

// learn stores what was not known before.
func (m *Machine) learn(vm *cloudserver.VirtualMachine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &m.known
	f.hostname = cmp.Or(f.hostname, hostnameOf(vm))
	if !slices.Contains(f.names, vm.Name) {
		f.names = append(f.names, vm.Name)
	}
	f.domain = cmp.Or(f.domain, f.ownDomain())
	if len(f.discs) == 0 {
		for _, d := range vm.Discs {
			f.discs = append(f.discs, d.ID)
		}
	}
}

func hostnameOf(vm *cloudserver.VirtualMachine) string {
	if vm.Hostname == nil {
		return ""
	}
	return *vm.Hostname
}

// IsOther reports whether an answer was refused because it describes another service's object, or one of which that is
// not known. An answer that says nothing is none of these.
func IsOther(err error) bool {
	_, other := errors.AsType[*Error](err)
	return other && !errors.Is(err, cloudserver.ErrNotDescribed)
}
