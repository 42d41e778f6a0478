package run

import (
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Memory is what Terraform has of each object: what states, plans and creations of this process say of it, for resources
// and actions that know only its ID or address. What the service has answered is in [fleet]. It outlives a run: a process
// may serve a plan and its apply. The zero value is empty and ready for use.
type Memory struct {
	mu    sync.Mutex
	known map[Object]*Known // pointers: a map keeps the size that it has had
}

// Known is what is remembered of an object. What is not known is empty.
type Known struct {
	Title      string            // what messages call it, after its ID
	Discs      map[string]string // what they call the discs of a machine, by ID
	Account    string            // name of the account that it is in
	AccountID  int64             // of a group
	Domain     string            // the cluster domain of a machine's hostname
	Protection Protection        // of a machine

	// Hostname and Names are those of the machine that has an address. Hostname is "" if the machine is new: nobody has
	// set the reverse name. Names are its name and location, in each known form.
	Hostname string
	Names    []fleet.Name

	// Mark identifies the last call of this process that created or set it: so it tells which resource has it.
	Mark string
}

// Protection is what is known of a machine's deletion_protection.
type Protection struct {
	State bool // true in the state
	Plan  bool // true in a plan
}

// Holds reports whether the machine is protected.
func (p Protection) Holds() bool { return p.State || p.Plan }

// Of returns what is remembered of an object.
func (m *Memory) Of(o Object) Known {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.known[o]; known != nil {
		return *known
	}
	return Known{}
}

// Note changes what is remembered of an object.
func (m *Memory) Note(o Object, change func(*Known)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[o]
	if known == nil {
		known = &Known{}
		set(&m.known, o, known)
	}
	change(known)
}

// Forget drops what is remembered of an object that no longer exists.
func (m *Memory) Forget(o Object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if delete(m.known, o); len(m.known) == 0 {
		m.known = nil
	}
}

// DomainIn returns the cluster domain of the machines of an account, or "" if none has one, or if not all have the same.
func (m *Memory) DomainIn(account string) string {
	return common(m, account, func(k Known) string { return k.Domain })
}

// AccountID returns the ID of an account, or 0 if no group of it has one, or if not all have the same.
func (m *Memory) AccountID(account string) int64 {
	return common(m, account, func(k Known) int64 { return k.AccountID })
}

// common returns the value that all objects of an account have that have one, or the zero value.
func common[V comparable](m *Memory, account string, of func(Known) V) (value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var none V
	for _, known := range m.known {
		switch one := of(*known); {
		case known.Account != account || one == none || one == value:
		case value != none:
			return none
		default:
			value = one
		}
	}
	return value
}
