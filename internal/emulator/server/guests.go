// SPDX-License-Identifier: MPL-2.0

package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	// lookEvery is how often guests are brought up to date with what happens without a request to this process.
	lookEvery = 100 * time.Millisecond
	// patience is how long a guest waits for a client.
	patience = 10 * time.Second
)

// Guests are the guests of an emulator's machines: each machine that is on accepts TCP connections on its own loopback
// address, and answers over HTTP.
type Guests struct {
	emulator *emulator.Emulator
	stderr   io.Writer
	claim    net.Listener // on the first address of the range, so that no other emulator has guests on this port
	port     uint16
	stop     context.CancelFunc

	mu     sync.Mutex // guards all fields below
	open   map[netip.Addr]net.Listener
	closed bool
}

// ServeGuests serves guests on a port, or on any free one for 0, until ctx ends. It returns an error if this system
// does not have the addresses. Later failures are written to stderr.
func ServeGuests(ctx context.Context, e *emulator.Emulator, port uint16, stderr io.Writer) (*Guests, error) {
	first := netip.MustParsePrefix(emulator.GuestIPv4).Addr().Next()
	claim, err := listen(ctx, first, port)
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("guests need the addresses %s, and the loopback interface of this system has 127.0.0.1 "+
			"alone: add the addresses of the machines to it (on macOS for each one: sudo ifconfig lo0 alias 127.77.0.1), "+
			"or run the emulator on Linux or in a container", emulator.GuestIPv4)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %d of %s is in use: stop the other emulator, or choose another port", port, first)
	case err != nil:
		return nil, fmt.Errorf("guests cannot answer: %w", err)
	}
	address, err := netip.ParseAddrPort(claim.Addr().String())
	if err != nil {
		return nil, errors.Join(err, claim.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	g := &Guests{
		emulator: e, stderr: stderr, claim: claim, port: address.Port(), stop: stop, open: map[netip.Addr]net.Listener{},
	}
	g.update(ctx)
	go g.follow(ctx)
	return g, nil
}

// listen opens a port of an address.
func listen(ctx context.Context, at netip.Addr, port uint16) (net.Listener, error) {
	return (&net.ListenConfig{}).Listen(ctx, "tcp4", netip.AddrPortFrom(at, port).String())
}

// Port returns the port on which guests answer.
func (g *Guests) Port() uint16 { return g.port }

// Close stops all guests.
func (g *Guests) Close() error {
	g.stop()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	err := g.claim.Close()
	for _, listener := range g.open {
		err = errors.Join(err, listener.Close())
	}
	return err
}

// follow keeps the guests up to date until ctx ends, also with what other processes change.
func (g *Guests) follow(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = g.emulator.Alone(ctx, func() {}) // requests report that the file cannot be read
			g.update(ctx)
		}
	}
}

// update opens and closes listeners for exactly the guests that should answer.
func (g *Guests) update(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	answering := map[netip.Addr]bool{}
	for _, guest := range g.emulator.Guests() {
		if guest.Answers {
			answering[guest.Address] = true
		}
	}
	for at, listener := range g.open {
		if !answering[at] {
			_ = listener.Close() // connections to a guest do not last
			delete(g.open, at)
		}
	}
	for at := range answering {
		if g.open[at] != nil {
			continue
		}
		listener, err := listen(ctx, at, g.port)
		if err != nil {
			// A terminal that is gone must not stop the service.
			_, _ = fmt.Fprintf(g.stderr, "emulator: the guest at %s cannot answer: %v\n", at, err)
			continue
		}
		g.open[at] = listener
		go g.accept(listener, at)
	}
}

// accept answers connections until the listener is closed.
func (g *Guests) accept(listener net.Listener, at netip.Addr) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			if guest, ok := g.emulator.GuestAt(at); ok {
				AnswerGuest(connection, guest)
			}
			_ = connection.Close() // the client may be gone
		}()
	}
}

// AnswerGuest answers one HTTP request as a guest does: with its status, hostname and image.
func AnswerGuest(connection net.Conn, guest emulator.Guest) {
	if connection.SetDeadline(time.Now().Add(patience)) != nil {
		return
	}
	request, err := http.ReadRequest(bufio.NewReader(io.LimitReader(connection, 64<<10)))
	if err != nil {
		return // the client only wanted a connection
	}
	body := strings.TrimSpace(guest.Hostname+" "+guest.Image) + "\n"
	answer := http.Response{
		StatusCode: guest.HTTPStatus, ProtoMajor: 1, ProtoMinor: 1, Request: request, Close: true,
		Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}},
		Body:   io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
	_ = answer.Write(connection) // the client may be gone
}
