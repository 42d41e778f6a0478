package progress

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Every is how often a wait tells that it goes on.
const Every = 30 * time.Second

// Wait is one wait, from Begin to End: for what, since when, and what was last seen.
type Wait struct {
	ctx   context.Context // whose listeners are told
	what  string
	began time.Time
	stop  chan struct{}
	told  chan struct{} // closed when nothing is told any more

	mu   sync.Mutex
	seen func() string
}

// Begin begins a wait for something, such as "the machine to be on". It is told once in 30 seconds, whatever the waiting
// operation does meanwhile.
func Begin(ctx context.Context, what string) *Wait {
	w := &Wait{ctx: ctx, what: what, began: time.Now(), stop: make(chan struct{}), told: make(chan struct{})}
	go w.run()
	return w
}

func (w *Wait) run() {
	defer close(w.told)
	ticker := time.NewTicker(Every)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			w.Tell()
		}
	}
}

// Tell tells that the wait goes on.
func (w *Wait) Tell() {
	text := "waiting for " + w.what
	if waited := w.waited(); waited > 0 {
		text += fmt.Sprintf(", %s so far", waited)
	}
	Tell(w.ctx, text+"; last seen: "+w.lastSeen())
}

// See notes what was last seen.
func (w *Wait) See(seen string) { w.SeeBy(func() string { return seen }) }

// SeeBy notes how to look for what was last seen, which then costs nothing.
func (w *Wait) SeeBy(look func() string) {
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

// End ends the wait: nothing is told after it.
func (w *Wait) End() {
	close(w.stop)
	<-w.told
}

// Unfinished returns the error of a wait that ends without what it is for. It unwraps to err, which is usually that of a
// context.
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

// Unfinished is the error of a wait that has ended without what it was for.
type Unfinished struct {
	What   string // what it was for
	Waited time.Duration
	Ended  string // "timed out", "interrupted" or "gave up"
	Seen   string // last
	Err    error
}

// Error says for what it was waited, how long, why that ended, and what was last seen.
func (u *Unfinished) Error() string { return u.Outcome() + "; last seen: " + u.Seen }

// Outcome is the error without what was last seen.
func (u *Unfinished) Outcome() string {
	return fmt.Sprintf("waited %s for %s: %s", u.Waited, u.What, u.Ended)
}

// Unwrap returns the cause.
func (u *Unfinished) Unwrap() error { return u.Err }
