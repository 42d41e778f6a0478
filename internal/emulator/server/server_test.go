// SPDX-License-Identifier: MPL-2.0

package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	machines = "/accounts/demo/groups/default/virtual_machines"
	create   = "/accounts/demo/groups/default/vm_create"
	web1     = `{"virtual_machine":{"name":"web1","power_on":true},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"noble","root_password":"correct horse"}}`
)

// parse returns the command for some flags, on a free port.
func parse(t *testing.T, arguments ...string) *Command {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	c := Register(flags)
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	c.Address = "127.0.0.1:0"
	return c
}

// running is an emulator that serves.
type running struct {
	*testing.T
	endpoint, banner string
	stop             func()
}

// start runs the emulator until the test ends or it is stopped.
func start(t *testing.T, arguments ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	printed, stdout := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := parse(t, arguments...).Run(ctx, stdout, io.Discard)
		_ = stdout.CloseWithError(err)
		ended <- err
	}()
	banner := make([]byte, 4096)
	n, err := printed.Read(banner)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{T: t, banner: string(banner[:n])}
	r.endpoint = regexp.MustCompile(`http://\S+`).FindString(r.banner)
	r.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("stopped with %v", err)
		}
	}
	t.Cleanup(func() {
		if ctx.Err() == nil {
			r.stop()
		}
	})
	return r
}

