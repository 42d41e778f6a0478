// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestJournal checks what is recorded, and that secrets are not.
func TestJournal(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	f := newFixtureWith(t, emulator.Options{Log: &log, BootTime: time.Second})
	f.AddMachine("demo", "default", emulator.Machine{Name: "more1"})
	f.Inject(emulator.Fault{Cut: true, Match: func(r emulator.Request) bool { return r.Query == "cut=1" }})

	_, session := f.send(t, f.request(t, "POST /session", `{"username":"demo","password":"demo"}`))
	do("GET /session/"+session, "", 200, `{}`)(t, f)
	do("GET "+web+"/discs/a%2Fb?view=overview", "", 404, "no such disc")(t, f)
	if _, err := f.client.Do(f.request(t, "GET /accounts?cut=1", "")); err == nil {
		t.Error("not cut")
	}

	var got []string
	for _, r := range f.Journal() {
		got = append(got, strings.TrimSpace(strings.Join([]string{r.Method, r.Path, r.Query, idText(int64(r.Status))}, " ")))
		if r.Header.Get("Authorization") != "Bearer …" {
			t.Errorf("Authorization %q", r.Header.Get("Authorization"))
		}
		if r.Time.IsZero() {
			t.Error("no time")
		}
	}
	want := "POST /session  200, GET /session/…  200, GET " + web + "/discs/a%2Fb view=overview 404, GET /accounts cut=1 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if body := string(f.Journal()[0].Body); body != `{"username":"demo","password":"demo"}` {
		t.Errorf("body %s", body)
	}
	if strings.Count(log.String(), "\n") != 4 || !strings.Contains(log.String(), "POST /session 200\n") {
		t.Errorf("log:\n%s", log.String())
	}
	for _, secret := range []string{session, "password", "apikey", "view=overview"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, log.String())
		}
	}
	f.ResetJournal()
	if len(f.Journal()) != 0 {
		t.Error("not reset")
	}
	small := newFixtureWith(t, emulator.Options{JournalSize: 2})
	for range 5 {
		do("GET /accounts", "", 200, `[{}]`)(t, small)
	}
	if kept := small.Journal(); len(kept) != 2 || small.Dropped() != 3 {
		t.Errorf("%d requests are kept, %d dropped", len(kept), small.Dropped())
	}
}

// TestJournalSaysWhatWasReached: the journal has the object that a request reached, which may not be the one that its
// sender meant.
func TestJournalSaysWhatWasReached(t *testing.T) {
	t.Parallel()
	e := emulator.New(emulator.Options{})
	group := e.AddGroup("demo", "team", false)
	first := e.AddMachine("demo", "team", emulator.Machine{Name: "web1", Discs: []emulator.Disc{{Label: "vda", Size: 1000}}})
	other := e.AddMachine("demo", "team", emulator.Machine{Name: idText(first)})
	e.Inject(emulator.Fault{Cut: true, AfterEffect: true, Match: func(r emulator.Request) bool { return r.Query == "lost=1" }})
	e.Inject(emulator.Fault{Cut: true, Match: func(r emulator.Request) bool { return r.Query == "never=1" }})
	path := "http://127.0.0.1/accounts/demo/groups/team/virtual_machines/"
	for _, sent := range []struct {
		call, body string
		machine    int64
		done       bool
	}{
		{call: "web1", body: `{"cores":3}`, machine: first, done: true},
		{call: idText(first), body: `{"cores":3}`, machine: other, done: true}, // the name wins
		{call: "web1?lost=1", body: `{"cores":4}`, machine: first, done: true},
		{call: "web1?never=1", body: `{"cores":5}`},
		{call: "web1", body: `{"name":"` + idText(first) + `"}`, machine: first},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, path+sent.call, strings.NewReader(sent.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
		r.Header.Set("Content-Type", "application/json")
		if answer, err := e.Transport().RoundTrip(r); err == nil {
			_ = answer.Body.Close()
		}
		journal := e.Journal()
		got := journal[len(journal)-1].Reached
		if got.Machine != sent.machine || got.Done != sent.done || sent.machine != 0 && got.Group != group {
			t.Errorf("%s: reached %+v, want machine %d, done %t", sent.call, got, sent.machine, sent.done)
		}
	}
}

// TestSecretsAreHidden checks that a shown body has no secret.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"username":"demo","password":"demo","2fa":"123456"}`:                                                       `{"2fa":"…","password":"…","username":"demo"}`,
		`{"discs":[{"label":"vda"}],"reimage":{"distribution":"noble","root_password":"p","firstboot_script":"#!"}}`: `{"discs":[{"label":"vda"}],"reimage":{"distribution":"noble","firstboot_script":"…","root_password":"…"}}`,
		`not JSON`: `null`,
	} {
		shown, err := json.Marshal(emulator.Request{Body: []byte(body)}.ShownBody())
		if err != nil || string(shown) != want {
			t.Errorf("%s is shown as %s, %v", body, shown, err)
		}
	}
}
