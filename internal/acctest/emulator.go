package acctest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// Emulator is an emulator in this process, reachable at URL.
type Emulator struct {
	*emulator.Emulator
	URL string
}

// StartEmulator serves an emulator on a loopback address until the test ends.
func StartEmulator(t testing.TB, options emulator.Options) *Emulator {
	t.Helper()
	e := NewEmulator(t, options)
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &Emulator{Emulator: e, URL: server.URL}
}

// Drive returns a driver of the provider against an emulator in memory. It uses no socket, so it runs in a synctest
// bubble, where waits cost nothing. The settings replace those of ProviderConfig; null removes one.
func Drive(t testing.TB, options emulator.Options, settings map[string]any) (*Driver, *Emulator) {
	t.Helper()
	e := &Emulator{Emulator: NewEmulator(t, options), URL: "http://127.0.0.1"} // never dialled
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
	dials := &dials{to: e.DialGuest}
	d := OpenProcess(t, provider.NewWithTransport("test", service, provider.WithDial(dials.dial))())
	d.dials = dials
	d.must("configure", "the provider", d.Configure(t.Context(), e.ProviderConfig(settings)))
	return d
}

// NewServer returns the server of a provider, of which each answer of the fast path is compared with the framework's.
func NewServer(t testing.TB, p framework.Provider) provider.Server {
	t.Helper()
	server, err := provider.NewServer(p)
	if err != nil {
		t.Fatal(err)
	}
	return bothWays{server, t}
}

// OpenProcess returns a driver of this provider, which is not configured yet.
func OpenProcess(t testing.TB, p framework.Provider) *Driver {
	t.Helper()
	all, err := ownSchemas()
	if err != nil {
		t.Fatal(err)
	}
	return &Driver{schemas: all, t: t, server: NewServer(t, p)}
}

// ownSchemas are the same in each process of this provider, and reading them takes longer than most of what tests do
// with one.
var ownSchemas = sync.OnceValues(func() (*schemas, error) {
	server, err := provider.NewServer(provider.New("test")())
	if err != nil {
		return nil, err
	}
	return readSchemas(context.Background(), server)
})

// ProviderConfig returns the provider block for a Driver: the emulator's address, its API key and account, and the
// settings that replace them.
func (e *Emulator) ProviderConfig(settings map[string]any) map[string]any {
	config := map[string]any{"endpoint": e.URL, "token": emulator.DemoAPIKey, "account": emulator.DemoAccount}
	for name, value := range settings {
		config[name] = value
	}
	return config
}

// ProviderBlock returns the same in HCL, with further lines.
func (e *Emulator) ProviderBlock(extra ...string) string {
	return fmt.Sprintf("provider \"cloudserver\" {\n  endpoint = %q\n  token    = %q\n  account  = %q\n%s\n}\n",
		e.URL, emulator.DemoAPIKey, emulator.DemoAccount, strings.Join(extra, "\n"))
}
