package operation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
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

const (
	dialTimeout = 10 * time.Second // of one attempt: a firewall may say nothing
	dialEvery   = time.Second
)

// NotReadyError says that no connection to a machine was accepted.
type NotReadyError struct {
	Address  string // empty where the machine has none
	Attempts int
	Waited   time.Duration
	Ended    error // what ended the wait: context.DeadlineExceeded or context.Canceled
	Last     error // what became of the last attempt
}

// Error says what was tried, how often, and what the last attempt answered.
func (e *NotReadyError) Error() string {
	if e.Address == "" {
		return "the service reports no address of the machine, and ready.host is not set"
	}
	ended := "timed out"
	if errors.Is(e.Ended, context.Canceled) {
		ended = "interrupted"
	}
	return fmt.Sprintf("waited %s for a TCP connection to %s: %s after %d attempts, the last answer: %s",
		e.Waited.Round(time.Second), e.Address, ended, e.Attempts, e.answer())
}

// Unwrap returns what became of the last attempt.
func (e *NotReadyError) Unwrap() error { return e.Last }

// answer returns the cause alone: what was dialled is said once.
func (e *NotReadyError) answer() string {
	var failed *net.OpError
	var timed net.Error
	switch {
	case e.Last == nil:
		return "none"
	case errors.As(e.Last, &timed) && timed.Timeout():
		return "none, the attempt timed out"
	case errors.As(e.Last, &failed):
		return failed.Err.Error()
	}
	return e.Last.Error()
}

// AwaitReady waits until a TCP connection to the address is accepted. It returns a
// [*NotReadyError] when the time is up, or ctx ends.
func AwaitReady(ctx context.Context, dial tfkit.Dial, address string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := time.Now()
	e := &NotReadyError{Address: address}
	for {
		err := dialOnce(ctx, dial, address)
		if err == nil {
			return nil
		}
		if e.Last == nil || ctx.Err() == nil { // an attempt that was cut short answered nothing
			e.Attempts++
			e.Last = err
		}
		if time.Since(began)+dialEvery >= timeout { // the last attempt
			<-ctx.Done()
		}
		if cloudserver.Pause(ctx, dialEvery) != nil {
			e.Waited, e.Ended = time.Since(began), ctx.Err()
			return e
		}
	}
}

func dialOnce(ctx context.Context, dial tfkit.Dial, address string) error {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	connection, err := dial(ctx, "tcp", address)
	if err != nil {
		return err
	}
	_ = connection.Close() // it was accepted
	return nil
}
