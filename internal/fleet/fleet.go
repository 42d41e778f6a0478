// Package fleet combines the reads and waits of many virtual machines into few requests. Terraform asks for one machine
// at a time; the service can answer for a whole group (API.md §3).
//
// The first twenty machines of a process are read by ID. After that, one listing of a group answers for all of its
// machines, each once. It also knows the accounts and groups, and what a 404 means.
package fleet

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// client is the part of *cloudserver.Client that a fleet uses.
type client interface {
	VirtualMachine(ctx context.Context, id int64, options ...cloudserver.ReadOption) (*cloudserver.VirtualMachine, error)
	VirtualMachineByName(
		ctx context.Context, account, group, name string, options ...cloudserver.ReadOption,
	) (*cloudserver.VirtualMachine, error)
	VirtualMachines(
		ctx context.Context, account, group string, options ...cloudserver.ReadOption,
	) ([]cloudserver.VirtualMachine, error)
	Account(ctx context.Context, account string) (*cloudserver.Account, error)
	Overview(ctx context.Context, account string, options ...cloudserver.ReadOption) (*cloudserver.Account, error)
	Accounts(ctx context.Context) ([]cloudserver.Account, error)
	Groups(ctx context.Context, account string) ([]cloudserver.Group, error)
	Endpoint() string
}

// Location is where a machine is, as a state describes it or as the service has shown it.
type Location struct {
	Account   string // name
	AccountID int64  // 0: unknown
	GroupID   int64  // 0: unknown
	ID        int64  // of the machine
	Created   bool   // this process created it a moment ago; for waits
}

// Ref identifies the machine in requests that change it.
func (l Location) Ref() cloudserver.Ref {
	return cloudserver.Ref{Account: l.Account, Group: cloudserver.IDText(l.GroupID), ID: l.ID}
}

// Fleet reads machines, and waits for them, for one configured provider. It is safe for concurrent use.
type Fleet struct {
	api       client
	Directory *Directory // the accounts and groups
	Found     FoundObjects

	mu       sync.Mutex // guards the fields below, and everything in groups and listings
	clock    uint64     // counts reads, writes and listings, to order them
	machines map[int64]*knownMachine
	names    map[nameKey]*nameLook
	groups   map[groupKey]*knownGroup
	byID     int // number of machines that are read by ID
	byName   int // number of names that are looked up one by one
}

// knownMachine is what this process knows about one machine.
type knownMachine struct {
	byID    bool                        // it is one of the first
	tracked bool                        // a state contains it
	read    uint64                      // when it was last read or written to
	written uint64                      // when this process last wrote to it
	counted uint64                      // the last listing for which it was counted as wanted
	shown   *cloudserver.VirtualMachine // as Read last returned it
}

// New returns a fleet. It sends no request.
func New(api client) *Fleet {
	return &Fleet{
		api: api, Directory: &Directory{api: api},
		machines: map[int64]*knownMachine{}, names: map[nameKey]*nameLook{}, groups: map[groupKey]*knownGroup{},
	}
}

// Wrote notes that this process has changed the machine, or tried to. Listings that were requested before do not answer
// for it.
func (f *Fleet) Wrote(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(id)
	k.written = f.tick()
	k.read = k.written
}

// Track notes that a state contains the machine, and reports whether that is new to this process.
func (f *Fleet) Track(id int64) (isNew bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.machine(id)
	isNew = !k.tracked
	k.tracked = true
	return isNew
}

// Read returns the machine as the service has it now, or as shown in a listing of its group that is still valid. A
// soft-deleted machine is returned, too. The error is ErrNotDescribed while the machine is being created; see CheckGone
// for the errors after a 404.
func (f *Fleet) Read(ctx context.Context, at Location) (*cloudserver.VirtualMachine, error) {
	f.mu.Lock()
	k := f.machine(at.ID)
	var l *listing
	if !f.claimsByID(at) {
		l = f.listingForRead(ctx, f.group(at.listingKey()), k)
	}
	k.read = f.tick()
	f.mu.Unlock()

	all, err := l.awaitBriefly(ctx)
	if err != nil {
		return nil, err
	}
	vm := all.withID(at.ID)
	if vm == nil {
		vm, err = f.Look(ctx, at)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	k.shown = vm
	return vm, err
}

// LastRead returns the machine as Read last returned it, or nil: a plan that follows the refresh in the same process
// needs no further request.
func (f *Fleet) LastRead(id int64) *cloudserver.VirtualMachine {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.machine(id).shown
}

// Look reads the machine by its ID, now. Its results are those of Read.
func (f *Fleet) Look(ctx context.Context, at Location) (*cloudserver.VirtualMachine, error) {
	vm, err := f.api.VirtualMachine(ctx, at.ID, cloudserver.IncludeDeleted)
	switch {
	case cloudserver.IsNotFound(err):
		return nil, f.CheckGone(ctx, at.Account, at.AccountID, err)
	case cloudserver.IsForbidden(err):
		return nil, fmt.Errorf("%w (the machine is in account %q)", err, at.Account)
	}
	return vm, err
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

// claimsByID reports whether the machine is read by ID: it is one of the first, which it becomes if there is room among
// them, or its group is unknown. The caller holds the lock.
func (f *Fleet) claimsByID(at Location) bool {
	k := f.machine(at.ID)
	if !k.byID && f.byID < firstByID {
		k.byID = true
		f.byID++
	}
	return k.byID || at.Account == "" || at.GroupID == 0
}
