// SPDX-License-Identifier: MPL-2.0

// Package ready waits until a machine serves: a TCP port accepts connections, or a path answers over HTTP. It asks again
// until then, or until the timeout. A machine is not trusted: an attempt ends in time, reads a bounded answer, sends no
// credentials and follows no redirect.
package ready

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
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
	// Try makes one attempt. It returns nil if the machine is ready, otherwise an error that describes what was seen.
	Try(ctx context.Context) error
}

// Error is returned when a machine did not become ready.
type Error struct {
	// NoAddress means that nothing was sent, because there is no address to send it to.
	NoAddress bool
	Err       error // a *progress.Unfinished after a wait
}

// Error returns the text of the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

const (
	pause   = time.Second      // between two attempts
	longest = 10 * time.Second // of one attempt: a firewall may drop packets silently
)

// Wait makes attempts until the machine is ready. It returns an *Error if the timeout passes or ctx ends first.
func Wait(ctx context.Context, probe Probe, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	waiting := progress.Begin(ctx, probe.String())
	defer waiting.End()
	for attempt := 1; ; attempt++ {
		err := try(ctx, probe)
		if err == nil {
			return nil
		}
		if attempt == 1 || !isOver(ctx) { // an attempt that was cut short saw nothing
			waiting.See(fmt.Sprintf("%s (attempt %d)", cloudserver.Shown(err.Error()), attempt))
		}
		if cloudserver.Pause(ctx, pause) != nil {
			return &Error{Err: waiting.Unfinished(ctx.Err())}
		}
	}
}

// isOver reports whether the time is over. A dialler notices that before its context does.
func isOver(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

func try(ctx context.Context, probe Probe) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return probe.Try(ctx)
}

// TCP makes a connection.
type TCP struct {
	Dial    Dial
	Address string // with the port
}

func (p TCP) String() string { return "a TCP connection to " + p.Address }

// Try connects and sends nothing.
func (p TCP) Try(ctx context.Context) error {
	connection, err := p.Dial(ctx, "tcp", p.Address)
	if err != nil {
		return cause(ctx, err)
	}
	_ = connection.Close() // it was accepted
	return nil
}

// cause returns how an attempt failed, without the address, which the caller has named.
func cause(ctx context.Context, err error) error {
	var timed net.Error
	switch failed, ok := errors.AsType[*net.OpError](err); {
	case errors.Is(ctx.Err(), context.Canceled):
		return errors.New("no answer yet")
	case ctx.Err() != nil, errors.As(err, &timed) && timed.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("no answer, the attempt timed out")
	case ok:
		if call, ok := errors.AsType[*os.SyscallError](failed.Err); ok {
			return call.Err
		}
		return failed.Err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it closed the connection")
	}
	return err
}

// CheckAddress returns an error if an address that the service reports for a machine leads to this computer, to its own
// network segment, or to no single machine. If the service itself runs on this computer, as the emulator does, every
// address is accepted.
func CheckAddress(text string, serviceIsHere bool) error {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return fmt.Errorf("the service reports an address of the machine that is not one: %q", cloudserver.Shown(text))
	}
	address = address.Unmap()
	isRemote := address.IsGlobalUnicast() // neither loopback, link-local, multicast nor unspecified
	if isRemote || serviceIsHere {
		return nil
	}
	return fmt.Errorf("the service reports %s as the address of the machine, which is not one of another computer, "+
		"and ready.host is not set: nothing was sent there", address)
}
