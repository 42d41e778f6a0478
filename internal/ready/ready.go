// Package ready finds out whether a machine serves: whether a TCP port of it accepts, a path of it answers over HTTP, or its
// SSH server has the key that it is to have. It is asked again until it does, or the time is up.
//
//	ready.go    waits: one attempt after the other, and what the last one saw
//	tcp.go      a connection is accepted
//	http.go     a GET is answered with one of some statuses
//	ssh.go      a handshake shows a host key
//	address.go  where a service may send this program
//	bounds.go   how long an attempt may take, and how much it reads
//
// A machine is not trusted. Whatever it answers, an attempt ends in time and in bounded memory, sends no credentials, follows
// nothing, and a hostile machine can do no more than not be ready (internal/cloudserver/THREATS.md).
package ready

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// Dial connects to an address, as [net.Dialer.DialContext] does.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Probe is a way to ask a machine.
type Probe interface {
	// String says what is waited for, such as "a TCP connection to 192.0.2.10:22".
	String() string
	// Try asks once. The error says what it saw, in words for people, and pause how long to wait before the next attempt.
	Try(ctx context.Context) (pause time.Duration, err error)
}

// Error says that a machine was not seen ready, and why.
type Error struct {
	// NoAddress: nothing was asked, because there is no address that may be asked.
	NoAddress bool
	Err       error // a [*progress.Unfinished] where it was waited
}

// Error returns the reason.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// often is the pause after an attempt that has cost the machine little.
const often = time.Second

// Wait asks until the machine is ready. It returns an [*Error] when the time is up, or ctx ends.
func Wait(ctx context.Context, probe Probe, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := time.Now()
	wait := progress.Begin(ctx, probe.String())
	defer wait.End()
	for attempt := 1; ; attempt++ {
		pause, err := try(ctx, probe)
		if err == nil {
			return nil
		}
		if attempt == 1 || ctx.Err() == nil { // an attempt that was cut short saw nothing
			wait.See(fmt.Sprintf("%s (attempt %d)", shown(err), attempt))
		}
		if time.Since(began)+pause >= timeout { // it was the last attempt
			<-ctx.Done()
		}
		if cloudserver.Pause(ctx, pause) != nil {
			return &Error{Err: wait.Unfinished(ctx.Err())}
		}
	}
}

func try(ctx context.Context, probe Probe) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return probe.Try(ctx)
}
