package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/embedded"
)

const (
	group    = "/accounts/demo/groups/default"
	machines = group + "/virtual_machines"
)

// open returns the service for an endpoint.
func open(t *testing.T, endpoint string) *embedded.Service {
	t.Helper()
	s, err := embedded.Open(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// send sends a request with a made-up token, and returns the status and the body of the answer.
func send(ctx context.Context, s http.RoundTripper, call, body string) (status int, answered string, err error) {
	method, path, _ := strings.Cut(call, " ")
	r, err := http.NewRequestWithContext(ctx, method, "http://emulator"+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer correct-horse")
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(content), err
}

// do sends a request and checks the answer.
func do(t *testing.T, s http.RoundTripper, call, body string, status int, want string) string {
	t.Helper()
	got, answered, err := send(t.Context(), s, call, body)
	if err != nil || got != status || !strings.Contains(answered, want) {
		t.Errorf("%s answered %d %s, %v, want %d %s", call, got, answered, err, status, want)
	}
	return answered
}

func machine(name string) string {
	return `{"virtual_machine":{"name":"` + name + `","power_on":true},"discs":[{"label":"vda","size":50}]}`
}

// TestFiles checks which file an endpoint names.
func TestFiles(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	if err := os.Mkdir("worlds", 0o700); err != nil {
		t.Fatal(err)
	}
	for endpoint, want := range map[string]string{
		"emulator:world.json":                       "world.json",
		"emulator:world.json?boot-time=0s&strict":   "world.json",
		"emulator:what?.json?boot-time=0s":          "what?.json",
		"emulator:world.json?":                      "world.json",
		"emulator:worlds/a b.json":                  "worlds/a b.json",
		`emulator:C:\worlds\a.json?boot-time=0s`:    `C:\worlds\a.json`,
		"emulator:" + filepath.Join(here, "a.json"): "a.json",
		"emulator:":              ".terraform/cloudserver-emulator.json",
		"emulator:?boot-time=0s": ".terraform/cloudserver-emulator.json",
	} {
		if s := open(t, endpoint); s.File != filepath.Join(here, want) {
			t.Errorf("%s is in %s, want %s", endpoint, s.File, want)
		}
	}
	t.Setenv("TF_DATA_DIR", filepath.Join(here, "data"))
	s := open(t, "emulator:")
	if want := filepath.Join(here, "data", "cloudserver-emulator.json"); s.File != want {
		t.Errorf("in %s, want %s", s.File, want)
	}
	if left, err := os.ReadDir(here); err != nil || len(left) != 1 { // worlds
		t.Errorf("opening alone has made %v, %v", left, err)
	}
	do(t, s, "POST "+group+"/vm_create", machine("web1"), 202, "")
	do(t, open(t, "emulator:"), "GET "+machines, "", 200, "web1")
}

// TestBadEndpoints checks which endpoints are refused, and the messages.
func TestBadEndpoints(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://api.example.com":              "does not begin with emulator:",
		"emulator://world.json":                "without slashes before it",
		"emulator:w.json?colour=red":           `there is no option "colour"; the options are seed, boot-time,`,
		"emulator:w.json?state=x":              `there is no option "state"`,
		"emulator:w.json?guest-port=22":        `there is no option "guest-port"`,
		"emulator:w.json?boot-time=soon":       "option boot-time=soon: must be a duration",
		"emulator:w.json?boot-time=-1s":        "option boot-time must not be negative",
		"emulator:w.json?boot-time":            "option boot-time=: must be a duration",
		"emulator:w.json?capacity=-1":          "must not be negative",
		"emulator:w.json?fault=POST */vm 503":  "the nearest is POST",
		"emulator:w.json?fault=* * 503 %":      "write % as %25",
		"emulator:w.json?clock=9999-01-01T00Z": "option clock=9999",
		"emulator:what?.json":                  `there is no option ".json"`,
		"emulator:no/such/folder/world.json":   "there is no directory",
		"emulator:~/world.json":                "~ is not expanded: write the whole path, such as emulator:/home/me/world.json",
		"emulator:.":                           "is not a regular file: name one, such as emulator:world.json",
		"emulator:" + os.DevNull:               "is not a regular file",
		"emulator:embedded_test.go":            "is not a world of the emulator, which is JSON",
	} {
		if s, err := embedded.Open(endpoint); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", endpoint, s, err, want)
		}
	}
}

// TestOptions: each option has its effect.
func TestOptions(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	seed := filepath.Join(directory, "seed.json")
	if err := os.WriteFile(seed, []byte(`{"accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[{"name":"db0"}]}]}],
		"faults":[{"fault":"GET /accounts 418 times=1"}],"clock_offset":"48h"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	number := 0
	world := func(options string) *embedded.Service {
		number++
		return open(t, fmt.Sprintf("emulator:%s/%d.json?%s", directory, number, options))
	}
	do(t, world("seed="+seed), "GET "+machines, "", 200, "db0")
	seeded := world("seed=" + seed)
	do(t, seeded, "GET /accounts", "", 418, "")
	do(t, seeded, "GET /accounts", "", 200, "")
	w := world("boot-time=0s")
	do(t, w, "POST "+group+"/vm_create", machine("web1"), 202, "")
	do(t, w, "GET "+machines+"/web1", "", 200, `"power_on":true`)
	w = world("boot-time=1h&fault=GET /accounts 503 times=1&fault=GET /definitions cut&latency=20ms&vendor=else")
	do(t, w, "GET /accounts", "", 503, "")
	start := time.Now()
	do(t, w, "GET /accounts", "", 200, "vnd.else.account")
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("an answer took %s", took)
	}
	if _, _, err := send(t.Context(), w, "GET /definitions", ""); err == nil || !strings.Contains(err.Error(), "connection reset") {
		t.Errorf("not cut: %v", err)
	}
	do(t, w, "POST "+group+"/vm_create", machine("web1"), 202, "")
	do(t, w, "GET "+machines+"/web1", "", 200, `"power_on":false`)
	do(t, world("capacity=0&strict"), "POST "+group+"/vm_create", machine("web1"), 400, "memory")
	do(t, world("rate-limit=1"), "GET /accounts", "", 200, "")
	do(t, world("dotted-groups=true"), "POST /accounts/demo/groups", `{"name":"a.b"}`, 201, "")
	do(t, world("clock=2030-01-01T00:00:00Z"), "GET /accounts", "", 200, "")
	if content, err := os.ReadFile(fmt.Sprintf("%s/%d.json", directory, number)); err != nil || !strings.Contains(string(content), `"clock_offset": "`) || strings.Contains(string(content), `"clock_offset": "0s"`) {
		t.Errorf("the clock is not in the world: %v", err)
	}
	_, _, err := send(t.Context(), world("seed=none.json"), "GET /accounts", "")
	if err == nil || !strings.Contains(err.Error(), "seed: stat none.json") {
		t.Errorf("no seed: %v", err)
	}
}

// TestFaultsAreCountedOnce: a fault acts as often as the option says, regardless of the number of processes.
func TestFaultsAreCountedOnce(t *testing.T) {
	t.Parallel()
	endpoint := "emulator:" + filepath.Join(t.TempDir(), "world.json") + "?fault=GET /accounts 503 times=2"
	for n, want := range []int{503, 503, 200, 200} {
		if status, _, err := send(t.Context(), open(t, endpoint), "GET /accounts", ""); err != nil || status != want {
			t.Errorf("process %d: %d, %v, want %d", n, status, err, want)
		}
	}
}

// TestNoCredentials: credentials are not needed, checked or kept, and sessions can be opened nevertheless.
func TestNoCredentials(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "world.json")
	s := open(t, "emulator:"+name)
	do(t, s, "GET /accounts", "", 200, "acme")
	session := do(t, s, "POST /session", `{"username":"somebody","password":"correct horse"}`, 200, "")
	do(t, s, "GET /session/"+session, "", 200, `"username":"somebody"`)
	do(t, s, "POST "+group+"/vm_create", `{"virtual_machine":{"name":"web1"},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"bookworm","root_password":"correct horse","firstboot_script":"correct horse"}}`, 202, "")
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

// TestConnection: if the world is not available, the client knows that its request was not sent.
func TestConnection(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"world.json": "connecting wrote", "none/world.json": "connecting"} {
		var seen []string
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GetConn:      func(string) { seen = append(seen, "connecting") },
			WroteHeaders: func() { seen = append(seen, "wrote") },
		})
		directory := filepath.Join(t.TempDir(), filepath.Dir(name))
		if err := os.MkdirAll(directory, 0o700); err != nil {
			t.Fatal(err)
		}
		s := open(t, "emulator:"+filepath.Join(directory, filepath.Base(name)))
		if name == "none/world.json" { // it goes after the configuration
			if err := os.Remove(directory); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := send(ctx, s, "GET /accounts", "")
		lasting, ok := errors.AsType[interface {
			error
			Lasting() bool
		}](err)
		if got := strings.Join(seen, " "); got != want || (err != nil) != (want == "connecting") || err != nil && (!ok || !lasting.Lasting()) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// TestNothingStartsEarly: opening starts no goroutine, and requests leave none behind.
func TestNothingStartsEarly(t *testing.T) {
	name := filepath.Join(t.TempDir(), "world.json")
	synctest.Test(t, func(t *testing.T) { // waits for every goroutine started in it
		before := runtime.NumGoroutine()
		s := open(t, "emulator:"+name+"?boot-time=1h")
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("%d goroutines, before %d", after, before)
		}
		do(t, s, "POST "+group+"/vm_create", machine("web1"), 202, "")
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("%d goroutines after a request, before %d", after, before)
		}
	})
}

// TestManyAtOnce: concurrent requests of one process and of several work on one world.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	endpoint := "emulator:" + filepath.Join(t.TempDir(), "world.json") + "?latency=1ms&boot-time=0s"
	var workers sync.WaitGroup
	for n := range 3 {
		s := open(t, endpoint)
		for k := range 10 {
			workers.Go(func() {
				do(t, s, "POST "+group+"/vm_create", machine(fmt.Sprintf("web%d-%d", n, k)), 202, "")
			})
		}
	}
	workers.Wait()
	if listed := do(t, open(t, endpoint), "GET "+machines, "", 200, ""); strings.Count(listed, `"hostname"`) != 30 {
		t.Errorf("%s", listed)
	}
}
