// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"errors"
	"sync"
)

// Failures remembers the last failure of the attempts that are made with its context, for a caller that gives up before
// the call ends. The zero value is ready for use.
type Failures struct {
	mu   sync.Mutex
	last error
}

type failuresKey struct{}

// WithFailures returns a context whose failed attempts are remembered.
func WithFailures(ctx context.Context, f *Failures) context.Context {
	return context.WithValue(ctx, failuresKey{}, f)
}

// noteFailure remembers the failure of an attempt.
func noteFailure(ctx context.Context, failure error) {
	if f, ok := ctx.Value(failuresKey{}).(*Failures); ok {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.last = failure
	}
}

// Interrupted returns the error of a caller that gives up with this error of its context.
func (f *Failures) Interrupted(ended error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil {
		return ended
	}
	return &interruptedError{ended, f.last}
}

// interruptedError is a call that was given up while it was repeated.
type interruptedError struct{ ended, last error }

// Error describes the end, and the last failure.
func (e *interruptedError) Error() string {
	how := "timed out"
	if errors.Is(e.ended, context.Canceled) {
		how = "interrupted"
	}
	return how + "; the last attempt: " + e.last.Error()
}

// Unwrap returns both.
func (e *interruptedError) Unwrap() []error { return []error{e.ended, e.last} }
