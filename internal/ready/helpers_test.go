// SPDX-License-Identifier: MPL-2.0

package ready_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"google.golang.org/grpc/test/bufconn"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// address is the address of the test's machine.
const address = "192.0.2.10:8080"

// machine answers connections in memory, and counts them.
type machine struct {
	serve       func(net.Conn)
	off         atomic.Bool // connections are refused
	connections atomic.Int64
	sent        atomic.Int64 // bytes written by the machine
}

// dial connects to the machine.
func (m *machine) dial(ctx context.Context, network, to string) (net.Conn, error) {
	if to != address || m.off.Load() {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	listener := bufconn.Listen(4 << 10)
	go func() { // the bubble waits for its end
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		m.connections.Add(1)
		m.serve(counted{connection, &m.sent})
		_ = connection.Close()
	}()
	return listener.DialContext(ctx)
}

// counted counts the bytes that are written.
type counted struct {
	net.Conn
	sent *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

// inBubble runs a subtest in simulated time, with a machine that answers by serve.
func inBubble(t *testing.T, name string, serve func(net.Conn), test func(t *testing.T, m *machine)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			test(t, &machine{serve: serve})
		})
	})
}

// try makes one attempt, which must end in time, and returns what it saw, or "" if the machine is ready.
func try(t *testing.T, probe ready.Probe) string {
	t.Helper()
	began := time.Now()
	err := ready.Wait(t.Context(), probe, 11*time.Second)
	if took := time.Since(began); took > 11*time.Second {
		t.Errorf("it took %s", took)
	}
	if err == nil {
		return ""
	}
	text := err.Error()
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len(text) > 1000 {
		t.Errorf("not for people: %q", text)
	}
	_, seen, _ := strings.Cut(text, "; last seen: ")
	return seen
}

// answers reads a request and writes the same answer to any.
func answers(answer string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4<<10))
		_, _ = io.WriteString(c, answer)
	}
}

// dialInstead connects to the machine, whatever the address.
func dialInstead(m *machine) ready.Dial {
	return func(ctx context.Context, network, _ string) (net.Conn, error) { return m.dial(ctx, network, address) }
}
