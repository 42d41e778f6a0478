package fleet

import (
	"context"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// firstByID is how many machines, and how many names, a process asks for one by
// one before it lists a group.
const firstByID = 20

// Read returns the machine as the service has it now, or as a listing showed it
// that nothing has contradicted since (see the package's comment). The error is
// the client's not-found error for a machine that does not exist, and
// [cloudserver.ErrNotDescribed] for one that cannot be described yet.
func (f *Fleet) Read(ctx context.Context, m Machine) (*cloudserver.VirtualMachine, error) {
	f.Track(m.ID)
	if l := f.listingForRead(ctx, m); l != nil {
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

// listingForRead returns a listing that may answer for the machine, nil when the
// machine is to be read by id.
func (f *Fleet) listingForRead(ctx context.Context, m Machine) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.goesByID(m) {
		return nil
	}
	g := f.group(m.Account, m.group())
	l, written := g.latest, f.writes[m.ID]
	if !l.usable() {
		return f.list(ctx, g).join(m.ID)
	}
	if written < l.started && l.answers(m.ID) {
		return l.join(m.ID)
	}
	l.use(m.ID)
	if l.mayBeRepeated(l.wanted) && (written < l.started || !l.isFresh()) {
		return f.list(ctx, g).join(m.ID)
	}
	g.byID[m.ID] = true
	return nil
}

// goesByID reports whether the machine is one of the first, or its group is not
// known. The caller holds the lock.
func (f *Fleet) goesByID(m Machine) bool {
	if len(f.first) < firstByID {
		f.first[m.ID] = true
	}
	return f.first[m.ID] || m.Account == "" || m.group() == ""
}
