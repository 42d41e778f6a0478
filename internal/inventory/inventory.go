// SPDX-License-Identifier: MPL-2.0

// Package inventory knows what the service has: accounts, groups and virtual machines. Terraform asks for one machine at
// a time; the service can answer for a whole group (API.md §3). One inventory serves a process. Its rules:
//
//  1. An answer counts if its request began after this process last wrote to the object, after the caller last read it,
//     and within the last minute.
//  2. Callers share a request that counts for them. Good answers are kept. A failure is for those who wait for it.
//  3. The first twenty machines of a process are read by ID. For others, one listing of their group is requested, unless
//     listings are slow, fail, or are much larger than what is wanted of them.
//  4. A machine that a listing lacks is read by ID. A group whose name a kept list lacks is looked for in a new one.
//  5. An object is gone if its ID is answered with 404, and its account was seen by a request that began after that.
//  6. A wait asks as a read does, at growing intervals. It ends when it is done, when the machine is gone or deleted,
//     after two minutes of nothing but refusals, or with its context.
package inventory

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// client is the part of *cloudserver.Client that an inventory uses.
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
	Definitions(ctx context.Context) (*cloudserver.Definitions, error)
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

// Inventory answers what the service has, and waits for machines, for one configured provider. It is safe for
// concurrent use.
type Inventory struct {
	// DefaultAccount is the name of the provider's account, or "".
	DefaultAccount string

	api client

	mu            sync.Mutex // guards the fields below and what they contain
	clock         time.Time  // the last event
	machines      map[int64]*machine
	listings      map[groupKey]*listings
	names         kept[*cloudserver.VirtualMachine] // looked up one by one
	nameLists     kept[machines]
	namesChanged  map[string]time.Time // by this process
	firstNames    map[string]bool
	firstMachines int // number of those that are read by ID
	account       kept[*cloudserver.Account]
	accounts      kept[[]cloudserver.Account]
	overviews     kept[*cloudserver.Account]
	groups        kept[[]cloudserver.Group]
	definitions   kept[*cloudserver.Definitions]
	planned       map[string]PlannedGroup
	claims        map[string]string
	adopted       map[string]bool
}

// machine is what is known of one machine.
type machine struct {
	isFirst bool // it is read by ID
	isInUse bool // a state contains it
	read    time.Time
	written time.Time
	shown   *cloudserver.VirtualMachine // as last read

	isNameWanted, isImported, isDestroyed, isWarnedOf bool // by plans: see planned.go
}

// New returns an inventory. It sends no request.
func New(api client) *Inventory {
	return &Inventory{
		api: api, machines: map[int64]*machine{}, listings: map[groupKey]*listings{},
		names: kept[*cloudserver.VirtualMachine]{}, nameLists: kept[machines]{},
		namesChanged: map[string]time.Time{}, firstNames: map[string]bool{},
		account: kept[*cloudserver.Account]{}, accounts: kept[[]cloudserver.Account]{},
		overviews: kept[*cloudserver.Account]{}, groups: kept[[]cloudserver.Group]{},
		definitions: kept[*cloudserver.Definitions]{},
		planned:     map[string]PlannedGroup{}, claims: map[string]string{}, adopted: map[string]bool{},
	}
}

// Wrote notes that this process has changed the machine, or tried to.
func (v *Inventory) Wrote(id int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.machine(id).written = v.now()
}

// Track notes that a state contains the machine, and reports whether that is new to this process.
func (v *Inventory) Track(id int64) (isNew bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.machine(id)
	isNew = !m.isInUse
	m.isInUse = true
	return isNew
}

// Read returns the machine, soft-deleted or not. The error is ErrNotDescribed while the machine is being created; see
// CheckGone for the errors after a 404.
func (v *Inventory) Read(ctx context.Context, at Location) (*cloudserver.VirtualMachine, error) {
	v.mu.Lock()
	m := v.machine(at.ID)
	var l *listing
	if !v.isReadByID(at) {
		l = v.group(at.groupKey()).forOne(ctx, at.ID, latest(m.read, m.written), m.written)
	}
	v.mu.Unlock()

	all, err := l.awaitBriefly(ctx)
	if err != nil {
		return nil, err
	}
	vm := all.withID(at.ID)
	if vm == nil {
		return v.ReadByID(ctx, at)
	}
	v.show(at.ID, vm)
	return vm, nil
}

// show notes that a caller has seen the machine.
func (v *Inventory) show(id int64, vm *cloudserver.VirtualMachine) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.machine(id)
	m.shown, m.read = vm, v.now()
}

// LastRead returns the machine as it was last read, or nil: a plan that follows the refresh in the same process
// needs no further request.
func (v *Inventory) LastRead(id int64) *cloudserver.VirtualMachine {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.machine(id).shown
}

// ReadByID reads the machine by its ID, now. Its results are those of Read.
func (v *Inventory) ReadByID(ctx context.Context, at Location) (*cloudserver.VirtualMachine, error) {
	vm, err := v.api.VirtualMachine(ctx, at.ID, cloudserver.IncludeDeleted)
	switch {
	case cloudserver.IsNotFound(err):
		return nil, v.CheckGone(ctx, at.Account, at.AccountID, err)
	case cloudserver.IsForbidden(err):
		return nil, fmt.Errorf("%w (the machine is in account %q)", err, at.Account)
	case err != nil:
		return nil, err
	}
	v.show(at.ID, vm)
	return vm, nil
}

// Definitions returns what can be chosen (API.md §6).
func (v *Inventory) Definitions(ctx context.Context) (*cloudserver.Definitions, error) {
	return get(ctx, v, v.definitions, "", time.Time{}, v.api.Definitions)
}

// machine returns what is known of a machine. The caller holds the lock.
func (v *Inventory) machine(id int64) *machine {
	m, ok := v.machines[id]
	if !ok {
		m = &machine{}
		v.machines[id] = m
	}
	return m
}

// isReadByID reports whether the machine is read by ID: it is one of the first, which it becomes if there is room among
// them, or its group is unknown. The caller holds the lock.
func (v *Inventory) isReadByID(at Location) bool {
	m := v.machine(at.ID)
	if !m.isFirst && v.firstMachines < firstByID {
		m.isFirst = true
		v.firstMachines++
	}
	return m.isFirst || at.Account == "" || at.GroupID == 0
}
