// Package ready waits until a machine serves: a TCP port accepts connections, a path answers over HTTP, or the SSH
// server has the expected host key. It asks again until then, or until the timeout.
//
//	ready.go    waits: one attempt after the other, and what the last one saw
//	tcp.go      a connection is accepted
//	http.go     a GET is answered with one of some statuses
//	ssh.go      a handshake shows a host key
//	address.go  where a service may send this program
//	bounds.go   how long an attempt may take, and how much it reads
//
// A machine is not trusted. Whatever it answers, an attempt ends in time and in bounded memory, sends no credentials
// and follows no redirect. The worst that a hostile machine can do is not to become ready
// (internal/cloudserver/THREATS.md).
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

// Probe is a way to find out whether a machine is ready.
type Probe interface {
	// String describes what is waited for, such as "a TCP connection to 192.0.2.10:22".
	String() string
	// Try makes one attempt. It returns nil if the machine is ready, otherwise an error that describes for people what
	// was seen, and the pause before the next attempt.
	Try(ctx context.Context) (pause time.Duration, err error)
}

// Error is returned when a machine did not become ready.
type Error struct {
	// NoAddress means that nothing was sent, because there is no address to send it to.
	NoAddress bool
	Err       error // a [*progress.Unfinished] after a wait
}

// Error returns the text of the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// often is the pause after an attempt that cost the machine little.
const often = time.Second

// Wait makes attempts until the machine is ready. It returns an [*Error] if the timeout passes or ctx ends first.
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
