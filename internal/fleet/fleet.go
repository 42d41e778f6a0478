package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
)

// client is the part of *cloudserver.Client that a fleet uses (API.md §3 and §5).
type client interface {
	// VirtualMachine reads a machine by its numeric id, whatever group it is in.
	VirtualMachine(
		ctx context.Context, id int64, options ...cloudserver.ReadOption,
	) (*cloudserver.VirtualMachine, error)
	// VirtualMachineAt reads the machine that a write to ref would reach.
	VirtualMachineAt(
		ctx context.Context, ref cloudserver.Ref, options ...cloudserver.ReadOption,
	) (*cloudserver.VirtualMachine, error)
	// VirtualMachineByName reads the machine of a group that has the name.
	VirtualMachineByName(
		ctx context.Context, account, group, name string, options ...cloudserver.ReadOption,
	) (*cloudserver.VirtualMachine, error)
	// VirtualMachines lists a group's machines.
	VirtualMachines(
		ctx context.Context, account, group string, options ...cloudserver.ReadOption,
	) ([]cloudserver.VirtualMachine, error)
	// ListVirtualMachines does the same for a caller that needs few of them.
	ListVirtualMachines(
		ctx context.Context, account, group string, options ...cloudserver.ReadOption,
	) ([]cloudserver.ListedMachine, error)
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
	// BasePath returns the path of the endpoint, or "" if it has none.
	BasePath() string
	// Throttled returns an error that explains why all calls are held, or nil.
	Throttled() error
	// LastAccepted returns when a call was last answered with success.
	LastAccepted() time.Time
}

// Machine identifies a machine and the group that it is believed to be in.
type Machine struct {
	Account string // name
	Group   string // name; "" if unknown, as after an import
	GroupID int64  // 0 if unknown
	ID      int64
	Created bool // this process created it a moment ago; for waits

	// Origin is what is known of the machine. An answer that it does not admit is an error. nil admits all.
	Origin *origin.Machine
}

// group returns the path element of the machine's group for reads, or "" if the group is unknown. Its name or ID will
// do without further checks, because a read is matched by the machine's ID.
func (m Machine) group() string {
	if m.Group != "" || m.GroupID == 0 {
		return m.Group
	}
	return cloudserver.IDText(m.GroupID)
}

// Fleet reads machines, and waits for them, for one configured provider. It is safe for concurrent use.
type Fleet struct {
	api       client
	Directory *Directory // the accounts and groups
	Domains   Domains    // of machines and accounts

	mu       sync.Mutex // guards the fields below, and everything in groups and listings
	clock    uint64     // counts writes, listings and looks, to order them
	machines map[int64]*knownMachine
	names    map[Name]*nameLook
	groups   map[groupKey]*knownGroup
	first    int // number of machines that are read by ID
	byName   int // number of names that are looked at one by one
	kept     int // number of names that were left when old ones were dropped
}

// knownMachine is what this process knows about one machine. A machine has an entry exactly if a state of this run
// tracks it.
type knownMachine struct {
	byID    bool   // it is one of the first
	read    uint64 // when it was last read or written to
	written uint64 // when this process last wrote to it
	counted uint64 // the last listing for which it was counted as wanted
}

// New returns a fleet. It sends no request.
func New(api client) *Fleet {
	return &Fleet{
		api: api, Directory: &Directory{api: api},
		machines: map[int64]*knownMachine{}, names: map[Name]*nameLook{}, groups: map[groupKey]*knownGroup{},
	}
}

// Wrote notes that this process has changed the machine, or tried to. It is called when the request has ended,
// successfully or not. Listings that were requested before do not answer for the machine.
func (f *Fleet) Wrote(m Machine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(m.ID)
	k.written = f.tick()
	k.read = k.written
}

// Track notes that a state of this run contains the machine. Reading a machine and writing to it have the same effect.
func (f *Fleet) Track(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.machine(id)
}

// Forget drops the machine, which no longer exists.
func (f *Fleet) Forget(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.machines[id]; k != nil && k.byID {
		f.first--
	}
	delete(f.machines, id)
	f.Domains.reported.Delete(id)
}

// ForgetBefore discards what is known of accounts and groups that was not requested after this time. A look before a
// request that changes something begins with it, because another service may answer by now.
func (f *Fleet) ForgetBefore(since time.Time) {
	f.Directory.forgetBefore(since)
	f.Domains.forgetBefore(since)
}

// tick advances the clock and returns its value. The caller holds the lock.
func (f *Fleet) tick() uint64 {
	f.clock++
	return f.clock
}

// machine returns what is known of a machine. The caller holds the lock.
func (f *Fleet) machine(id int64) *knownMachine {
	k, ok := f.machines[id]
	if !ok {
		k = &knownMachine{}
		f.machines[id] = k
	}
	return k
}
