// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// ownEmulator is the emulator that the program passes to the provider.
var ownEmulator = provider.Emulator{Open: worldfile.Serve, Account: worldfile.Account}

// withEmulator returns the server of a provider that has its own emulator.
func withEmulator(t *testing.T) provider.Server {
	t.Helper()
	return acctest.NewServer(t, provider.New("test", provider.WithEmulator(ownEmulator))())
}

// TestEmulatedEndpoint: an endpoint that names an emulator is served in this process, wherever it is configured.
// Credentials configured for a service are ignored.
func TestEmulatedEndpoint(t *testing.T) {
	dir := t.TempDir()
	world := filepath.Join(dir, "world.json")
	at := "emulator:" + world + "?boot-time=0s"
	for name, test := range map[string]struct {
		config, env    object
		account, group string // of a new machine
	}{
		"configured":                 {config: object{"endpoint": at}, account: "demo", group: "default"},
		"in the environment":         {env: object{"ENDPOINT": at}, account: "demo", group: "default"},
		"configured beats a service": {config: object{"endpoint": at}, env: object{"ENDPOINT": "https://api.example"}, account: "demo", group: "default"},
		"account and group":          {config: object{"endpoint": at, "account": "demo", "group": "private"}, env: object{"ACCOUNT": "other", "GROUP": "other"}, account: "demo", group: "private"},
		"account of the environment": {config: object{"endpoint": at}, env: object{"ACCOUNT": "acme"}, account: "acme", group: "default"},
		"all credentials at once": {
			config: object{"endpoint": at, "token": "a b"}, env: object{
				"TOKEN": "correct horse", "TOKEN_FILE": filepath.Join(dir, "none"), "USERNAME": "half",
				"AUTH_ENDPOINT": "nonsense", "CA_CERTIFICATE": filepath.Join(dir, "none.pem"),
			}, account: "demo", group: "default",
		},
		"a token that is not known yet": {config: object{"endpoint": at, "token": acctest.Unknown}, account: "demo", group: "default"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { _ = os.Remove(world) })
			setEnvironment(t, test.env)
			d := acctest.OpenDriver(t, withEmulator(t))
			goroutines := runtime.NumGoroutine()
			diags := d.Configure(t.Context(), test.config)
			if runtime.NumGoroutine() > goroutines {
				t.Error("configuring alone has started a goroutine")
			}
			if _, err := os.Stat(world); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("configuring alone has made the file: %v", err)
			}
			if len(diags) != 1 || diags[0].Severity != tfprotov6.DiagnosticSeverityWarning || diags[0].Summary != "The service is emulated" || diags[0].Detail != "Nothing is real: all of it is in "+world+"." {
				t.Fatalf("configured with\n%s", acctest.DiagText(diags))
			}
			plan := d.Plan(t.Context(), "cloudserver_vm", nil, object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}})
			if len(plan.Diagnostics) > 0 || plan.Get("account") != test.account || plan.Get("group") != test.group {
				t.Errorf("account %v, group %v: %s", plan.Get("account"), plan.Get("group"), acctest.DiagText(plan.Diagnostics))
			}
			content, err := os.ReadFile(world)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{"correct", "a b", "half"} {
				if strings.Contains(string(content), secret) {
					t.Errorf("the world has %q", secret)
				}
			}
		})
	}
}

// TestServiceBeatsEmulator: a configured service is not emulated because the environment names an emulator.
func TestServiceBeatsEmulator(t *testing.T) {
	setEnvironment(t, object{"ENDPOINT": "emulator:world.json"})
	d := acctest.OpenDriver(t, withEmulator(t))
	if diags := d.Configure(t.Context(), object{"endpoint": "https://api.example", "token": "one"}); len(diags) > 0 {
		t.Errorf("%s", acctest.DiagText(diags))
	}
}

// TestBadEmulatedEndpoints: an invalid endpoint is an error that quotes it.
func TestBadEmulatedEndpoints(t *testing.T) {
	for name, test := range map[string]struct {
		config, env object
		want        []string
	}{
		"an option": {
			config: object{"endpoint": "emulator:w.json?colour=red"},
			want:   []string{`endpoint is "emulator:w.json?colour=red": there is no option "colour"`},
		},
		"from the environment": {
			env:  object{"ENDPOINT": "emulator://w.json"},
			want: []string{`CLOUDSERVER_ENDPOINT in the environment is "emulator://w.json"`, "without slashes"},
		},
		"conflicting credentials": {
			config: object{"endpoint": "emulator:w.json", "token": "one", "username": "two"},
			want:   []string{"[token,username]"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			acctest.ExpectError(t, acctest.OpenDriver(t, withEmulator(t)).Configure(t.Context(), test.config), test.want...)
		})
	}
}

// TestSessionOfAnEmulator: the ephemeral resource works as with a service, with its own credentials and with the
// provider's.
func TestSessionOfAnEmulator(t *testing.T) {
	setEnvironment(t, object{"ENDPOINT": "emulator:" + filepath.Join(t.TempDir(), "world.json")})
	d := acctest.OpenDriver(t, withEmulator(t))
	d.Configure(t.Context(), nil)
	for name, config := range map[string]object{"own": {"username": "ci", "password": "correct horse", "auth_endpoint": "https://auth.example"}, "the provider's": nil} {
		opened, diags := d.Open(t.Context(), "cloudserver_session", config)
		if len(diags) > 0 || opened.Get("token") == "" {
			t.Errorf("%s: %s", name, acctest.DiagText(diags))
		}
	}
}

// TestMachinesOfAnEmulatedService: the provider connects to machines of an emulator in this process to see whether they
// are ready, although their addresses are on this computer. It does not do that for another service.
func TestMachinesOfAnEmulatedService(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world.json")
	served := worldfile.New(world, emulator.Options{Guests: true}, func(*emulator.Emulator) error { return nil })
	if err := served.Alone(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	setEnvironment(t, nil)
	process := func() *acctest.Driver {
		d := acctest.OpenDriver(t, withEmulator(t))
		d.Configure(t.Context(), object{"endpoint": "emulator:" + world + "?boot-time=0s"})
		return d
	}
	plan := process().Plan(t.Context(), "cloudserver_vm", nil, object{
		"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}, "ready": object{"port": 1, "timeout": "1s"},
	})
	_, diags := process().Apply(t.Context(), "cloudserver_vm", plan)
	acctest.ExpectError(t, acctest.Errors(diags), "a TCP connection to 127.77.0.2:1: timed out; last seen: connection refused")
}

// TestAnotherWorld: a state of another world is refused, and the message has the file.
func TestAnotherWorld(t *testing.T) {
	setEnvironment(t, nil)
	dir := t.TempDir()
	in := func(world string) *acctest.Driver {
		d := acctest.OpenDriver(t, withEmulator(t))
		d.Configure(t.Context(), object{"endpoint": "emulator:" + filepath.Join(dir, world) + "?boot-time=0s"})
		return d
	}
	config := object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}}
	o := in("one.json").MustApply(t.Context(), "cloudserver_vm", nil, config)
	_, diags := in("two.json").Refresh(t.Context(), o)
	acctest.ExpectError(t, acctest.Errors(diags), "at emulator:"+filepath.Join(dir, "two.json"), "this is another service")
}
