// SPDX-License-Identifier: MPL-2.0

package worldfile_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/worldfile"
)

// service is the transport of a client, and the file of its world.
type service struct {
	http.RoundTripper
	file string
}

// serve returns the service for an endpoint.
func serve(t *testing.T, endpoint string) service {
	t.Helper()
	transport, file, err := worldfile.Serve(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return service{transport, file}
}

// TestFiles checks which file an endpoint names.
func TestFiles(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	if err := os.Mkdir("worlds", 0o700); err != nil {
		t.Fatal(err)
	}
	for endpoint, want := range map[string]string{
		"emulator:world.json":                               "world.json",
		"emulator:world.json?boot-time=0s&ignore-powerdown": "world.json",
		"emulator:what?.json?boot-time=0s":                  "what?.json",
		"emulator:world.json?":                              "world.json",
		"emulator:worlds/a b.json":                          "worlds/a b.json",
		`emulator:C:\worlds\a.json?boot-time=0s`:            `C:\worlds\a.json`,
		"emulator:" + filepath.Join(here, "a.json"):         "a.json",
		"emulator:":              ".terraform/cloudserver-emulator.json",
		"emulator:?boot-time=0s": ".terraform/cloudserver-emulator.json",
	} {
		if s := serve(t, endpoint); s.file != filepath.Join(here, want) {
			t.Errorf("%s is in %s, want %s", endpoint, s.file, want)
		}
	}
	t.Setenv("TF_DATA_DIR", filepath.Join(here, "data"))
	s := serve(t, "emulator:")
	if want := filepath.Join(here, "data", "cloudserver-emulator.json"); s.file != want {
		t.Errorf("in %s, want %s", s.file, want)
	}
	if left, err := os.ReadDir(here); err != nil || len(left) != 1 { // worlds
		t.Errorf("opening alone has made %v, %v", left, err)
	}
	do(t, s, "POST "+create, machine("web1"), 202, "")
	do(t, serve(t, "emulator:"), "GET "+machines, "", 200, "web1")
}

// TestBadEndpoints checks which endpoints are refused, and the messages.
func TestBadEndpoints(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://api.example.com":             "does not begin with emulator:",
		"emulator://world.json":               "without slashes before it",
		"emulator:w.json?colour=red":          `there is no option "colour"; the options are seed, boot-time,`,
		"emulator:w.json?state=x":             `there is no option "state"`,
		"emulator:w.json?guest-port=22":       `there is no option "guest-port"`,
		"emulator:w.json?boot-time=soon":      `option boot-time=soon: must be a duration like "30s"`,
		"emulator:w.json?boot-time":           "option boot-time=: must be a duration",
		"emulator:w.json?fault=POST */vm 503": "no call of the service matches POST */vm",
		"emulator:w.json?fault=* * 503 %":     "write % as %25",
		"emulator:what?.json":                 `there is no option ".json"`,
		"emulator:no/such/folder/world.json":  "there is no directory",
		"emulator:~/world.json":               "there is no directory",
	} {
		if _, _, err := worldfile.Serve(endpoint); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", endpoint, err, want)
		}
	}
}

// TestFirstIDGrows: a world that begins a second later has other IDs.
func TestFirstIDGrows(t *testing.T) {
	t.Parallel()
	now := time.Now()
	if first, later := worldfile.FirstID(now), worldfile.FirstID(now.Add(time.Second)); later-first != 10_000 || first < 1 {
		t.Errorf("%d, then %d", first, later)
	}
	if id := do(t, serve(t, "emulator:"+filepath.Join(t.TempDir(), "world.json")), "GET /accounts/demo", "", 200, `"id":`); strings.Contains(id, `"id":100`) {
		t.Errorf("the IDs do not come from the clock: %s", id)
	}
}

// TestOptions: each option has its effect.
func TestOptions(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	seed := filepath.Join(directory, "seed.json")
	if err := os.WriteFile(seed, []byte(`{"$schema":"world.schema.json","accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[{"name":"db0"}]}]}],
		"faults":[{"fault":"GET /accounts 418 times=1"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	number := 0
	world := func(options string) service {
		number++
		return serve(t, fmt.Sprintf("emulator:%s/%d.json?%s", directory, number, options))
	}
	seeded := world("seed=" + seed)
	do(t, seeded, "GET "+machines, "", 200, "db0")
	do(t, seeded, "GET /accounts", "", 418, "")
	do(t, seeded, "GET /accounts", "", 200, "")
	w := world("boot-time=0s&ignore-powerdown")
	do(t, w, "POST "+create, machine("web1"), 202, "")
	do(t, w, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	do(t, w, "POST "+machines+"/web1/signal", `{"signal":"powerdown"}`, 200, "")
	do(t, w, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	w = world("boot-time=1h&fault=GET /accounts 503 times=1&fault=GET /definitions cut&latency=20ms")
	do(t, w, "GET /accounts", "", 503, "")
	start := time.Now()
	do(t, w, "GET /accounts", "", 200, "")
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("an answer took %s", took)
	}
	if _, _, err := send(t.Context(), w, "GET /definitions", ""); err == nil || !strings.Contains(err.Error(), "connection reset") {
		t.Errorf("not cut: %v", err)
	}
	do(t, w, "POST "+create, machine("web1"), 202, "")
	do(t, w, "GET "+machines+"/web1", "", 200, `"power_on":false`)
	w = world("rate-limit=1")
	do(t, w, "GET /accounts", "", 200, "")
	if _, _, err := send(t.Context(), world("seed=none.json"), "GET /accounts", ""); err == nil || !strings.Contains(err.Error(), "seed: open none.json") {
		t.Errorf("no seed: %v", err)
	}
}

// TestNoCredentials: credentials are not needed, checked or kept, and sessions can be opened nevertheless.
func TestNoCredentials(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	s := serve(t, "emulator:"+name)
	do(t, s, "GET /accounts", "", 200, "acme")
	session := do(t, s, "POST /session", `{"username":"somebody","password":"correct horse"}`, 200, "")
	do(t, s, "GET /session/"+session, "", 200, `"username":"somebody"`)
	do(t, s, "POST "+create, `{"virtual_machine":{"name":"web1"},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"bookworm","root_password":"correct horse","firstboot_script":"correct horse"}}`, 202, "")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"correct", "somebody", session} {
		if strings.Contains(string(content), secret) {
			t.Errorf("the world has %q: %s", secret, content)
		}
	}
}

// TestManyAtOnce: concurrent requests of one process and of several work on one world.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	endpoint := "emulator:" + filepath.Join(t.TempDir(), "world.json") + "?latency=1ms&boot-time=0s"
	var workers sync.WaitGroup
	for n := range 3 {
		s := serve(t, endpoint)
		for k := range 10 {
			workers.Go(func() {
				do(t, s, "POST "+create, machine(fmt.Sprintf("web%d-%d", n, k)), 202, "")
			})
		}
	}
	workers.Wait()
	if listed := do(t, serve(t, endpoint), "GET "+machines, "", 200, ""); strings.Count(listed, `"hostname"`) != 30 {
		t.Errorf("%s", listed)
	}
}
