package progress

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Every is how often a wait reports that it goes on.
const Every = 30 * time.Second

// Wait is one wait, from Begin to End: what it is for, since when, and what was last seen.
type Wait struct {
	ctx   context.Context // of NewContext
	what  string
	began time.Time
	stop  chan struct{}
	done  chan struct{} // closed when nothing is reported any more

	mu   sync.Mutex
	seen func() string
}

// Begin begins a wait for something, such as "the machine to be on". The wait is reported every 30 seconds, whatever
// the waiting operation does meanwhile.
func Begin(ctx context.Context, what string) *Wait {
	w := &Wait{ctx: ctx, what: what, began: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
	go w.run()
	return w
}

func (w *Wait) run() {
	defer close(w.done)
	ticker := time.NewTicker(Every)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			w.Report()
		}
	}
}

// Report reports that the wait goes on.
func (w *Wait) Report() {
	text := "waiting for " + w.what
	if waited := w.waited(); waited > 0 {
		text += fmt.Sprintf(", %s so far", waited)
	}
	Report(w.ctx, text+"; last seen: "+w.lastSeen())
}

// See notes what was last seen.
func (w *Wait) See(seen string) { w.SeeFunc(func() string { return seen }) }

// SeeFunc notes how to find out what was last seen. It is called only when that is needed.
func (w *Wait) SeeFunc(look func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = look
}

func (w *Wait) lastSeen() string {
	w.mu.Lock()
	look := w.seen
	w.mu.Unlock()
	if look == nil {
		return "nothing yet"
	}
	return look()
}

func (w *Wait) waited() time.Duration { return time.Since(w.began).Round(time.Second) }

// End ends the wait. Nothing is reported after it.
func (w *Wait) End() {
	close(w.stop)
	<-w.done
}

// Unfinished returns the error of a wait that ended without its result. It unwraps to err, which is usually a
// context's.
func (w *Wait) Unfinished(err error) *Unfinished {
	u := &Unfinished{What: w.what, Waited: w.waited(), Ended: "gave up", Seen: w.lastSeen(), Err: err}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		u.Ended = "timed out"
	case errors.Is(err, context.Canceled):
		u.Ended = "interrupted"
	}
	return u
}

// Unfinished is the error of a wait that ended without its result.
type Unfinished struct {
	What   string // what it was for
	Waited time.Duration
	Ended  string // "timed out", "interrupted" or "gave up"
	Seen   string // last
	Err    error
}

// Error returns what was waited for, how long, how the wait ended, and what was last seen.
func (u *Unfinished) Error() string { return u.Outcome() + "; last seen: " + u.Seen }

// Outcome is the error without what was last seen.
func (u *Unfinished) Outcome() string {
	return fmt.Sprintf("waited %s for %s: %s", u.Waited, u.What, u.Ended)
}

// Unwrap returns the cause.
func (u *Unfinished) Unwrap() error { return u.Err }
