// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/grpc/test/bufconn"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/server"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// Emulator is an emulator in this process, reachable at URL.
type Emulator struct {
	*emulator.Emulator
	URL    string
	OnDial func(address string) // is called when a provider connects to a guest; nil: nobody watches
}

// StartEmulator serves an emulator on a loopback address until the test ends.
func StartEmulator(t testing.TB, options emulator.Options) *Emulator {
	t.Helper()
	e := emulator.New(options)
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &Emulator{Emulator: e, URL: server.URL}
}

// Drive returns a driver of the provider against an emulator in memory. It uses no socket, so it works with
// testing/synctest, where waits cost nothing. The settings replace those of ProviderConfig; nil removes one.
func Drive(t testing.TB, options emulator.Options, settings map[string]any) (*Driver, *Emulator) {
	t.Helper()
	e := &Emulator{Emulator: emulator.New(options), URL: "http://127.0.0.1"} // never dialled
	return e.NewDriver(t, settings), e
}

// NewDriver returns another provider process against the same emulator and its guests, in memory.
func (e *Emulator) NewDriver(t testing.TB, settings map[string]any) *Driver {
	t.Helper()
	return e.NewProcess(t, e.Transport(), settings)
}

// NewProcess is NewDriver with another transport to the service.
func (e *Emulator) NewProcess(t testing.TB, service http.RoundTripper, settings map[string]any) *Driver {
	t.Helper()
	server := NewServer(t, provider.New("test", provider.WithTransport(service), provider.WithDial(e.DialGuest))())
	return NewDriver(t, server, e.ProviderConfig(settings))
}

// ProviderConfig returns the provider block for a Driver: the emulator's address, its API key and account, and the
// settings that replace them.
func (e *Emulator) ProviderConfig(settings map[string]any) map[string]any {
	config := map[string]any{"endpoint": e.URL, "token": emulator.DemoAPIKey, "account": emulator.DemoAccount}
	maps.Copy(config, settings)
	return config
}

// ProviderBlock returns the same in HCL, with further lines.
func (e *Emulator) ProviderBlock(extra ...string) string {
	return fmt.Sprintf("provider \"cloudserver\" {\n  endpoint = %q\n  token    = %q\n  account  = %q\n%s\n}\n",
		e.URL, emulator.DemoAPIKey, emulator.DemoAccount, strings.Join(extra, "\n"))
}

// AllCalls returns the requests since the journal was last reset, such as "GET /definitions", with their queries.
func (e *Emulator) AllCalls() []string {
	var calls []string
	for _, request := range e.Journal() {
		call := request.Method + " " + request.Path
		if request.Query != "" {
			call += "?" + request.Query
		}
		calls = append(calls, call)
	}
	return calls
}

// Calls returns those of AllCalls that may have changed something: all but GET.
func (e *Emulator) Calls() []string {
	return slices.DeleteFunc(e.AllCalls(), func(call string) bool { return strings.HasPrefix(call, "GET ") })
}

// ExpectCalls fails the test unless Calls are exactly the wanted ones, in order.
func ExpectCalls(t testing.TB, e *Emulator, want ...string) {
	t.Helper()
	if got := e.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls that change something:\ngot\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// ServeGuests lets machines that are on answer over TCP and HTTP until the test ends, and returns the port. Their
// emulator was started with the option Guests, so that new machines have addresses of the loopback interface.
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

// DialGuest connects to the guest at an address in memory. Every port answers. Where no guest answers, the connection
// is refused.
func (e *Emulator) DialGuest(ctx context.Context, network, address string) (net.Conn, error) {
	if e.OnDial != nil {
		e.OnDial(address)
	}
	if ctx.Err() != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	answers, ok := e.GuestAt(at.Addr())
	if !ok {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
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
