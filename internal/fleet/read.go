package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// straightFirst is how many reads go by id before a group is listed: fewer
	// requests than a listing's bytes are worth.
	straightFirst = 2

	// wellUsed is the smallest part of a listing, one in so many machines, that
	// has to be wanted for the listing to be cheaper than reads by id.
	wellUsed = 10

	// keepListing is how long after its arrival a listing answers further reads.
	// A refresh shows its user one moment in time, and a thousand machines take
	// less than this. Counted from the arrival, so that a slow service is not
	// asked more often for being slow.
	keepListing = time.Minute
)

// Read is the machine as the service has it now, or as a listing showed it that
// nothing has contradicted since (see the package's comment). A machine that the
// service does not know is the client's not-found error; one that it cannot
// describe yet is [cloudserver.ErrNotDescribed].
func (f *Fleet) Read(ctx context.Context, m Machine) (*cloudserver.VirtualMachine, error) {
	f.Track(m.ID)
	if l := f.listingForRead(ctx, m); l != nil {
		err := f.await(ctx, l)
		if ctx.Err() != nil && err != nil || cloudserver.IsUnauthorized(err) {
			return nil, err
		}
		if machine := l.machine(m.ID); err == nil && machine != nil {
			return machine, nil
		}
	}
	return f.api.VirtualMachine(ctx, m.ID)
}

// listingForRead is a listing that may answer for the machine: the latest, or a
// new one if that pays. It is nil when the machine is to be asked for by id.
func (f *Fleet) listingForRead(ctx context.Context, m Machine) *listing {
	if m.Account == "" || m.group() == "" {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(m.Account, m.group())
	if l := g.latest; l.usable() && l.started > max(g.written, f.writes[m.ID].at) && l.answers(m.ID) {
		return l.join(m.ID)
	}
	if len(g.straight) < g.patience() {
		g.readStraight(m.ID)
		return nil
	}
	return f.list(ctx, g).join(m.ID)
}

// readStraight notes a read by id. What it shows is newer than the latest
// listing, which therefore has nothing more to tell about the machine.
func (g *group) readStraight(id int64) {
	g.straight[id] = true
	if g.latest != nil {
		g.latest.read[id] = true
	}
}

// patience is how many machines are read by id before the group is listed again.
func (g *group) patience() int {
	switch l := g.latest; {
	case l == nil:
		return straightFirst
	case g.size > wellUsed*l.used:
		return max(straightFirst, g.size/wellUsed)
	case l.started < g.written:
		return straightFirst
	default:
		return 0 // it has only grown old
	}
}
