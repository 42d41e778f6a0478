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

// DialGuests lets the configured provider connect to the guests of the emulator, in memory.
func (d *Driver) DialGuests(e *Emulator) { d.own.Data().Dial = e.DialGuest }

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

// WatchDials reports each address that the configured provider connects to, except for the service's.
func (d *Driver) WatchDials(tell func(address string)) {
	dial := d.own.Data().Dial
	d.own.Data().Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		tell(address)
		return dial(ctx, network, address)
	}
}
