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

	mu     sync.Mutex // guards what follows, and everything in groups and listings
	clock  uint64     // counts writes, listings and looks, to put them in order
	groups map[groupKey]*group
	first  map[int64]bool  // the first machines, which are read by id
	writes map[int64]write // machine → what this process last did to it

	tracked map[int64]bool // machine → it is in a state of this run
	looks   map[Name]int64 // name that was looked at → its holder; 0: none
}

// write is what this process has done to a machine.
type write struct {
	at      uint64
	groupID int64  // the group that the machine is in since; 0 when not known
	moved   uint64 // when it was last moved
}

// groupKey is a group as a path addresses it. One group may have two keys, its
// name and its id: a write is therefore noted at its machine.
type groupKey struct{ account, element string }

// group is what this process knows of one group.
type group struct {
	key     groupKey
	latest  *listing        // the last that was requested; nil: none
	names   *listing        // soft-deleted machines included; nil: not asked for
	byID    map[int64]bool  // machines that were read by id since latest was requested
	watches map[*watch]bool // true: its own looks are by id
}

// Moment is a point in the order of what this process requests and writes.
type Moment uint64

// Now returns the present moment.
func (f *Fleet) Now() Moment {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Moment(f.tick())
}

// New returns a fleet that has not asked for anything yet.
func New(api API) *Fleet {
	return &Fleet{
		api: api, groups: map[groupKey]*group{}, first: map[int64]bool{}, writes: map[int64]write{},
		tracked: map[int64]bool{}, looks: map[Name]int64{},
	}
}

// Wrote notes that this process has changed the machine, or tried to. Listings
// that were requested before do not answer for it. The groups are those that it
// may have been moved from or to. It is called when the request has ended, with or
// without success.
func (f *Fleet) Wrote(m Machine, groups ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.tick()
	w := write{at: now, groupID: m.GroupID, moved: f.writes[m.ID].moved}
	if len(groups) > 0 { // the machine may be in any of them
		w.groupID, w.moved = 0, now
	}
	f.writes[m.ID] = w
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
