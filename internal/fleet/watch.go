package fleet

import "context"

// sharedFrom is how many waits in a group make a listing cheaper than a look
// for each.
const sharedFrom = 3

// watch is a wait, as its group knows it.
type watch struct {
	machine Machine
	after   uint64        // only what was asked for later is news
	news    chan *listing // the latest listing that others asked for
	absence bool          // to be gone is what is waited for
}

// enter makes a watch that hears of its group's listings until it leaves.
func (f *Fleet) enter(m Machine, absence bool) *watch {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &watch{machine: m, after: f.tick(), news: make(chan *listing, 1), absence: absence}
	if m.Account != "" && m.Group != "" {
		f.group(m.Account, m.Group).watches[w] = struct{}{}
	}
	return w
}

// leave ends the watch.
func (f *Fleet) leave(w *watch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.group(w.machine.Account, w.machine.Group).watches, w)
}

// tell hands an arrived listing to the watches that it is news to. An older one
// that a watch has not looked at yet makes room. The caller holds the lock.
func (g *group) tell(l *listing) {
	for w := range g.watches {
		if l.started <= w.after {
			continue
		}
		select {
		case <-w.news:
		default:
		}
		w.news <- l
		w.after = l.started
		l.use(w.machine.ID)
	}
}

// listingForWatch is a listing for a watch whose time to look has come: one that
// is under way already, or a new one. It is nil when the machine is to be asked
// for by id.
func (f *Fleet) listingForWatch(ctx context.Context, w *watch) *listing {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.group(w.machine.Account, w.machine.Group)
	l := g.latest
	if len(g.watches) < sharedFrom || l != nil && l.hidden && l.isFresh() {
		w.after = f.tick()
		return nil
	}
	if l == nil || l.isDone() || l.started <= w.after {
		l = f.list(ctx, g)
	}
	w.after = l.started
	return l.join(w.machine.ID)
}
