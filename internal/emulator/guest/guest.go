// Package guest lets the machines of an emulator answer: each one that is on accepts TCP connections on its own address of the
// loopback interface, so that a client can wait for a machine until it is ready.
package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Most is how many guests answer at the same time.
const Most = 500

// Host serves the guests of one emulator.
type Host struct {
	emulator *emulator.Emulator
	port     uint16
	stderr   io.Writer
	claim    net.Listener // of the first address in the range, so that no other emulator serves guests on this port

	mu     sync.Mutex // guards all below
	open   map[netip.AddrPort]net.Listener
	timer  *time.Timer
	full   bool
	closed bool
}

// Serve lets guests answer on a port, and returns an error if this system does not have the addresses. Port 0 is any free
// one. Failures later on are written to stderr.
func Serve(ctx context.Context, e *emulator.Emulator, port uint16, stderr io.Writer) (*Host, error) {
	first := netip.MustParsePrefix(emulator.GuestIPv4).Addr().Next()
	claim, err := listen(ctx, netip.AddrPortFrom(first, port))
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("guests need the addresses %s, and the loopback interface of this system has 127.0.0.1 alone: add the addresses of the "+
			"machines to it (on macOS for each one: sudo ifconfig lo0 alias 127.77.0.1), or run the emulator on Linux or in a container", emulator.GuestIPv4)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %d of %s is in use: stop the other emulator, or choose another port for guests", port, first)
	case err != nil:
		return nil, fmt.Errorf("guests cannot answer: %w", err)
	}
	address, err := netip.ParseAddrPort(claim.Addr().String())
	if err != nil {
		return nil, errors.Join(err, claim.Close())
	}
	h := &Host{emulator: e, port: address.Port(), stderr: stderr, claim: claim, open: map[netip.AddrPort]net.Listener{}}
	update := func() { h.update(ctx) }
	h.timer = time.AfterFunc(time.Hour, update)
	e.Watch(update)
	update()
	return h, nil
}

// Port returns the port on which guests answer.
func (h *Host) Port() uint16 { return h.port }

// Close ends all guests.
func (h *Host) Close() error {
	h.emulator.Watch(nil)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.timer.Stop()
	err := h.claim.Close()
	for _, listener := range h.open {
		err = errors.Join(err, listener.Close())
	}
	return err
}

// update opens and closes listeners, so that exactly the guests answer that should.
func (h *Host) update(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	guests, next, ok := h.emulator.Guests()
	wanted := map[netip.AddrPort]string{}
	full := false
	for _, guest := range guests {
		full = full || guest.Answers && len(wanted) == Most
		if guest.Answers && len(wanted) < Most {
			wanted[netip.AddrPortFrom(guest.Address, h.port)] = guest.Hostname
		}
	}
	if full && !h.full {
		h.complain("%d guests answer, which is the most: those of further machines do not", Most)
	}
	h.full = full
	for at, listener := range h.open {
		if _, stays := wanted[at]; !stays {
			_ = listener.Close() // nobody is connected for long
			delete(h.open, at)
		}
	}
	for at, hostname := range wanted {
		if h.open[at] == nil {
			h.start(ctx, at, hostname)
		}
	}
	if ok {
		h.timer.Reset(max(next, 0) + time.Millisecond)
	}
}

// start lets one guest answer. The caller holds the lock.
func (h *Host) start(ctx context.Context, at netip.AddrPort, hostname string) {
	listener, err := listen(ctx, at)
	if err != nil {
		h.complain("the guest of %s cannot answer: %v", hostname, err)
		return
	}
	h.open[at] = listener
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			// A few bytes fit into any buffer, so this does not wait for the client. It may be gone.
			_, _ = io.WriteString(connection, hostname+"\r\n")
			_ = connection.Close()
		}
	}()
}

// listen opens a port of an address.
func listen(ctx context.Context, at netip.AddrPort) (net.Listener, error) {
	return (&net.ListenConfig{}).Listen(ctx, "tcp4", net.JoinHostPort(at.Addr().String(), strconv.Itoa(int(at.Port()))))
}

// complain writes a line to stderr.
func (h *Host) complain(format string, arguments ...any) {
	// A terminal that is gone must not stop the service.
	_, _ = fmt.Fprintf(h.stderr, "emulator: "+format+"\n", arguments...)
}
