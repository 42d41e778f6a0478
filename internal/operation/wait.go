package operation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// progressEvery is how often people want to read that nothing has happened yet.
const progressEvery = 10 * time.Second

// Wait waits for a power state.
func (o *Machine) Wait(ctx context.Context, done func(*cloudserver.VirtualMachine) bool) error {
	began, last := time.Now(), time.Now()
	vm, err := o.data.Fleet.Wait(ctx, o.address, func(vm *cloudserver.VirtualMachine) bool {
		over := done(vm)
		if !over && time.Since(last) >= progressEvery {
			last = time.Now()
			o.Tell(fmt.Sprintf("still waiting after %s: %s", time.Since(began).Round(time.Second), LastSeen(vm, nil)))
		}
		return over
	})
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
}

// WaitDetail describes a wait that has ended without what was wanted.
func WaitDetail(wait *fleet.WaitError, wanted string) string {
	ended := "timed out"
	if errors.Is(wait, context.Canceled) {
		ended = "interrupted"
	}
	return fmt.Sprintf("Waited %s for %s: %s. Last seen: %s. To look at it: GET /virtual_machines/%d.",
		wait.Waited.Round(time.Second), wanted, ended, LastSeen(wait.Last, wait.LastErr), wait.Machine.ID)
}

// LastSeen describes what was last seen of a machine, and the error of the last
// look.
func LastSeen(vm *cloudserver.VirtualMachine, err error) string {
	var seen []string
	if vm != nil && vm.PowerOn != nil {
		seen = append(seen, fmt.Sprintf("power_on is %t", *vm.PowerOn))
	} else if vm != nil {
		seen = append(seen, "power_on was not reported")
	}
	if err != nil {
		seen = append(seen, err.Error())
	}
	if len(seen) == 0 {
		return "nothing yet"
	}
	return strings.Join(seen, "; then ")
}
