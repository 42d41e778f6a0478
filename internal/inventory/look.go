// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"errors"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// wait is a wait for one machine: when it looks, and what it has seen.
type wait struct {
	at       Location
	listings *listings // nil: it looks by ID
	began    time.Time
	pause    time.Duration // before the next look
	after    time.Time     // only listings that were requested later count
	looked   bool          // there was a look
	last     *cloudserver.VirtualMachine
}

// isNew reports whether this process created the machine a moment ago.
func (w *wait) isNew() bool { return w.at.Created && time.Since(w.began) < newFor }

// beginWait begins a wait. A look by ID is made at once, because what is waited for may have happened with the request
// before. Before the first look in a listing, there is a pause in which others join; the fourth that joins does not wait
// for more.
//
// Nothing that shows a new machine can be older than its creation, so any listing with it counts.
func (v *Inventory) beginWait(at Location) *wait {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := &wait{at: at, began: time.Now()}
	if !at.Created {
		w.after = v.now()
	}
	if v.isReadByID(at) {
		return w
	}
	g := v.group(at.groupKey())
	w.listings = g
	g.waits++
	g.joined++
	looksAlone := g.last != nil && g.last.isDone() && len(g.last.value) > wellUsed*max(g.waits, listFrom)
	haveJoined := g.joined >= listFrom && g.isWorthALook()
	if !looksAlone && !haveJoined {
		w.pause = cloudserver.FirstPause
	}
	return w
}

// endWait ends the wait.
func (v *Inventory) endWait(w *wait) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if w.listings != nil {
		w.listings.waits--
	}
}

// isWorthALook reports whether another listing is worth its cost to the waits. The caller holds the lock.
func (g *listings) isWorthALook() bool {
	return g.waits >= listFrom && (g.last == nil || g.last.isWorthRepeating(g.waits))
}

// look waits until it is time to look, or until a listing arrives that another wait has requested, and returns the machine
// as it is then.
func (v *Inventory) look(ctx context.Context, w *wait) (*cloudserver.VirtualMachine, error) {
	timer := time.NewTimer(w.pause)
	defer timer.Stop()
	for ctx.Err() == nil {
		l, requested := v.lastListing(w)
		if all, err := l.awaitBriefly(ctx); err == nil && all[w.at.ID] != nil {
			return v.looked(ctx, w, all.withID(w.at.ID), nil)
		}
		select {
		case <-requested:
		case <-timer.C:
			vm, err := v.lookNow(ctx, w)
			return v.looked(ctx, w, vm, err)
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// finalLook looks a last time, after the deadline of a wait that has seen nothing.
func (v *Inventory) finalLook(ctx context.Context, w *wait) (*cloudserver.VirtualMachine, error) {
	if w.looked || errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	ctx, cancel := cloudserver.ForLastLook(ctx)
	defer cancel()
	return v.api.VirtualMachine(ctx, w.at.ID, cloudserver.IncludeDeleted)
}

// lastListing returns the last listing, if it counts for the wait, and a channel that is closed when the next one is
// requested.
func (v *Inventory) lastListing(w *wait) (l *listing, requested <-chan struct{}) {
	if w.listings == nil {
		return nil, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if w.listings.last.counts(w.after) {
		l = w.listings.last
	}
	return l, w.listings.requested
}

// errNotListed is the result of looking at a listing that lacks a machine which was created a moment ago.
var errNotListed = errors.New("not in the listing of its group yet")

// lookNow requests a listing, if that is worth its cost, or reads the machine by its ID.
func (v *Inventory) lookNow(ctx context.Context, w *wait) (*cloudserver.VirtualMachine, error) {
	all, err := v.listingNow(ctx, w).awaitBriefly(ctx)
	switch vm := all.withID(w.at.ID); {
	case vm != nil || err != nil:
		return vm, err
	case all != nil && w.isNew():
		return nil, errNotListed
	}
	return v.api.VirtualMachine(ctx, w.at.ID, cloudserver.IncludeDeleted)
}

// listingNow returns a listing that may show the machine: the one under way, or a new one. It returns nil if the machine
// is to be read by ID.
func (v *Inventory) listingNow(ctx context.Context, w *wait) *listing {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch g := w.listings; {
	case g == nil:
		return nil
	case g.waits >= listFrom && g.last.counts(latest(w.after, v.machine(w.at.ID).written)):
		return g.last
	case g.isWorthALook():
		return g.request(ctx)
	}
	return nil
}

// looked notes that the wait has looked, and returns the result. A look that was cut off says nothing.
func (v *Inventory) looked(
	ctx context.Context, w *wait, vm *cloudserver.VirtualMachine, err error,
) (*cloudserver.VirtualMachine, error) {
	if isCutOff(ctx, err) {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	w.looked, w.after = true, v.now()
	w.pause = min(max(2*w.pause, cloudserver.FirstPause), cloudserver.LongestPause)
	v.machine(w.at.ID).read = w.after
	return vm, err
}