// do makes a call and checks status and body of the answer.
func (r *running) do(call, body string, status int, want string) string {
	r.Helper()
	method, path, _ := strings.Cut(call, " ")
	request, err := http.NewRequestWithContext(r.Context(), method, r.endpoint+path, strings.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer apikey.demo")
	request.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status || !strings.Contains(string(got), want) {
		r.Errorf("%s answered %d %s, %v, want %d %s", call, answer.StatusCode, got, err, status, want)
	}
	return string(got)
}

// TestRun: the emulator prints what its world has, and what points the provider at it.
func TestRun(t *testing.T) {
	t.Parallel()
	r := start(t, "--fault", "GET /accounts 503 times=1")
	for _, want := range []string{
		"account demo, groups: default, private\n", "account acme", "user careful", "API key apikey.acme\n", "export CLOUDSERVER_ENDPOINT=" + r.endpoint + "\n",
		"export CLOUDSERVER_TOKEN=apikey.demo\n", "export CLOUDSERVER_ACCOUNT=demo\n", "export CLOUDSERVER_GROUP=default\n",
	} {
		if !strings.Contains(r.banner, want) {
			t.Errorf("%q is not printed in:\n%s", want, r.banner)
		}
	}
	r.do("GET /accounts", "", 503, "")
	r.do("GET /accounts", "", 200, "demo")
}

// TestRunRefuses checks the addresses and flags with which the emulator does not start, and its exit status.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"accounts":[{"name":"a"},{"name":"a"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const free = "127.0.0.1:0"
	for want, arguments := range map[string][]string{
		"not a loopback address": {"0.0.0.0:0"},
		`":0" is not a loopback`: {":0"},
		"missing port":           {"127.0.0.1"},
		busy.Addr().String() + " is in use: choose another port, or any free one with 127.0.0.1:0": {busy.Addr().String()},
		"--seed: open ": {free, "--seed", filepath.Join(t.TempDir(), "none")},
		bad + ": accounts[1].name: has already been taken":     {free, "--seed", bad},
		"--state: cannot load the world " + bad + ": accounts": {free, "--state", bad},
	} {
		c := parse(t, arguments[1:]...)
		c.Address = arguments[0]
		err := c.Run(t.Context(), io.Discard, io.Discard)
		if coded, ok := errors.AsType[*StartError](err); !ok || coded.ExitCode() != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", arguments, err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c := parse(t, "--allow-remote")
	c.Address = "0.0.0.0:0"
	if err := c.Run(ended, io.Discard, io.Discard); err != nil {
		t.Errorf("allowed, but %v", err)
	}
}

// TestControl calls all control paths.
func TestControl(t *testing.T) {
	t.Parallel()
	r := start(t, "--boot-time", "0s", "--fault", "GET /accounts 503 times=1")
	r.do("GET /_emulator", "", 200, `"call": "POST /_emulator/reset"`)
	r.do("GET /_emulator/nothing", "", 404, "not found")
	r.do("DELETE /_emulator/world", "", 405, "Not Allowed")

	r.do("GET /_emulator/faults", "", 200, `"fault": "GET /accounts 503 times=1"`)
	r.do("POST /_emulator/faults", `{"match":"POST */vm_create","status":429,"retry_after":3,"times":1}`, 200, `"fault": "POST */vm_create 429 retry-after=3 times=1"`)
	r.do("POST /_emulator/faults", `DELETE * cut`, 200, `"id": 3`)
	r.do("DELETE /_emulator/faults/3", "", 204, "")
	r.do("DELETE /_emulator/faults/3", "", 404, "there is no fault 3")
	r.do("POST /_emulator/faults", `{"match":"POST *","chance":0.5}`, 400, `invalid fault: json: unknown field "chance"`)
	r.do("POST /_emulator/faults", `now`, 400, "METHOD PATH WHAT")
	r.do("POST "+create, web1, 429, "Too Many")
	r.do("POST "+create, web1, 202, `"web1"`)
	r.do("GET /accounts", "", 503, "")
	r.do("GET /_emulator/faults", "", 200, `"acted": 1`) // although it is used up

	all := r.do("GET /_emulator/requests", "", 200, `"root_password": "…"`)
	if strings.Contains(all, "correct horse") || strings.Contains(all, "apikey.demo") || !strings.Contains(all, `"dropped": 0`) {
		t.Errorf("requests: %s", all)
	}
	r.do("GET /_emulator/requests?method=POST&path=*/vm_create&status=202", "", 200, `"count": 1`)
	r.do("GET /_emulator/requests?status=4*", "", 200, `"reason": "Too Many Requests"`)

	var before, after struct{ ID int64 }
	unmarshal(t, r.do("GET "+machines+"/web1", "", 200, "web1"), &before)
	r.do("GET /_emulator/world", "", 200, `"name": "web1"`)
	r.do("PUT /_emulator/guests/web1", `{"deaf":true}`, 204, "")
	r.do("GET /_emulator/world", "", 200, `"deaf": true`)
	r.do("PUT /_emulator/guests/web1.default", `{"http_status":503}`, 204, "")
	r.do("GET /_emulator/world", "", 200, `"http_status": 503`)
	r.do("PUT /_emulator/guests/web1", `{"http_status":503,"image":"trixie"}`, 204, "")
	r.do("GET /_emulator/world", "", 200, `"http_status_image": "trixie"`)
	r.do("PUT /_emulator/guests/web1", `{}`, 400, "send")
	r.do("PUT /_emulator/guests/web1", `{"deaf":true,"image":"trixie"}`, 400, "send")
	r.do("PUT /_emulator/guests/web1", `{"dead":true}`, 400, `unknown field "dead"`)
	r.do("PUT /_emulator/guests/web1", `{"http_status":99}`, 400, "http_status is 99")
	r.do("PUT /_emulator/guests/web9", `{"deaf":true}`, 404, `there is no virtual machine "web9"`)
	r.do("GET /_emulator/guests", "", 200, `"guests": []`)
	r.do("PUT "+machines+"/web1", `{"power_on":false}`, 200, "")
	r.do("GET /_emulator/power", "", 200, `"max_down": 1`)
	r.do("DELETE /_emulator/power", "", 204, "")

	r.do("POST /_emulator/reset", "", 204, "")
	r.do("GET /accounts", "", 503, "") // armed again
	r.do("GET "+machines+"/web1", "", 404, "no such virtual machine")
	r.do("POST "+create, web1, 202, `"web1"`)
	unmarshal(t, r.do("GET "+machines+"/web1", "", 200, "web1"), &after)
	if after.ID <= before.ID {
		t.Errorf("id %d after %d", after.ID, before.ID)
	}
	r.do("DELETE /_emulator/faults", "", 204, "")
	r.do("GET /_emulator/faults", "", 200, "[]")
}

// TestState: two emulators share a world, which continues after their end, with new IDs.
func TestState(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	first, second := start(t, "--state", state), start(t, "--state", state)
	first.do("POST "+create, web1, 202, "")
	var before, after struct{ ID int64 }
	unmarshal(t, second.do("GET "+machines+"/web1", "", 200, `"web1"`), &before)
	second.do("DELETE "+machines+"/web1?purge=true", "", 204, "")
	first.do("GET /_emulator/world", "", 200, `"default"`)
	first.do("POST "+create, web1, 202, "")
	first.stop()
	second.stop()
	if content, err := os.ReadFile(state); err != nil || strings.Contains(string(content), "correct horse") {
		t.Errorf("%v: the state has a secret", err)
	}
	third := start(t, "--state", state)
	unmarshal(t, third.do("GET "+machines+"/web1", "", 200, ""), &after)
	if after.ID <= before.ID {
		t.Errorf("id %d after %d", after.ID, before.ID)
	}
	third.do("POST /_emulator/reset", "", 204, "")
	third.do("GET "+machines, "", 200, "[]")
}

// TestPage: the page shows the world, requests and faults, escapes hostile values, has no script and no secret, and
// says what to do first.
func TestPage(t *testing.T) {
	t.Parallel()
	empty := start(t)
	empty.do("GET /", "", 200, "export CLOUDSERVER_ENDPOINT="+empty.endpoint+"\nexport CLOUDSERVER_TOKEN=apikey.demo\nexport CLOUDSERVER_ACCOUNT=demo</pre>")

	seed := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(seed, []byte(`{"accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[
		{"name":"web2","power_on":true,"last_imaged_with":"<img src=x onerror=alert(1)>","discs":[{"label":"\"><script>alert(1)</script>","size":25600}]},
		{"name":"old1","deleted":true},{"name":"off1"}]}]}],"users":[{"name":"demo","password":"correct horse"}],"api_keys":[{"key":"apikey.demo","user":"demo"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "--seed", seed, "--boot-time", "1h", "--fault", `GET /accounts/<b> 503 body="</table>"`)
	r.do("GET /accounts/nobody", "", 404, "")
	r.do("GET /session/secret", "", 404, "")
	r.do("POST "+create, web1, 202, "")
	page := r.do("GET /", "", 200, `http-equiv="refresh"`)
	for _, want := range []string{
		"<b>web1</b>", "<b>web2</b>", `<span class="on">on</span>`, `<span class="off">deleted</span>`, `<span class="off">off</span>`, `<span class="busy">starting</span>`,
		"vda <small>50 MB sata", "198.51.100.2<br>", "<small>then noble</small>", "&lt;img src=x onerror=alert(1)&gt;",
		"<code>GET /accounts/nobody</code>", `<td class="bad">404 <small>no such account</small>`, "<code>GET /accounts/&lt;b&gt; 503 body=",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	for _, bad := range []string{"<img", "no value", "<script", "correct horse", "session/secret", "style=", "onerror=\""} {
		if strings.Contains(page, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
}

// TestGuests: a machine answers over TCP and HTTP while it is on and not deaf.
func TestGuests(t *testing.T) {
	t.Parallel()
	e := emulator.New(emulator.Options{Guests: true})
	guests, err := ServeGuests(t.Context(), e, 0, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	id := e.AddMachine("demo", "default", emulator.Machine{Name: "web1", PowerOn: true, LastImagedWith: "noble"})
	guests.update(t.Context())
	address := net.JoinHostPort("127.77.0.2", strconv.Itoa(int(guests.Port())))
	expect := func(what string, status int, body string) {
		t.Helper()
		answer, err := http.Get("http://" + address + "/health")
		if status == 0 {
			if err == nil || !strings.Contains(err.Error(), "refused") {
				t.Errorf("%s: %v, %v", what, answer, err)
			}
			return
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		got, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != status || string(got) != body {
			t.Errorf("%s: %d %s", what, answer.StatusCode, got)
		}
	}
	const said = "web1.default.demo.cluster.example noble\n"
	expect("on", 200, said)
	change := func(set func(*emulator.Machine)) {
		if err := e.Change(id, set); err != nil {
			t.Error(err)
		}
		guests.update(t.Context())
	}
	change(func(m *emulator.Machine) { m.HTTPStatus, m.HTTPStatusImage = 503, "trixie" })
	expect("before the bad release", 200, said)
	change(func(m *emulator.Machine) { m.HTTPStatusImage = "noble" })
	expect("a bad release", 503, said)
	change(func(m *emulator.Machine) { m.Deaf = true })
	expect("deaf", 0, "")
	change(func(m *emulator.Machine) { m.Deaf = false })
	if connection, err := net.DialTimeout("tcp", address, time.Second); err != nil || connection.Close() != nil {
		t.Errorf("TCP: %v", err)
	}
	change(func(m *emulator.Machine) { m.PowerOn = false })
	expect("off", 0, "")
	if _, err := ServeGuests(t.Context(), emulator.New(emulator.Options{}), guests.Port(), io.Discard); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second emulator: %v", err)
	}
	if err := guests.Close(); err != nil {
		t.Error(err)
	}
}

func unmarshal(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
