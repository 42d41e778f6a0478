package fleet

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// sameMoment is how long a listing of a whole group waits for others that want
// it, too, before it is requested.
const sameMoment = 5 * time.Millisecond

// upcoming is a listing that is about to be requested.
type upcoming struct {
	requested chan struct{} // closed when listing is set
	listing   *listing
}

// List returns all machines of the group as they are now, soft-deleted ones
// excepted, sorted by id. It shares a listing only with callers that ask in the
// same moment: the listing is requested after all of them have asked, so that it
// shows what was changed before, by whatever process. Reads of single machines
// are answered from it afterwards.
func (f *Fleet) List(ctx context.Context, account, group string) ([]cloudserver.VirtualMachine, error) {
	next := f.nextListing(ctx, account, group)
	select {
	case <-next.requested:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	l := next.listing
	f.mu.Lock()
	l.callers++
	f.mu.Unlock()
	if err := f.await(ctx, l); err != nil {
		return nil, err
	}
	byID := func(a, b cloudserver.VirtualMachine) int { return cmp.Compare(a.ID, b.ID) }
	return slices.SortedFunc(maps.Values(l.machines), byID), nil
}

// nextListing returns the listing of the group that is about to be requested.
func (f *Fleet) nextListing(ctx context.Context, account, element string) *upcoming {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(account, element)
	if g.next == nil {
		next := &upcoming{requested: make(chan struct{})}
		g.next = next
		time.AfterFunc(sameMoment, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			g.next, next.listing = nil, f.list(ctx, g)
			close(next.requested)
		})
	}
	return g.next
}
