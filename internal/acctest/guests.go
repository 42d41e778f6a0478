package acctest

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"testing"

	"google.golang.org/grpc/test/bufconn"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/server"
)

// ServeGuests lets machines that are on answer over TCP and HTTP until the test ends, and returns the port. Their
// emulator was started with the option Guests, so that new machines have addresses of the loopback interface. Where
// there are no sockets, as in a synctest bubble, use DialGuest.
func (e *Emulator) ServeGuests(t testing.TB) (port uint16) {
	t.Helper()
	guests, err := server.ServeGuests(context.Background(), e.Emulator, 0, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := guests.Close(); err != nil {
			t.Error(err)
		}
	})
	return guests.Port()
}

// DialGuest connects to the guest at an address in memory, without sockets, so that it works with testing/synctest.
// Every port answers. Where no guest answers, the connection is refused.
func (e *Emulator) DialGuest(ctx context.Context, network, address string) (net.Conn, error) {
	failed := &net.OpError{Op: "dial", Net: network}
	if failed.Err = ctx.Err(); failed.Err != nil {
		return nil, failed
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		failed.Err = err
		return nil, failed
	}
	answers, ok := e.GuestAt(at.Addr())
	if !ok {
		failed.Err = syscall.ECONNREFUSED
		return nil, failed
	}
	listener := bufconn.Listen(16 << 10)
	go func() {
		accepted, err := listener.Accept()
		if err != nil {
			return
		}
		server.AnswerGuest(accepted, answers)
		_ = accepted.Close() // the client may be gone
	}()
	return listener.DialContext(ctx)
}

// dials connects a provider to guests.
type dials struct {
	to    func(ctx context.Context, network, address string) (net.Conn, error)
	watch func(address string) // nil: nobody watches
}

func (d *dials) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if d.watch != nil {
		d.watch(address)
	}
	return d.to(ctx, network, address)
}

// WatchDials reports each address that the provider connects to, except for the service's. It is called before the
// provider connects to any.
func (d *Driver) WatchDials(tell func(address string)) { d.dials.watch = tell }
