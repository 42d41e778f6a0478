package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// API is what a fleet needs of the service (api.md §3). *cloudserver.Client
// has it.
type API interface {
	// VirtualMachine reads one machine by its numeric id, whatever group it is in.
	VirtualMachine(ctx context.Context, id int64, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	// VirtualMachines lists a group's machines, with discs and interfaces.
	VirtualMachines(ctx context.Context, account, group string, options ...cloudserver.ReadOption) ([]cloudserver.VirtualMachine, error)
}

// Machine says which machine is meant, and in which group it is thought to be.
type Machine struct {
	Account string // name or numeric id
	Group   string // name or numeric id; "" when not known yet, as after an import
	ID      int64
}

// Fleet reads and awaits machines for one provider process. It is safe for
// concurrent use.
type Fleet struct {
	api API

	mu     sync.Mutex // guards what follows, and everything in groups and listings
	clock  uint64     // counts writes, listings and looks, to put them in order
	groups map[groupKey]*group
	writes map[int64]uint64 // machine → when it was last written to

	tracked map[int64]bool // machines that are in a state of this process
}

// groupKey names a group as the configuration does. One group may have two
// keys, its name and its id: a write is therefore noted at its machine as well.
type groupKey struct{ account, name string }

// group is what this process knows of one group.
type group struct {
	key      groupKey
	latest   *listing       // the last that was asked for; nil: none, or it failed
	names    *listing       // the one that tells which names are taken; nil: not asked for
	straight map[int64]bool // machines that were read by id since then
	size     int            // machines in the last listing that arrived
	took     time.Duration  // from its request to its arrival
	written  uint64         // when this process last wrote to the group
	watches  map[*watch]struct{}
	first    pace // at which the next wait starts
}

// New makes a fleet that has asked for nothing yet.
func New(api API) *Fleet {
	return &Fleet{api: api, groups: map[groupKey]*group{}, writes: map[int64]uint64{}, tracked: map[int64]bool{}}
}

// Wrote notes that this process has changed the machine, or tried to: what was
// asked for before now is stale for its group, for the groups named (the other
// one of a move), and for the machine wherever it is listed. To be called when
// the request has ended, with or without success.
func (f *Fleet) Wrote(m Machine, groups ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.tick()
	f.writes[m.ID] = now
	f.group(m.Account, m.Group).written = now
	for _, name := range groups {
		f.group(m.Account, name).written = now
	}
}

// tick is the next moment. The caller holds the lock.
func (f *Fleet) tick() uint64 {
	f.clock++
	return f.clock
}

// group is what is known of a group. The caller holds the lock.
func (f *Fleet) group(account, name string) *group {
	key := groupKey{account, name}
	g, ok := f.groups[key]
	if !ok {
		g = &group{key: key, straight: map[int64]bool{}, watches: map[*watch]struct{}{}, first: startingPace()}
		f.groups[key] = g
	}
	return g
}
