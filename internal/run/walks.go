package run

import (
	"sync"
	"time"
)

// planDelay is the longest time expected between the validation of a resource and its plan.
const planDelay = 250 * time.Millisecond

// Walks finds out whether a configured provider serves more than one walk of Terraform, that is, one validation, plan
// or apply of a whole configuration. Since Terraform 1.12 the provider that a test file configures does: it validates,
// plans and applies each run, and is not configured again. Any other provider serves one walk: a plan, or an apply.
//
// Terraform validates a resource right before it plans it. So within one walk, everything that was validated is soon
// planned. What a separate walk has validated is never planned in that walk. The zero value is ready for use.
type Walks struct {
	mu        sync.Mutex
	validated int
	planned   int
	several   bool
	caughtUp  chan struct{} // closed once every validated resource is planned; nil while nobody waits for that
}

// Validated notes that a resource was validated without an error.
func (w *Walks) Validated() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.validated++
}

// Planned notes that a resource is being planned. The plan of a destroy, and the second plan of a replacement, must not
// be noted, because no validation precedes them.
func (w *Walks) Planned() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.planned++; w.planned >= w.validated && w.caughtUp != nil {
		close(w.caughtUp)
		w.caughtUp = nil
	}
}

// Several reports whether the provider serves several walks. It waits a moment for plans that are about to begin.
func (w *Walks) Several() bool {
	w.mu.Lock()
	if w.several || w.planned >= w.validated {
		defer w.mu.Unlock()
		return w.several
	}
	if w.caughtUp == nil {
		w.caughtUp = make(chan struct{})
	}
	caughtUp := w.caughtUp
	w.mu.Unlock()
	timer := time.NewTimer(planDelay)
	defer timer.Stop()
	select {
	case <-caughtUp:
		return false
	case <-timer.C:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.several = true
	return true
}
