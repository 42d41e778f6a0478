package fleet

import (
	"fmt"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// WaitError is a wait whose context ended before the machine was as awaited. It
// unwraps to the context's error: a deadline, or a cancellation.
type WaitError struct {
	Machine Machine
	Last    *cloudserver.VirtualMachine // as last seen; nil: never
	LastErr error                       // of the last look, nil if it succeeded
	Waited  time.Duration
	Err     error // the context's
}

// Error says how long was waited, why no longer, and what went wrong last.
func (e *WaitError) Error() string {
	text := fmt.Sprintf("virtual machine %d: gave up after %s: %v", e.Machine.ID, e.Waited.Round(time.Millisecond), e.Err)
	if e.LastErr != nil {
		text += fmt.Sprintf("; the last look at it failed: %v", e.LastErr)
	}
	return text
}

// Unwrap is the context's error.
func (e *WaitError) Unwrap() error { return e.Err }
