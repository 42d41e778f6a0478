package run

import (
	"net/netip"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Memory is what the creations, updates and reads of this process remember for resources that depend on the same
// objects. It outlives a run: a process may serve a plan and its apply. The zero value is empty and ready for use.
type Memory struct {
	addresses remembered[netip.Addr, Address]
	setters   remembered[netip.Addr, string]
	domains   remembered[string, accountDomain]
	homes     remembered[string, string]
	ids       remembered[string, int64]
	machines  remembered[int64, string]
	states    remembered[int64, string]
	owners    remembered[Object, string]
	protected remembered[int64, Protection]
	titles    remembered[int64, Titles]
	replaced  remembered[fleet.Name, replaced]
}

// replaced is a machine that was destroyed for another one.
type replaced struct{ title, specification string }

// remembered is a map for concurrent use. A key that was never set has the zero value.
type remembered[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

func (r *remembered[K, V]) set(key K, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.values == nil {
		r.values = map[K]V{}
	}
	r.values[key] = value
}

func (r *remembered[K, V]) forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.values, key); len(r.values) == 0 {
		r.values = nil // a map keeps the size that it has had
	}
}

func (r *remembered[K, V]) get(key K) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.values[key]
}

// SetMachineDomain remembers the cluster domain of a machine as the service reported it to this process.
func (m *Memory) SetMachineDomain(machine int64, domain string) { m.machines.set(machine, domain) }

// MachineDomain returns the cluster domain of a machine, or "" if this process has not read it.
func (m *Memory) MachineDomain(machine int64) string { return m.machines.get(machine) }

// SetMachineStateDomain remembers the cluster domain that a machine has in the state. "" is ignored.
func (m *Memory) SetMachineStateDomain(machine int64, domain string) {
	if domain != "" {
		m.states.set(machine, domain)
	}
}

// MachineStateDomain returns the cluster domain that a machine has in the state, or "" if no resource of this process has
// it.
func (m *Memory) MachineStateDomain(machine int64) string { return m.states.get(machine) }

// accountDomain is the cluster domain of an account's machines, and when it was last requested on purpose.
type accountDomain struct {
	domain string
	asked  time.Time
}

// SetDomain remembers the cluster domain of an account's machines as reported by the service. "" is ignored. asked is when
// the answer was requested; zero: it was a read for another purpose.
func (m *Memory) SetDomain(account, domain string, asked time.Time) {
	if domain != "" && !m.domains.get(account).asked.After(asked) { // an answer that was requested on purpose stays
		m.domains.set(account, accountDomain{domain, asked})
	}
}

// Domain returns the cluster domain of an account's machines, or "" if this process has not seen it.
func (m *Memory) Domain(account string) string { return m.domains.get(account).domain }

// ForgetDomain forgets the cluster domain of an account's machines, unless it was requested after this time.
func (m *Memory) ForgetDomain(account string, unlessAfter time.Time) {
	if !m.domains.get(account).asked.After(unlessAfter) {
		m.domains.forget(account)
	}
}

// SetStateDomain remembers the cluster domain that an account's machines have in the state. "" is ignored.
func (m *Memory) SetStateDomain(account, domain string) {
	if domain != "" {
		m.homes.set(account, domain)
	}
}

// StateDomain returns the cluster domain that an account's machines have in the state, or "" if none of them has a
// hostname there.
func (m *Memory) StateDomain(account string) string { return m.homes.get(account) }

// SetStateAccount remembers the ID that an account has in the state. 0 is ignored.
func (m *Memory) SetStateAccount(account string, id int64) {
	if id != 0 {
		m.ids.set(account, id)
	}
}

// StateAccount returns the ID that an account has in the state, or 0 if the state does not contain it.
func (m *Memory) StateAccount(account string) int64 { return m.ids.get(account) }

// Address is what is known of the machine that has an address.
type Address struct {
	Account  string // of the machine
	Hostname string // of the machine; "": the machine is new, and nobody has set the reverse name of its address

	// Names are the name and location of the machine, in each known form.
	Names []fleet.Name
}

// SetAddress remembers which machine has an address.
func (m *Memory) SetAddress(address netip.Addr, known Address) { m.addresses.set(address, known) }

// Address returns what is known of the machine that has an address.
func (m *Memory) Address(address netip.Addr) Address { return m.addresses.get(address) }

// SetReverseName remembers the mark of the last call that set the reverse name of an address.
func (m *Memory) SetReverseName(address netip.Addr, mark string) { m.setters.set(address, mark) }

// ReverseNameSetter returns the mark of this process's last call that set the reverse name of an address, or "".
func (m *Memory) ReverseNameSetter(address netip.Addr) string { return m.setters.get(address) }

// SetOwner remembers the mark of the create after which a resource manages an object.
func (m *Memory) SetOwner(o Object, mark string) { m.owners.set(o, mark) }

// Owner returns the mark of this process's last create after which a resource manages the object, or "".
func (m *Memory) Owner(o Object) string { return m.owners.get(o) }

// Protection is what is known of a machine's deletion_protection.
type Protection struct {
	State bool // true in the state
	Plan  bool // true in a plan
}

// Holds reports whether the machine is protected.
func (p Protection) Holds() bool { return p.State || p.Plan }

// SetProtection remembers what is known of a machine's deletion_protection.
func (m *Memory) SetProtection(machine int64, known Protection) { m.protected.set(machine, known) }

// Protection returns what this process knows of a machine's deletion_protection.
func (m *Memory) Protection(machine int64) Protection { return m.protected.get(machine) }

// Titles are how people know a machine and its discs, as messages show it after an ID.
type Titles struct {
	Machine string
	Discs   map[string]string // by ID
}

// SetTitles remembers how people know a machine and its discs.
func (m *Memory) SetTitles(machine int64, titles Titles) { m.titles.set(machine, titles) }

// Titles returns what SetTitles has remembered of a machine.
func (m *Memory) Titles(machine int64) Titles { return m.titles.get(machine) }

// SetReplaced remembers the machine that was destroyed so that a new one with this name replaces it.
func (m *Memory) SetReplaced(by fleet.Name, title, specification string) {
	m.replaced.set(by, replaced{title, specification})
}

// Replaced returns what SetReplaced has remembered, and drops it.
func (m *Memory) Replaced(by fleet.Name) (title, specification string) {
	old := m.replaced.get(by)
	m.replaced.forget(by)
	return old.title, old.specification
}

// Forget drops what is known about a machine, which no longer exists.
func (m *Memory) Forget(machine int64) {
	m.machines.forget(machine)
	m.states.forget(machine)
	m.protected.forget(machine)
	m.titles.forget(machine)
}
