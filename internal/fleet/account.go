package fleet

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// worthListing is how many machines have to be wanted before a group of
	// unknown size is listed.
	worthListing = 6

	// severalGroups is in how many groups machines have to be wanted before their
	// account is listed in one request.
	severalGroups = 3

	// gatherFor is how long a read waits for others, to find out how many
	// machines are wanted. Terraform starts its reads together.
	gatherFor = 25 * time.Millisecond
)

var (
	// errSlow is a listing that takes longer than reads wait for one.
	errSlow = errors.New("the listing takes too long")
	// errNoDiscs is a listing of an account without the discs of its machines.
	errNoDiscs = errors.New("the service lists the account's machines without their discs")
)

// account is what this process knows of the machines of one account.
type account struct {
	name     string
	all      *listing       // of all groups; nil: not asked for
	straight map[int64]bool // machines that were read by id
	reads    *gathering     // reads that wait for others; nil: none
}

// gathering is reads that wait until it is known how many there are.
type gathering struct {
	groups   map[*group]bool
	machines map[int64]bool
	decided  chan struct{} // closed when the listings that pay have been requested
}

// account returns what is known of an account. The caller holds the lock.
func (f *Fleet) account(name string) *account {
	a, ok := f.accounts[name]
	if !ok {
		a = &account{name: name, straight: map[int64]bool{}}
		f.accounts[name] = a
	}
	return a
}

// gather makes the read wait for others, and returns the channel that ends the
// wait. The caller holds the lock.
func (f *Fleet) gather(ctx context.Context, a *account, g *group, id int64) <-chan struct{} {
	if a.reads == nil {
		reads := &gathering{groups: map[*group]bool{}, machines: map[int64]bool{}, decided: make(chan struct{})}
		a.reads = reads
		time.AfterFunc(gatherFor, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.decide(ctx, a, reads)
		})
	}
	reads := a.reads
	reads.groups[g], reads.machines[id] = true, true
	if reads.worthAccount(a) {
		f.decide(ctx, a, reads)
	}
	return reads.decided
}

// worthAccount reports whether a listing of the account costs less than the reads
// that wait and those that did not.
func (reads *gathering) worthAccount(a *account) bool {
	return len(reads.groups) >= severalGroups && len(a.straight)+len(reads.machines) >= worthListing
}

// decide requests the listings that cost less than the reads that wait. The
// caller holds the lock.
func (f *Fleet) decide(ctx context.Context, a *account, reads *gathering) {
	if a.reads != reads {
		return // it was decided earlier
	}
	a.reads = nil
	defer close(reads.decided)
	if reads.worthAccount(a) && !a.all.usable() {
		f.listAll(ctx, a)
		return
	}
	for g := range reads.groups {
		if len(g.wanted) >= worthListing {
			f.list(ctx, g)
		}
	}
}

// listAll requests a listing of all machines of the account. A service that does
// not answer it is not asked again. The caller holds the lock.
func (f *Fleet) listAll(ctx context.Context, a *account) {
	a.all = f.start(ctx, func(ctx context.Context) ([]cloudserver.VirtualMachine, error) {
		found, err := f.api.AccountAlone(ctx, a.name)
		if err != nil {
			return nil, err
		}
		machines, err := f.api.VirtualMachinesOfAccount(ctx, found.ID)
		if err == nil && len(machines) > 0 && machines[0].Discs == nil {
			err = errNoDiscs
		}
		return machines, err
	}, func(*listing) {})
	a.all.read = maps.Clone(a.straight)
}
