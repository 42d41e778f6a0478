// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// NameTaken is the refusal of a creation because another machine or group has the name. No object was created.
type NameTaken struct {
	Kind                 string // "virtual machine" or "group"
	Account, Group, Name string // Group: of the machine; "" for a group
	ID                   int64  // of the object with the name; 0: unknown
	Deleted              bool   // the object is a soft-deleted machine
	Err                  error  // the refusal; nil: the name was seen to be taken before the request
}

// Error names the object that has the name.
func (e *NameTaken) Error() string {
	where := fmt.Sprintf("group %q of account %q", e.Group, e.Account)
	if e.Group == "" {
		where = fmt.Sprintf("account %q", e.Account)
	}
	who := "another " + e.Kind
	if e.ID != 0 {
		who = fmt.Sprintf("%s %d", e.Kind, e.ID)
	}
	if e.Deleted {
		who += ", which is soft-deleted"
	}
	text := fmt.Sprintf("the name %q is taken in %s by %s", e.Name, where, who)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the service's refusal.
func (e *NameTaken) Unwrap() error { return e.Err }

const (
	// takenFor is how long a request is tried again while another object has the name or the address: the same apply may
	// still be deleting it.
	takenFor = 30 * time.Second

	// longestTakenPause limits the pauses between the requests, so that the last one is not long before the end.
	longestTakenPause = 6 * time.Second
)

// RetryTaken calls attempt until its error is not one of a taken name or address (see [IsTaken]), for at most 30 seconds.
// A soft-deleted machine keeps its name, so an error that names one is returned at once.
//
// After such an error of a creation, the name is not known to be free: see [VirtualMachineCreate].
func RetryTaken(ctx context.Context, attempt func() error) error {
	began := time.Now()
	for number := 0; ; number++ {
		err := attempt()
		wait := min(backoff(number, -1), longestTakenPause)
		if !IsTaken(err) || isKept(err) || time.Since(began)+wait > takenFor || Pause(ctx, wait) != nil {
			return err
		}
	}
}

// isKept reports whether a soft-deleted machine has the name.
func isKept(err error) bool {
	taken, ok := errors.AsType[*NameTaken](err)
	return ok && taken.Deleted
}
