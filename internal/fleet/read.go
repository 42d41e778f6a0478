package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// slowListing is how long a listing is waited for before machines are read by id
// instead. The size of a group is not known before it was listed.
const slowListing = 3 * time.Second

// Read returns the machine as the service has it now, or as a listing showed it
// that nothing has contradicted since (see the package's comment). The error is
// the client's not-found error for a machine that does not exist, and
// [cloudserver.ErrNotDescribed] for one that cannot be described yet.
func (f *Fleet) Read(ctx context.Context, m Machine) (*cloudserver.VirtualMachine, error) {
	f.Track(m.ID)
	l, err := f.listingForRead(ctx, m)
	if err != nil {
		return nil, err
	}
	if l != nil {
		err := f.awaitBriefly(ctx, l)
		if ctx.Err() != nil && err != nil || cloudserver.IsUnauthorized(err) {
			return nil, err
		}
		if machine := l.machine(m.ID); err == nil && machine != nil {
			return machine, nil
		}
	}
	return f.api.VirtualMachine(ctx, m.ID)
}

// awaitBriefly is await for a read or a look, which a slow listing is not worth
// waiting for. The listing goes on for those that come later.
func (f *Fleet) awaitBriefly(ctx context.Context, l *listing) error {
	if l.isDone() {
		return l.err
	}
	brief, cancel := context.WithDeadline(ctx, l.asked.Add(slowListing))
	defer cancel()
	select {
	case <-l.done:
		return l.err
	case <-brief.Done():
		if ctx.Err() == nil {
			return errSlow
		}
	}
	return f.await(ctx, l)
}
