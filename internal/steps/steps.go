// SPDX-License-Identifier: MPL-2.0

// Package steps carries out what stops machines: an update, or an action that takes one down. Its steps are values, and
// one runner carries them out. The runner takes turns and slots, limits the time, ends the slot, and restores the power of the
// machines after a failure.
package steps

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/rollout"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Step is one part of an operation.
type Step struct {
	Verb    string // completes "Cannot … virtual machine"
	Do      func(context.Context) error
	Skip    bool                // there is nothing to do
	Blame   tfkit.AttributePath // finds the attribute that a refusal is about; nil: as for the whole operation
	Untimed bool                // its time is not part of the timeout
}

// Run is one operation.
type Run struct {
	Data    *tfkit.ProviderData
	Timeout time.Duration
	// IDs are those of the machines that the operation takes its turn on.
	IDs []int64
	// Machines are those that it works on, and whose power is restored. The first step may add them.
	Machines []*machine.Machine
	// Suspect: a machine may be out of service before the operation has sent anything, although it is to be on.
	Suspect bool

	slot *rollout.Slot
}

// Failure is the step that has failed, and why.
type Failure struct {
	Step       Step // the zero value if a turn could not be taken
	Err        error
	Late       error        // not nil if the timeout has ended the step
	MayBeDown  bool         // a machine that is to be on may be out of service
	Unrestored []Unrestored // machines whose power could not be restored
}

// Unrestored is a machine whose power could not be restored after a failure.
type Unrestored struct {
	Machine *machine.Machine
	Err     error
}

// Do carries out the steps, and stops at the first that fails. It waits until no other operation of this process works on
// the machines; turns are always taken in the same order, so that no two operations wait for each other. After a failure that
// may leave a machine down, the rollout is over: another machine must not go down beside it.
func (r *Run) Do(ctx context.Context, all []Step) *Failure {
	for _, id := range slices.Sorted(slices.Values(r.IDs)) {
		end, err := r.Data.Turns.Take(ctx, Title(id))
		if err != nil {
			return &Failure{Err: err}
		}
		defer end()
	}
	failure := r.carryOut(ctx, all)
	if failure == nil {
		r.slot.End()
		return nil
	}
	at := slices.IndexFunc(r.Machines, (*machine.Machine).MayBeDown)
	if _, isNotReady := errors.AsType[*ready.Error](failure.Err); at < 0 && len(r.Machines) > 0 && (isNotReady || r.Suspect) {
		at = 0
	}
	failure.MayBeDown = at >= 0
	if failure.MayBeDown {
		r.Data.Rollout.Stop(r.Machines[at].Title(), failure.Err) // the slot stays taken
	} else {
		r.slot.End()
	}
	_ = r.Each(ctx, func(ctx context.Context, m *machine.Machine) error {
		if err := m.RestorePower(ctx); err != nil && !inventory.IsDeletedOrGone(err) {
			failure.Unrestored = append(failure.Unrestored, Unrestored{m, err})
		}
		return nil
	})
	return failure
}

// carryOut carries out the steps, within the timeout.
func (r *Run) carryOut(ctx context.Context, all []Step) *Failure {
	left := r.Timeout
	for _, s := range all {
		if s.Skip {
			continue
		}
		limited, cancel := ctx, context.CancelFunc(func() {})
		if !s.Untimed {
			limited, cancel = context.WithTimeout(ctx, left)
		}
		began := time.Now()
		err := s.Do(limited)
		late := limited.Err()
		cancel()
		if err != nil {
			return &Failure{Step: s, Err: err, Late: late}
		}
		if !s.Untimed {
			left -= time.Since(began)
		}
	}
	return nil
}

// Each calls do for each machine, until it fails. If there are several machines, the reports name them.
func (r *Run) Each(ctx context.Context, do func(context.Context, *machine.Machine) error) error {
	for _, m := range r.Machines {
		in := ctx
		if len(r.Machines) > 1 {
			in = progress.Naming(ctx, m.Title())
		}
		if err := do(in, m); err != nil {
			return err
		}
	}
	return nil
}

// TakeSlot waits until the machines may be down. It is a step of operations that take them down.
func (r *Run) TakeSlot(ctx context.Context) (err error) {
	var titles []string
	for _, m := range r.Machines {
		titles = append(titles, m.Title())
	}
	r.slot, err = r.Data.Rollout.Take(ctx, titles...)
	return err
}

// Title names a machine by its ID. Everything that works on a machine takes its turn under this title.
func Title(id int64) string { return "virtual machine " + cloudserver.IDText(id) }
