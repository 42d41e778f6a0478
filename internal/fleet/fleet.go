package fleet

import (
	"context"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// API is the part of the client that a fleet uses (API.md §3).
// *cloudserver.Client implements it.
type API interface {
	// VirtualMachine reads one machine by its numeric id, whatever group it is in.
	VirtualMachine(ctx context.Context, id int64, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachineAt reads the machine that a write to ref would reach.
	VirtualMachineAt(ctx context.Context, ref cloudserver.Ref, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachines lists a group's machines.
	VirtualMachines(ctx context.Context, account, group string, options ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error)
	// VirtualMachineByName reads the machine of a group that has the name.
	VirtualMachineByName(ctx context.Context, account, group, name string, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	PlacesAPI
}

// Machine identifies a machine, and says in which group it is thought to be.
type Machine struct {
	Account string // name
	Group   string // name; "" when not known yet, as after an import
	GroupID int64  // 0 when not known
	ID      int64
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
	api API
	// Directory knows the accounts and groups.
	Directory *Directory

	mu     sync.Mutex // guards what follows, and everything in groups and listings
	clock  uint64     // counts writes, listings and looks, to put them in order
	groups map[groupKey]*group
	first  map[int64]bool   // the first machines, which are read by id
	writes map[int64]uint64 // machine → when this process last wrote to it
	moved  uint64           // when this process last moved a machine

	firstNames map[nameKey]bool     // the first names, which are asked for one by one
	looks      map[nameKey]nameLook // what was seen last
	tracked    map[int64]bool       // machines of a state of this run
}

// groupKey is a group as a path addresses it. One group may have two keys, its
// name and its id: a write is therefore noted at its machine.
type groupKey struct{ account, element string }

// group is what this process knows of one group.
type group struct {
	key     groupKey
	latest  *listing        // the last that was requested; nil: none
	names   *listing        // the last of the names, soft-deleted machines included; nil: none
	byID    map[int64]bool  // machines that were read by id since latest was requested
	watches map[*watch]bool // true: its own looks are by id
}

// New returns a fleet that has not asked for anything yet.
func New(api API) *Fleet {
	return &Fleet{
		api: api, Directory: NewDirectory(api), groups: map[groupKey]*group{}, first: map[int64]bool{}, writes: map[int64]uint64{},
		firstNames: map[nameKey]bool{}, looks: map[nameKey]nameLook{}, tracked: map[int64]bool{},
	}
}

// Wrote notes that this process has changed the machine, or tried to. Listings
// that were requested before do not answer for it. It is called when the request
// has ended, with or without success.
func (f *Fleet) Wrote(m Machine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes[m.ID], f.tracked[m.ID] = f.tick(), true
}

// Moved notes that this process has moved a machine, or given it a name that
// consists of digits, or tried to: no listing from before proves an address.
func (f *Fleet) Moved() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moved = f.tick()
}

// Moment is a point in the order of what this process requests and writes.
type Moment uint64

// Now returns the present moment.
func (f *Fleet) Now() Moment {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Moment(f.tick())
}

// tick returns the next moment. The caller holds the lock.
func (f *Fleet) tick() uint64 {
	f.clock++
	return f.clock
}

// group returns what is known of a group. The caller holds the lock.
func (f *Fleet) group(account, element string) *group {
	key := groupKey{account, element}
	g, ok := f.groups[key]
	if !ok {
		g = &group{key: key, byID: map[int64]bool{}, watches: map[*watch]bool{}}
		f.groups[key] = g
	}
	return g
}
