package ready

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	longest      = 10 * time.Second // of one attempt: a firewall may drop packets silently
	longestShown = 300              // characters of a machine's answer
)

// connect dials. The connection is closed when ctx ends, and at most most bytes are read from it.
func connect(ctx context.Context, dial Dial, address string, most int) (net.Conn, error) {
	connection, err := dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	b := &bounded{Conn: connection, left: most, most: most}
	b.stop = context.AfterFunc(ctx, func() { _ = connection.Close() }) // the error then is that of ctx
	return b, nil
}

// bounded is a connection from which a limited number of bytes is read.
type bounded struct {
	net.Conn
	left, most int
	stop       func() bool
}

// Read returns an error once the limit is reached.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, fmt.Errorf("it sent more than %d KiB", b.most>>10)
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// Close closes the connection.
func (b *bounded) Close() error {
	b.stop()
	return b.Conn.Close()
}

// seen describes how an attempt failed. It returns the cause alone, because the caller has named the address.
func seen(ctx context.Context, err error) error {
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

// shown returns the text of an error, which may quote a machine, made safe to show.
func shown(err error) string {
	text := []rune(cloudserver.Shown(err.Error()))
	if len(text) > longestShown {
		return string(text[:longestShown]) + "…"
	}
	return string(text)
}
