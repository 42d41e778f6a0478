// Package guest serves the guests of an emulator's machines: each machine that is on accepts TCP connections on its own
// loopback address, and answers over HTTP and SSH, so that a client can wait until a machine is ready.
//
//	guest.go     the host: listeners open and close with the power of the machines
//	protocol.go  what a guest answers
//	key.go       its SSH host key
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

// Most is the maximum number of guests that answer at the same time.
const Most = 500

// Host serves the guests of one emulator.
type Host struct {
	emulator *emulator.Emulator
	ports    Ports
	stderr   io.Writer
	claims   []net.Listener // on the first address of the range, so that no other emulator serves guests on these ports

	mu     sync.Mutex // guards all fields below
	open   map[netip.AddrPort]net.Listener
	timer  *time.Timer
	full   bool
	closed bool
}

// Ports are the ports on which guests answer, by protocol.
type Ports map[Protocol]uint16

// Serve serves guests on the given ports, where port 0 is any free port. It returns an error if this system does not
// have the addresses. Later failures are written to stderr.
func Serve(ctx context.Context, e *emulator.Emulator, ports Ports, stderr io.Writer) (*Host, error) {
	h := &Host{emulator: e, ports: Ports{}, stderr: stderr, open: map[netip.AddrPort]net.Listener{}}
	for protocol, port := range ports {
		listener, err := claim(ctx, port)
		if err != nil {
			return nil, errors.Join(err, h.release())
		}
		h.claims = append(h.claims, listener)
		address, err := netip.ParseAddrPort(listener.Addr().String())
		if err != nil {
			return nil, errors.Join(err, h.release())
		}
		h.ports[protocol] = address.Port()
	}
	update := func() { h.update(ctx) }
	h.timer = time.AfterFunc(time.Hour, update)
	e.Watch(update)
	update()
	return h, nil
}

// claim listens on a port of an address that no machine gets.
func claim(ctx context.Context, port uint16) (net.Listener, error) {
	first := netip.MustParsePrefix(emulator.GuestIPv4).Addr().Next()
	listener, err := listen(ctx, netip.AddrPortFrom(first, port))
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("guests need the addresses %s, and the loopback interface of this system has 127.0.0.1 alone: add the addresses of the "+
			"machines to it (on macOS for each one: sudo ifconfig lo0 alias 127.77.0.1), or run the emulator on Linux or in a container", emulator.GuestIPv4)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %d of %s is in use: stop the other emulator, or choose another port for guests", port, first)
	case err != nil:
		return nil, fmt.Errorf("guests cannot answer: %w", err)
	}
	return listener, nil
}

// Port returns the port on which guests answer in a protocol, or 0 if they do not.
func (h *Host) Port(protocol Protocol) uint16 { return h.ports[protocol] }

// release frees the ports.
func (h *Host) release() error {
	var failed error
	for _, listener := range h.claims {
		failed = errors.Join(failed, listener.Close())
	}
	return failed
}

// Close stops all guests.
func (h *Host) Close() error {
	h.emulator.Watch(nil)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.timer.Stop()
	err := h.release()
	for _, listener := range h.open {
		err = errors.Join(err, listener.Close())
	}
	return err
}

// update opens and closes listeners for exactly the guests that should answer.
func (h *Host) update(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	guests, next, ok := h.emulator.Guests()
	wanted, answering := map[netip.AddrPort]service{}, 0
	for _, guest := range guests {
		if !guest.Answers {
			continue
		}
		if answering++; answering > Most {
			break
		}
		for protocol, port := range h.ports {
			wanted[netip.AddrPortFrom(guest.Address, port)] = service{guest.Hostname, protocol}
		}
	}
	full := answering > Most
	if full && !h.full {
		h.complain("%d guests answer, which is the most: those of further machines do not", Most)
	}
	h.full = full
	for at, listener := range h.open {
		if _, stays := wanted[at]; !stays {
			_ = listener.Close() // connections to a guest do not last
			delete(h.open, at)
		}
	}
	for at, service := range wanted {
		if h.open[at] == nil {
			h.start(ctx, at, service)
		}
	}
	if ok {
		h.timer.Reset(max(next, 0) + time.Millisecond)
	}
}

// service is what one guest serves on one port.
type service struct {
	hostname string
	protocol Protocol
}

// start starts one guest's service. The caller holds the lock.
func (h *Host) start(ctx context.Context, at netip.AddrPort, s service) {
	listener, err := listen(ctx, at)
	if err != nil {
		h.complain("the guest of %s cannot answer: %v", s.hostname, err)
		return
	}
	h.open[at] = listener
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go h.answer(connection, at.Addr(), s.protocol)
		}
	}()
}

// answer answers as the guest at an address does at that moment.
func (h *Host) answer(connection net.Conn, at netip.Addr, protocol Protocol) {
	if guest, ok := h.emulator.GuestAt(at); ok {
		Answer(connection, guest, protocol)
	}
	_ = connection.Close() // the client may be gone
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
