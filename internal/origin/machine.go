package origin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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

	mu    sync.Mutex
	known facts
	asked time.Time // when the last admitted answer was requested; zero: it is to be requested again
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
	f := facts{id: id, hostname: hostname, names: []string{name}, places: []Place{place}, discs: discs}
	f.domain = Domain(hostname, f.places, name)
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
	known := m.facts()
	return known.hostname != "" || len(known.discs) > 0
}

// Admit returns an [*Error] if an answer describes another service's machine, or if it is not known whose. Otherwise the
// answer is the machine's, and Admit learns from it. asked is when it was requested.
func (m *Machine) Admit(ctx context.Context, vm *cloudserver.VirtualMachine, asked time.Time) error {
	if m == nil || vm == nil {
		return nil
	}
	if err := m.compare(ctx, vm); err != nil {
		m.Expire()
		return err
	}
	m.learn(vm, asked)
	return nil
}

// IsFresh reports whether an answer was admitted that is [cloudserver.Recent], and that has not expired.
func (m *Machine) IsFresh() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.asked.IsZero() && time.Since(m.asked) < cloudserver.Recent
}

// Expire makes the last answer too old for a look before a request that changes the machine.
func (m *Machine) Expire() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = time.Time{}
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

// verdict compares a hostname with what is known. If only the hostname is known, and not where its domain begins, it
// has to end in the domain of the answer.
func (f *facts) verdict(hostname, name string) Verdict {
	names := append(slices.Clone(f.names), name)
	if f.domain != "" {
		return Compare(f.domain, hostname, f.places, names...)
	}
	verdict := Open
	for _, domain := range domains(hostname, f.places, names) {
		if endsIn(f.hostname, domain) {
			return Same
		}
		verdict = Other
	}
	return verdict
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

// String names the machine in sentences.
func (f *facts) String() string {
	if f.hostname != "" {
		return fmt.Sprintf("the machine %q", f.hostname)
	}
	return fmt.Sprintf("the machine with the ID %d", f.id)
}

// learn stores what was not known before.
func (m *Machine) learn(vm *cloudserver.VirtualMachine, asked time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &m.known
	f.hostname = cmp.Or(f.hostname, hostnameOf(vm))
	if !slices.Contains(f.names, vm.Name) {
		f.names = append(f.names, vm.Name)
	}
	f.domain = cmp.Or(f.domain, Domain(f.hostname, f.places, f.names...))
	if len(f.discs) == 0 {
		for _, d := range vm.Discs {
			f.discs = append(f.discs, d.ID)
		}
	}
	if asked.After(m.asked) {
		m.asked = asked
	}
}

func hostnameOf(vm *cloudserver.VirtualMachine) string {
	if vm.Hostname == nil {
		return ""
	}
	return *vm.Hostname
}

// IsOther reports whether an answer was refused because it describes another service's object, or one of which that is
// not known.
func IsOther(err error) bool {
	_, other := errors.AsType[*Error](err)
	return other
}
