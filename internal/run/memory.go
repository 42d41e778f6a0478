package run

import (
	"net/netip"
	"sync"
)

// Memory is what the creations, updates and reads of this process know of objects that
// other resources manage. It outlives a run: a process may serve a plan and its apply.
// The zero value is empty and ready for use.
type Memory struct {
	mu        sync.Mutex
	addresses map[netip.Addr]Address
	setters   map[netip.Addr]string
	domains   map[string]string
	hostnames map[int64]string
	owners    map[Object]string
	protected map[int64]Protection
}

// SetHostname remembers the hostname of a machine, as the service has answered.
func (m *Memory) SetHostname(machine int64, hostname string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hostnames == nil {
		m.hostnames = map[int64]string{}
	}
	m.hostnames[machine] = hostname
}

// Hostname returns the hostname of a machine that this process has read, "" otherwise.
func (m *Memory) Hostname(machine int64) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hostnames[machine]
}

// SetDomain remembers the cluster domain of an account's machines; "" is nothing new.
func (m *Memory) SetDomain(account, domain string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if domain == "" {
		return
	}
	if m.domains == nil {
		m.domains = map[string]string{}
	}
	m.domains[account] = domain
}

// Domain returns the cluster domain of an account's machines, "" if this process has seen
// none.
func (m *Memory) Domain(account string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.domains[account]
}

// Address is what is known of the machine that has an address.
type Address struct {
	Account  string // that the machine is in
	Hostname string // of the machine; "": it is new, and nobody has set the address's name
}

// SetAddress remembers which machine has the address.
func (m *Memory) SetAddress(address netip.Addr, known Address) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.addresses == nil {
		m.addresses = map[netip.Addr]Address{}
	}
	m.addresses[address] = known
}

// Address returns what is known of the machine that has the address.
func (m *Memory) Address(address netip.Addr) Address {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.addresses[address]
}

// SetReverseName remembers the mark of the call that set the address's name last.
func (m *Memory) SetReverseName(address netip.Addr, mark string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.setters == nil {
		m.setters = map[netip.Addr]string{}
	}
	m.setters[address] = mark
}

// ReverseNameSetter returns the mark of the call of this process that set the address's
// name last, "" if none did.
func (m *Memory) ReverseNameSetter(address netip.Addr) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.setters[address]
}

// SetOwner remembers the mark of the create that made an object a resource's.
func (m *Memory) SetOwner(o Object, mark string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.owners == nil {
		m.owners = map[Object]string{}
	}
	m.owners[o] = mark
}

// Owner returns the mark of the create of this process that made the object a resource's
// last, "" if none did.
func (m *Memory) Owner(o Object) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owners[o]
}

// Protection is what is known of deletion_protection of a machine.
type Protection struct {
	State bool // the state has it
	Plan  bool // a plan sets it
}

// Holds reports whether the machine is protected.
func (p Protection) Holds() bool { return p.State || p.Plan }

// SetProtection remembers what is known of a machine's deletion_protection.
func (m *Memory) SetProtection(machine int64, known Protection) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.protected == nil {
		m.protected = map[int64]Protection{}
	}
	m.protected[machine] = known
}

// Protection returns what this process knows of a machine's deletion_protection.
func (m *Memory) Protection(machine int64) Protection {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.protected[machine]
}
