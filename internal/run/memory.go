package run

import (
	"net/netip"
	"sync"
)

// Memory is what the creations, updates and reads of this process know of objects that
// other resources manage. It outlives a run: a process may serve a plan and its apply.
// The zero value is empty and ready for use.
type Memory struct {
	addresses remembered[netip.Addr, Address]
	setters   remembered[netip.Addr, string]
	domains   remembered[string, string]
	hostnames remembered[int64, string]
	owners    remembered[Object, string]
	protected remembered[int64, Protection]
}

// remembered is what is known of each of several objects: the zero value of those of which
// nothing is.
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

func (r *remembered[K, V]) get(key K) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.values[key]
}

// SetHostname remembers the hostname of a machine, as the service has answered.
func (m *Memory) SetHostname(machine int64, hostname string) { m.hostnames.set(machine, hostname) }

// Hostname returns the hostname of a machine that this process has read, "" otherwise.
func (m *Memory) Hostname(machine int64) string { return m.hostnames.get(machine) }

// SetDomain remembers the cluster domain of an account's machines; "" is nothing new.
func (m *Memory) SetDomain(account, domain string) {
	if domain != "" {
		m.domains.set(account, domain)
	}
}

// Domain returns the cluster domain of an account's machines, "" if this process has seen
// none.
func (m *Memory) Domain(account string) string { return m.domains.get(account) }

// Address is what is known of the machine that has an address.
type Address struct {
	Account  string // that the machine is in
	Hostname string // of the machine; "": it is new, and nobody has set the address's name
}

// SetAddress remembers which machine has the address.
func (m *Memory) SetAddress(address netip.Addr, known Address) { m.addresses.set(address, known) }

// Address returns what is known of the machine that has the address.
func (m *Memory) Address(address netip.Addr) Address { return m.addresses.get(address) }

// SetReverseName remembers the mark of the call that set the address's name last.
func (m *Memory) SetReverseName(address netip.Addr, mark string) { m.setters.set(address, mark) }

// ReverseNameSetter returns the mark of the call of this process that set the address's
// name last, "" if none did.
func (m *Memory) ReverseNameSetter(address netip.Addr) string { return m.setters.get(address) }

// SetOwner remembers the mark of the create that made an object a resource's.
func (m *Memory) SetOwner(o Object, mark string) { m.owners.set(o, mark) }

// Owner returns the mark of the create of this process that made the object a resource's
// last, "" if none did.
func (m *Memory) Owner(o Object) string { return m.owners.get(o) }

// Protection is what is known of deletion_protection of a machine.
type Protection struct {
	State bool // the state has it
	Plan  bool // a plan sets it
}

// Holds reports whether the machine is protected.
func (p Protection) Holds() bool { return p.State || p.Plan }

// SetProtection remembers what is known of a machine's deletion_protection.
func (m *Memory) SetProtection(machine int64, known Protection) { m.protected.set(machine, known) }

// Protection returns what this process knows of a machine's deletion_protection.
func (m *Memory) Protection(machine int64) Protection { return m.protected.get(machine) }
