// Package run holds what the operations of one run of Terraform have to know about each other: names that one operation
// frees and another takes, slots for machines that may be down at the same time, which resource reads or imports which
// object, and turns of operations on the same object. It lasts as long as the provider's process.
//
//	operation.go    which operations work, and waiting for a name
//	rollout.go      slots among the machines that may be down
//	turns.go        operations on one object, one after the other
//	notes.go        what plans and reads of one run note for each other
//	holders.go      which objects the resources of a run have, keep and destroy
//	claims.go       which names the plans of a run give, take and free
//	memory.go       what states and plans say of each object
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
	askEvery  = time.Second     // how often to try a taken name again
	quietTime = 5 * time.Second // without news for this long, no operation will free a name
)

// Operations tracks the creations, updates and deletions that Terraform has begun in this process. One operation may
// free the name that another waits for, so waiting makes sense as long as an operation works, or Terraform may begin
// the next. The zero value is ready for use.
type Operations struct {
	mu      sync.Mutex
	working int          // operations that wait neither for a name nor for a slot
	waiting []*Operation // for a name, longest wait first
	refused int          // number of operations that have ever waited for a name
	news    time.Time    // when an operation last began, ended or freed a name
	freeing map[Object]int
}

// Operation is one operation, from Begin to End.
type Operation struct {
	all   *Operations
	frees []Object
}

// Begin notes that an operation works. An operation that has to wait for another one on the same machine calls Begin
// after that wait.
func (r *Operations) Begin() *Operation {
	r.add(1, time.Now())
	return &Operation{all: r}
}

// End notes that the operation has ended.
func (o *Operation) End() {
	o.all.add(-1, time.Now())
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	for _, object := range o.frees {
		if o.all.freeing[object]--; o.all.freeing[object] == 0 {
			delete(o.all.freeing, object)
		}
	}
}

// Frees notes that the operation destroys, renames or moves an object, so that its name or address becomes free.
func (o *Operation) Frees(objects ...Object) {
	o.all.mu.Lock()
	defer o.all.mu.Unlock()
	if o.all.freeing == nil {
		o.all.freeing = map[Object]int{}
	}
	for _, object := range objects {
		o.frees = append(o.frees, object)
		o.all.freeing[object]++
	}
}

// IsFreeing reports whether an operation of this process destroys, renames or moves an object.
func (r *Operations) IsFreeing(object Object) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.freeing[object] > 0
}

// FreedName notes that the operation has freed a name before its end.
func (o *Operation) FreedName() { o.all.add(0, time.Now()) }

// Wait calls wait, and does not count the operation as working meanwhile.
func (o *Operation) Wait(wait func() error) error {
	o.all.add(-1, time.Time{})
	defer o.all.add(1, time.Time{})
	return wait()
}

// add changes the number of working operations, and notes the time of the news unless it is zero.
func (r *Operations) add(working int, news time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working += working
	if !news.IsZero() {
		r.news = news
	}
}

// AwaitName retries a name that was refused as taken, once a second, for at least five seconds: one answer is no proof.
// It does so while any operation of this process works, and for five seconds after the last news. Then the operation
// that has waited longest gives up, one at a time, so that Terraform can begin the next. It returns the result of the
// last attempt; if that is a refusal, in the error of the wait.
func (o *Operation) AwaitName(
	ctx context.Context, name string, refusal error, taken func(error) bool, ask func() error,
) error {
	return o.Await(ctx, fmt.Sprintf("the name %q to become free", name), refusal, taken, ask)
}

// Await is [Operation.AwaitName] for something else that another operation may do. what describes what is waited for.
func (o *Operation) Await(
	ctx context.Context, what string, refusal error, taken func(error) bool, ask func() error,
) error {
	o.all.queue(o)
	began := time.Now()
	return o.Wait(func() error {
		defer o.all.leave(o)
		wait := progress.Begin(ctx, what)
		defer wait.End()
		for {
			wait.See(refusal.Error())
			if cloudserver.Pause(ctx, askEvery) != nil {
				return unfinished(wait, ctx.Err(), refusal)
			}
			if refusal = ask(); !taken(refusal) {
				return refusal
			}
			if time.Since(began) >= quietTime && o.all.givesUp(o) {
				wait.See(refusal.Error())
				return unfinished(wait, nil, refusal)
			}
		}
	})
}

// unfinished returns the error of a wait that ends with a refusal. why is the reason for the end.
func unfinished(wait *progress.Wait, why, refusal error) error {
	u := wait.Unfinished(why)
	u.Err = refusal
	return u
}

// Idle reports whether no operation of this run will free a name: none works or waits for a name, and there has been no
// news for five seconds.
func (r *Operations) Idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting) == 0 && r.isQuiet()
}

// isQuiet reports whether no operation works, and there has been no news for five seconds. The caller holds the lock.
func (r *Operations) isQuiet() bool { return r.working == 0 && time.Since(r.news) >= quietTime }

// OthersWereRefused reports whether another operation of this process was refused a name as well. It may need the name
// that this one gives up.
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

// givesUp reports whether it is the operation's turn to give up. That counts as news, so that the next one waits for
// the consequences.
func (r *Operations) givesUp(o *Operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[0] != o || !r.isQuiet() {
		return false
	}
	r.news = time.Now()
	return true
}
