package fleet

import (
	"fmt"
	"strconv"
	"strings"
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

// Error says how long the wait was, why it ended, and what failed last.
func (e *WaitError) Error() string {
	text := fmt.Sprintf("virtual machine %d: gave up after %s: %v", e.Machine.ID, e.Waited.Round(time.Millisecond), e.Err)
	if e.LastErr != nil {
		text += fmt.Sprintf("; the last look at it failed: %v", e.LastErr)
	}
	return text
}

// Unwrap returns the context's error.
func (e *WaitError) Unwrap() error { return e.Err }

// UnsafeError is a machine that no path leads to with certainty: the write was
// not sent.
type UnsafeError struct {
	Machine Machine                     // and where it is now, as far as known
	Other   *cloudserver.VirtualMachine // that is in the way; nil: no path leads to the machine
}

// Error names the machine in the way, and what to do about it.
func (e *UnsafeError) Error() string {
	if e.Other == nil {
		return e.elsewhere()
	}
	deleted := ""
	if e.Other.Deleted {
		deleted = ", which is soft-deleted,"
	}
	return fmt.Sprintf("virtual machine %d has no unambiguous address in its group: the service accepts names and IDs alike, and the machine with the ID %d%s is named %q. "+
		"Rename or purge that machine, and run the same command again.", e.Machine.ID, e.Other.ID, deleted, e.Other.Name)
}

// elsewhere describes a machine that exists, but not where any path leads.
func (e *UnsafeError) elsewhere() string {
	var groups []string
	for _, ref := range e.Machine.paths() {
		groups = append(groups, strconv.Quote(ref.Group))
	}
	return fmt.Sprintf("no path leads to virtual machine %d: the service does not show it in group %s of account %q, but it exists. "+
		"Check that its group belongs to that account, and that no group has the ID of another one as its name.",
		e.Machine.ID, strings.Join(groups, " or "), e.Machine.Account)
}
