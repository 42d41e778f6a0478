package vm

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
)

// takePlace waits until the machine may go down. An update that takes nothing down
// never waits, unless its machine is not ready.
func (u *update) takePlace(ctx context.Context) error {
	if !u.change.restarts() && !u.change.owesReady {
		return nil
	}
	return u.running.Wait(func() (err error) {
		u.place, err = u.resource.data.Rollout.Take(ctx, u.state.title(), func(text string) { tflog.Info(ctx, u.state.title()+": "+text) })
		if err != nil {
			return &noPlace{err}
		}
		return nil
	})
}

// endPlace gives the place back, but not that of a machine which may be down.
func (u *update) endPlace(err error) {
	if _, down := errors.AsType[*operation.NotReadyError](err); !down && !u.machine.Touched {
		err = nil
	}
	u.place.End(err)
}

// noPlace is an update that did not get a place.
type noPlace struct{ err error }

// Error returns the reason.
func (e *noPlace) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *noPlace) Unwrap() error { return e.err }

// report explains that nothing was done, and how to go on.
func (e *noPlace) report(m *model, diags *diag.Diagnostics) {
	advice := "Run apply again."
	if over, ok := errors.AsType[*fleet.RolloutError](e.err); ok {
		advice = fmt.Sprintf("The rollout ends with its first failure, so that max_unavailable is kept. Look at %s, and run apply again to go on with the others.", over.Machine)
	}
	diags.AddError("Cannot update "+m.title(), fmt.Sprintf("It waited for its turn: %s.\n\nNothing was changed here. %s", e.err, advice))
}
