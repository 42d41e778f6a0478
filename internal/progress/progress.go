// SPDX-License-Identifier: MPL-2.0

// Package progress reports what an operation does and what it waits for: at INFO and, of actions, to Terraform.
package progress

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// object is what an operation works on, and who is notified of its progress.
type object struct {
	title  string
	notify func(string)
}

type objectKey struct{}

// NewContext returns a context whose operations report progress on the object with this title: at INFO, and to notify
// if it is not nil. A wait calls notify from a goroutine of its own.
func NewContext(ctx context.Context, title string, notify func(string)) context.Context {
	return context.WithValue(ctx, objectKey{}, object{title, notify})
}

// Naming returns a context for one of several objects that an operation works on. Its reports have the title of that
// object, also those to notify.
func Naming(ctx context.Context, title string) context.Context {
	o, _ := ctx.Value(objectKey{}).(object)
	if o.notify == nil {
		return NewContext(ctx, title, nil)
	}
	return NewContext(ctx, title, func(text string) { o.notify(title + ": " + text) })
}

// Report reports what is done now.
func Report(ctx context.Context, text string) {
	o, _ := ctx.Value(objectKey{}).(object)
	if o.notify != nil {
		o.notify(text)
	}
	if o.title != "" {
		text = o.title + ": " + text
	}
	tflog.Info(ctx, text)
}

// ReportEvery is how often something that goes on is reported.
const ReportEvery = 30 * time.Second

// Waiting is one wait, from Begin to End: what it is for, since when, and what was last seen.
type Waiting struct {
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
func Begin(ctx context.Context, what string) *Waiting {
	w := &Waiting{ctx: ctx, what: what, began: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
	go w.run()
	return w
}

func (w *Waiting) run() {
	defer close(w.done)
	ticker := time.NewTicker(ReportEvery)
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
func (w *Waiting) Report() {
	text := "waiting for " + w.what
	if waited := w.waited(); waited > 0 {
		text += fmt.Sprintf(", %s so far", waited)
	}
	Report(w.ctx, text+"; last seen: "+w.lastSeen())
}

// See notes what was last seen.
func (w *Waiting) See(seen string) { w.SeeFunc(func() string { return seen }) }

// SeeFunc notes how to find out what was last seen. It is called only when that is needed.
func (w *Waiting) SeeFunc(look func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = look
}

func (w *Waiting) lastSeen() string {
	w.mu.Lock()
	look := w.seen
	w.mu.Unlock()
	if look == nil {
		return "nothing yet"
	}
	return look()
}

func (w *Waiting) waited() time.Duration { return time.Since(w.began).Round(time.Second) }

// End ends the wait. Nothing is reported after it.
func (w *Waiting) End() {
	close(w.stop)
	<-w.done
}

// Unfinished returns the error of a wait that ended without its result. It unwraps to err, which is usually a
// context's.
func (w *Waiting) Unfinished(err error) *Unfinished {
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
