package run

import (
	"sync"
	"time"
)

// settling is how long plans may take from their validation to their beginning.
const settling = 250 * time.Millisecond

// Walks finds out whether a configured provider serves more than one walk of Terraform.
// The provider that the file of a test configures does, since Terraform 1.12: it validates,
// plans and applies each run, and is never configured again. Every other one serves one
// walk: it plans, or it applies.
//
// Terraform validates a resource right before it plans it. So in one walk what was
// validated is soon planned, and nothing is left over; what a walk of its own has validated
// is left over for good. The zero value is ready for use.
type Walks struct {
	mu        sync.Mutex
	validated int
	planned   int
	several   bool
	settled   chan struct{} // is closed when nothing is left over; nil: nobody waits
}

// Validated notes that a resource was validated, without an error.
func (w *Walks) Validated() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.validated++
}

// Planned notes that a resource is being planned. Plans of what was not validated for them
// do not count: of a destroy, and the second one of a replacement.
func (w *Walks) Planned() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.planned++; w.planned >= w.validated && w.settled != nil {
		close(w.settled)
		w.settled = nil
	}
}

// Several reports whether the provider serves several walks. It waits for plans that are
// about to begin.
func (w *Walks) Several() bool {
	w.mu.Lock()
	if w.several || w.planned >= w.validated {
		defer w.mu.Unlock()
		return w.several
	}
	if w.settled == nil {
		w.settled = make(chan struct{})
	}
	settled := w.settled
	w.mu.Unlock()
	timer := time.NewTimer(settling)
	defer timer.Stop()
	select {
	case <-settled:
		return false
	case <-timer.C:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.several = true
	return true
}
