package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// client is the part of *cloudserver.Client that a fleet uses (API.md §3 and §5).
type client interface {
	// VirtualMachine reads a machine by its numeric id, whatever group it is in.
	VirtualMachine(ctx context.Context, id int64, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachineAt reads the machine that a write to ref would reach.
	VirtualMachineAt(ctx context.Context, ref cloudserver.Ref, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachineByName reads the machine of a group that has the name.
	VirtualMachineByName(ctx context.Context, account, group, name string, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachines lists a group's machines.
	VirtualMachines(ctx context.Context, account, group string, options ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error)
	// Account reads an account without its groups.
	Account(ctx context.Context, account string) (*cloudserver.Account, error)
	// Overview reads an account with its groups and their machines.
	Overview(ctx context.Context, account string, options ...cloudserver.ReadOption) (*cloudserver.Account, error)
	// Accounts reads the accounts that the credentials can see.
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	// Group reads a group without its machines.
	Group(ctx context.Context, account, group string) (*cloudserver.Group, error)
	// Groups reads the groups of an account.
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
	// Throttled returns why all calls are held; nil: they are not.
	Throttled() error
	// LastAccepted returns when a call was last answered with success.
	LastAccepted() time.Time
}

// Machine identifies a machine, and says in which group it is thought to be.
type Machine struct {
	Account string // name
	Group   string // name; "" when not known yet, as after an import
	GroupID int64  // 0 when not known
	ID      int64
	Created bool // by this process, a moment ago; for waits
}

// group returns what addresses the machine's group in reads: any of its names
// will do, because a read is answered by the machine's id. It is "" when the
// group is not known.
func (m Machine) group() string {
	if m.Group != "" || m.GroupID == 0 {
		return m.Group
	}
	return cloudserver.IDText(m.GroupID)
}

// Fleet reads and awaits machines for one configured provider. It is safe for
// concurrent use.
type Fleet struct {
	api       client
	Directory *Directory // the accounts and groups

	mu       sync.Mutex // guards what follows, and everything in groups and listings
	clock    uint64     // counts writes, listings and looks, to put them in order
	moved    uint64     // when this process last moved a machine
	machines map[int64]*known
	names    map[Name]*nameLook
	groups   map[groupKey]*group
	first    int // how many machines are read by id
}

// known is what this process knows of one machine. A machine has an entry if, and only if,
// a state of this run tracks it.
type known struct {
	byID    bool   // it is one of the first
	read    uint64 // when it was last read, or written to
	written uint64 // when this process last wrote to it
	counted uint64 // the last listing that it was wanted from
}

// New returns a fleet that has not asked for anything yet.
func New(api client) *Fleet {
	return &Fleet{
		api: api, Directory: &Directory{api: api},
		machines: map[int64]*known{}, names: map[Name]*nameLook{}, groups: map[groupKey]*group{},
	}
}

// Wrote notes that this process has changed the machine, or tried to. Listings
// that were requested before do not answer for it. It is called when the request
// has ended, with or without success.
func (f *Fleet) Wrote(m Machine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(m.ID)
	k.written = f.tick()
	k.read = k.written
}

// Moved notes that this process has moved a machine, or given it a name that
// consists of digits, or tried to: no listing from before proves an address.
func (f *Fleet) Moved() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moved = f.tick()
}

// Track notes that a state of this run contains the machine. Reading a machine,
// and writing to it, track it too.
func (f *Fleet) Track(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.machine(id)
}

// tick returns the next moment. The caller holds the lock.
func (f *Fleet) tick() uint64 {
	f.clock++
	return f.clock
}

// machine returns what is known of a machine. The caller holds the lock.
func (f *Fleet) machine(id int64) *known {
	k, ok := f.machines[id]
	if !ok {
		k = &known{}
		f.machines[id] = k
	}
	return k
}
