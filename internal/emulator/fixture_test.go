// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Times of the fixture's service.
const (
	bootTime     = 30 * time.Second
	shutdownTime = 5 * time.Second
)

// fixtureStart is the time at which simulated tests begin.
var fixtureStart = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// fixture is an emulator with these machines: web1 (on, discs vda and vdb) and off1
// (off) in default, old1 (soft-deleted) in default, and inside1 (off) in private.
type fixture struct {
	*emulator.Emulator
	client  *http.Client
	token   string
	names   *strings.Replacer // {web1}, {vda}, {default} … → numeric ids
	session string            // of the last POST /session
	backup  string            // id of the last backup that a step has taken
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureWith(t, emulator.Options{BootTime: bootTime, ShutdownTime: shutdownTime})
}

func newFixtureWith(t *testing.T, o emulator.Options) *fixture {
	t.Helper()
	e := emulator.New(o)
	web := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, Cores: 2, Memory: 2048,
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 51200, StorageGrade: "archive"}},
	})
	off := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "off1"})
	old := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "old1"})
	e.SoftDelete(old)
	inside := e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
		Name: "inside1", Interfaces: []emulator.Interface{{IPs: []string{"192.0.2.77", "2001:db8:1::77"}}},
	})
	on, _ := e.Machine(web)
	private, _ := e.Machine(inside)
	return &fixture{
		Emulator: e, client: &http.Client{Transport: e.Transport()}, token: emulator.DemoAPIKey,
		names: strings.NewReplacer("{web1}", idText(web), "{off1}", idText(off), "{old1}", idText(old),
			"{inside1}", idText(inside), "{vda}", idText(on.Discs[0].ID), "{web1-ip}", on.Interfaces[0].IPs[0],
			"{discs}", `"discs":[{"label":"vda","size":50}]`, "{default}", idText(on.GroupID), "{private}", idText(private.GroupID)),
	}
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// request returns the request of a well-behaved client; call is method and path as in API.md.
func (f *fixture) request(t *testing.T, call, body string) *http.Request {
	t.Helper()
	method, path, _ := strings.Cut(f.names.Replace(call), " ")
	path = strings.NewReplacer("{session}", f.session, "{backup}", f.backup).Replace(path)
	r, err := http.NewRequestWithContext(t.Context(), method, "http://emulator"+path, strings.NewReader(f.names.Replace(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	if path == "/session" {
		r.Header.Set("Accept", "text/plain")
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if f.token != "" {
		r.Header.Set("Authorization", "Bearer "+f.token)
	}
	return r
}

// send sends a request and reads the answer.
func (f *fixture) send(t *testing.T, r *http.Request) (*http.Response, string) {
	t.Helper()
	answer, err := f.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// step is one step of a conformance case.
type step func(t *testing.T, f *fixture)

// do makes a call and expects a status and a body: one that contains the wanted JSON or text, or none for "".
func do(call, body string, status int, want string) step {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		answer, got := f.send(t, f.request(t, call, body))
		if answer.StatusCode != status {
			t.Errorf("%s answered %d, want %d: %s", call, answer.StatusCode, status, got)
			return
		}
		expect(t, call, f.names.Replace(want), got)
	}
}

// expect checks that a body contains what is wanted.
func expect(t *testing.T, call, want, got string) {
	t.Helper()
	if want == "" {
		if got != "" {
			t.Errorf("%s: want no body, got %s", call, got)
		}
		return
	}
	var wanted any
	if json.Unmarshal([]byte(want), &wanted) != nil {
		if !strings.Contains(got, want) {
			t.Errorf("%s: want a body with %q, got %s", call, want, got)
		}
		return
	}
	var found any
	if err := json.Unmarshal([]byte(got), &found); err != nil {
		t.Errorf("%s: %v in %s", call, err, got)
		return
	}
	if !contains(found, wanted) {
		t.Errorf("%s:\nwant a body with %s\ngot %s", call, want, got)
	}
}

// contains reports whether got has everything that want has. Lists must have the same length. "…" stands for any text
// that is not empty.
func contains(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		found, ok := got.(map[string]any)
		for name, value := range want {
			inner, exists := found[name]
			ok = ok && exists && contains(inner, value)
		}
		return ok
	case []any:
		found, ok := got.([]any)
		if !ok || len(found) != len(want) {
			return false
		}
		for i := range want {
			ok = ok && contains(found[i], want[i])
		}
		return ok
	case string:
		found, ok := got.(string)
		return ok && (found == want || want == "…" && found != "")
	}
	return reflect.DeepEqual(got, want)
}

// lacks makes a call and checks that the JSON object in its answer does not have the attribute.
func lacks(call, attribute string) step {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		_, body := f.send(t, f.request(t, call, ""))
		var object map[string]any
		if err := json.Unmarshal([]byte(body), &object); err != nil {
			t.Fatal(err)
		}
		if _, found := object[attribute]; found {
			t.Errorf("%s has %s: %s", call, attribute, body)
		}
	}
}

// simulate runs a test with a fake clock, from fixtureStart.
func simulate(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(fixtureStart))
		test(t)
	})
}

// pass lets simulated time pass.
func pass(d time.Duration) step {
	return func(*testing.T, *fixture) { time.Sleep(d) }
}

// useToken uses another token for the following calls. "session" stands for the last session.
func useToken(token string) step {
	return func(_ *testing.T, f *fixture) {
		f.token = token
		if token == "session" {
			f.token = f.session
		}
	}
}

// useBackDoor calls methods of the emulator.
func useBackDoor(change func(e *emulator.Emulator)) step {
	return func(_ *testing.T, f *fixture) { change(f.Emulator) }
}

// change changes a machine of the fixture through the back door.
func change(name string, set func(*emulator.Machine)) step {
	return func(t *testing.T, f *fixture) {
		t.Helper()
		if err := f.Change(find(t, f.Emulator, name).ID, set); err != nil {
			t.Fatal(err)
		}
	}
}

// conformance is a row of API.md, or one of its clauses.
type conformance struct {
	row   string
	steps []step
}

func (c conformance) run(t *testing.T) {
	c.runWith(t, emulator.Options{BootTime: bootTime, ShutdownTime: shutdownTime})
}

func (c conformance) runWith(t *testing.T, o emulator.Options) {
	t.Run(c.row, func(t *testing.T) {
		t.Parallel()
		simulate(t, func(t *testing.T) {
			f := newFixtureWith(t, o)
			for _, step := range c.steps {
				step(t, f)
			}
		})
	})
}
