package acctest

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"testing"

	"google.golang.org/grpc/test/bufconn"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// ServeGuests lets machines that are on answer in a protocol, until the test ends, and returns the port. Their emulator
// was started with the option Guests, so that new machines have addresses of the loopback interface. Where there are no
// sockets, as in a synctest bubble, use DialGuest.
func (e *Emulator) ServeGuests(t testing.TB, protocol guest.Protocol) (port uint16) {
	t.Helper()
	host, err := guest.Serve(context.Background(), e.Emulator, guest.Ports{protocol: 0}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return host.Port(protocol)
}

// protocols are what guests speak in memory; on other ports they greet.
var protocols = map[uint16]guest.Protocol{22: guest.SSH, 80: guest.HTTP, 8080: guest.HTTP}

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
		server, err := listener.Accept()
		if err != nil {
			return
		}
		guest.Answer(server, answers, protocols[at.Port()])
		_ = server.Close() // the client may be gone
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
