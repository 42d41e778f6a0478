package fleet

import (
	"context"
	"time"
)

// sharedFrom is how many waits in a group make a listing cheaper than a look
// for each.
const sharedFrom = 3

// patience is how long after a listing the next one is put off while fewer wait
// than ever did: the CLI is still busy with the others, and they come soon.
const patience = 150 * time.Millisecond

// watch is a wait, as its group knows it.
type watch struct {
	machine Machine
	after   uint64        // only what was requested later is news
	news    chan *listing // the latest listing that others requested
	created time.Time     // by this process; zero: it existed before
}

// isYoung reports whether this process created the machine a moment ago.
func (w *watch) isYoung() bool { return !w.created.IsZero() && time.Since(w.created) < young }

// enter begins a watch, which hears of its group's listings until it leaves.
func (f *Fleet) enter(w *watch) *watch {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.after, w.news = f.tick(), make(chan *listing, 1)
	if w.machine.Account != "" && w.machine.group() != "" {
		g := f.group(w.machine.Account, w.machine.group())
		g.watches[w] = struct{}{}
		g.most = max(g.most, len(g.watches))
	}
	return w
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.group(w.machine.Account, w.machine.group()).watches, w)
}

// tell hands an arrived listing to the watches that it is news to. It replaces an
// older one that a watch has not looked at yet. The caller holds the lock.
func (g *group) tell(l *listing) {
	for w := range g.watches {
		if !w.isNews(l) {
			continue
		}
		select {
		case <-w.news:
		default:
		}
		w.news <- l
		w.after = max(w.after, l.started)
		l.use(w.machine.ID)
	}
}

// isNews reports whether a listing that has arrived is new to the watch. One that
// was requested before the watch began may be older than what is waited for,
// unless it shows a machine that did not exist before. The caller holds the lock.
func (w *watch) isNews(l *listing) bool {
	if l.started > w.after {
		return true
	}
	_, shown := l.machines[w.machine.ID]
	return !w.created.IsZero() && shown
}

// listingForWatch returns a listing for a watch whose time to look has come: one
// that is under way already, or a new one. It is nil when the machine is to be
// read by id, or when the look is put off so that more waits share it.
func (f *Fleet) listingForWatch(ctx context.Context, w *watch) (l *listing, putOff time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(w.machine.Account, w.machine.group())
	l = g.latest
	if !g.isBusy() || l.usable() && l.failed() && l.isFresh() {
		w.after = f.tick()
		return nil, 0
	}
	if !l.usable() || l.isDone() || l.started <= w.after {
		if putOff := g.breather(); putOff > 0 {
			return nil, putOff
		}
		l = f.list(ctx, g)
	}
	w.after = l.started
	return l.join(w.machine.ID), 0
}

// isBusy reports whether enough waits go on in the group for looks to be
// listings, or did a moment ago: creations come and go. The caller holds the lock.
func (g *group) isBusy() bool {
	if g.isSlow() {
		return false
	}
	return len(g.watches) >= sharedFrom || g.latest != nil && time.Since(g.latest.asked) < firstGap
}

// isSlow reports whether a listing of the group takes longer than it is worth
// waiting for: the group is large. The caller holds the lock.
func (g *group) isSlow() bool {
	underWay := g.latest.usable() && !g.latest.isDone() && time.Since(g.latest.asked) >= slowListing
	return underWay || g.took > slowListing
}

// breather returns how long to wait before the group is listed again for waits:
// from one request to the next, twice as long as a listing takes, and patience
// where some are missing. So each listing is shared by most of those that wait.
// One that was slow, because it had to be repeated, delays nobody longer than a
// look does. The caller holds the lock.
func (g *group) breather() time.Duration {
	if g.latest == nil {
		return 0
	}
	gap := g.took + min(g.took, longestGap)
	if len(g.watches) < g.most {
		gap = max(gap, patience)
	}
	return time.Until(g.latest.asked.Add(gap))
}
