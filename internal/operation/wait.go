package operation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// What is waited for.
const (
	PoweredOn = "the machine to be on"
	ShutDown  = "the guest to shut down"
	installed = "the image to be installed"
)

// Wait waits until done reports true. What says what for.
func (o *Machine) Wait(ctx context.Context, what string, done func(*cloudserver.VirtualMachine) bool) error {
	vm, err := o.data.Fleet.Wait(ctx, o.address, what, done)
	if err != nil {
		return err
	}
	o.see(vm)
	return nil
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
