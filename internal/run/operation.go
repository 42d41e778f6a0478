// Package run holds what the operations of one run of Terraform know of each other: names
// that one of them frees and another takes, slots among the machines that may be down, who
// reads and imports which object, and turns on one object. It ends with the provider's
// process.
//
//	operation.go    which operations work, and waiting for a name
//	rollout.go      slots among the machines that may be down
//	turns.go        operations on one object, one after the other
//	notes.go        what plans and reads of one run note for each other
//	managed.go      which objects the resources of a run have
//	names.go        which names the plans of a run give, take and free
//	memory.go       what the process remembers of objects that other resources manage
//	object.go       the objects, by kind and ID
package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

const (
	askEvery  = time.Second     // a name that is taken is asked for again
	quietTime = 5 * time.Second // without news, nobody will free a name
)

// Operations knows the operations of this process: the creations, updates and
// deletions that Terraform has begun. One of them may free the name that another waits
// for: as long as one works, or Terraform may begin the next, it is worth waiting. The zero value is ready for use.
type Operations struct {
	mu      sync.Mutex
	working int          // operations that wait neither for a name nor for a slot
	waiting []*Operation // for a name, the one that has waited longest first
	refused int          // waits for a name that there ever were
	news    time.Time    // the last time that one began, ended or freed a name
}

// Operation is one of them, from Begin to End.
type Operation struct{ all *Operations }

// Begin notes an operation that works. An operation that waits for another one on
// the same machine begins after that.
func (r *Operations) Begin() *Operation {
	r.add(1, time.Now())
	return &Operation{all: r}
}

// End notes that the operation has ended.
func (o *Operation) End() { o.all.add(-1, time.Now()) }

// FreedName notes that a name has become free before the end of the operation.
func (o *Operation) FreedName() { o.all.add(0, time.Now()) }

// Wait calls wait, during which the operation does not work.
func (o *Operation) Wait(wait func() error) error {
	o.all.add(-1, time.Time{})
	defer o.all.add(1, time.Time{})
	return wait()
}

// add notes how many more operations work, and the time of the news if it is some.
func (r *Operations) add(working int, news time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working += working
	if !news.IsZero() {
		r.news = news
	}
}

// AwaitName asks once a second for a name that was refused as taken, while an
// operation of this process works, and until five seconds after the last news.
// Then the operation that has waited longest gives up, one at a time, so that
// Terraform can begin the next. It returns the last answer; a refusal in the error of
// the wait.
func (o *Operation) AwaitName(ctx context.Context, name string, refusal error, taken func(error) bool, ask func() error) error {
	o.all.queue(o)
	return o.Wait(func() error {
		defer o.all.leave(o)
		wait := progress.Begin(ctx, fmt.Sprintf("the name %q to become free", name))
		defer wait.End()
		for {
			wait.See(refusal.Error())
			if cloudserver.Pause(ctx, askEvery) != nil {
				return unfinished(wait, ctx.Err(), refusal)
			}
			if refusal = ask(); !taken(refusal) {
				return refusal
			}
			if o.all.givesUp(o) {
				wait.See(refusal.Error())
				return unfinished(wait, nil, refusal)
			}
		}
	})
}

// unfinished returns the error of a wait that ends with a refusal, and why.
func unfinished(wait *progress.Wait, why, refusal error) error {
	u := wait.Unfinished(why)
	u.Err = refusal
	return u
}

// Idle reports whether no operation of this process works, or waits for a name, and
// five seconds have brought no news: no operation of this run will free a name.
func (r *Operations) Idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting) == 0 && r.isQuiet()
}

// isQuiet reports whether nothing works, and nothing has for five seconds. The
// caller holds the lock.
func (r *Operations) isQuiet() bool { return r.working == 0 && time.Since(r.news) >= quietTime }

// OthersWereRefused reports whether another operation of this process was refused
// a name, as this one was: it may need the one that this operation gives up.
func (o *Operation) OthersWereRefused() bool {
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	return o.all.refused > 1
}

func (r *Operations) queue(o *Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, o)
	r.refused++
}

func (r *Operations) leave(o *Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = slices.DeleteFunc(r.waiting, func(w *Operation) bool { return w == o })
}

// givesUp reports whether it is the operation's turn to give up. The news are that
// it does, so that the next one waits for what comes of it.
func (r *Operations) givesUp(o *Operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[0] != o || !r.isQuiet() {
		return false
	}
	r.news = time.Now()
	return true
}
