package acctest

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// Emulator is the service in this process, reachable at URL, with everything
// that the emulator itself offers to tests.
type Emulator struct {
	*emulator.Emulator
	URL string
}

// StartEmulator serves an emulator on loopback until the test ends.
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

// Drive configures the provider against an emulator in memory. There is no
// socket, so it runs in a synctest bubble, where waits cost nothing. The
// settings are put over those of ProviderConfig; null takes one away.
func Drive(t testing.TB, options emulator.Options, settings map[string]any) (*Driver, *Emulator) {
	t.Helper()
	e := &Emulator{Emulator: emulator.New(options), URL: "http://127.0.0.1"} // never dialled
	return e.NewDriver(t, settings), e
}

// NewDriver is a further provider process against the same emulator, in
// memory.
func (e *Emulator) NewDriver(t testing.TB, settings map[string]any) *Driver {
	t.Helper()
	server := provider.NewServer(provider.NewWithTransport("test", e.Transport())())
	return NewDriver(t, server, e.ProviderConfig(settings))
}

// ProviderConfig is the provider block for a Driver: the emulator's address,
// the seeded API key and account, and the settings over them.
func (e *Emulator) ProviderConfig(settings map[string]any) map[string]any {
	config := map[string]any{"endpoint": e.URL, "token": emulator.DemoAPIKey, "account": emulator.DemoAccount}
	for name, value := range settings {
		config[name] = value
	}
	return config
}

// ProviderBlock is the same in HCL, with further lines of it.
func (e *Emulator) ProviderBlock(extra ...string) string {
	return fmt.Sprintf("provider \"cloudserver\" {\n  endpoint = %q\n  token    = %q\n  account  = %q\n%s\n}\n",
		e.URL, emulator.DemoAPIKey, emulator.DemoAccount, strings.Join(extra, "\n"))
}
