package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestJournal shows what is recorded, and which secrets are not.
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
		got = append(got, strings.TrimSpace(strings.Join([]string{r.Method, r.Path, r.Query, number(int64(r.Status))}, " ")))
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
	quiet := newFixtureWith(t, emulator.Options{NoJournal: true})
	do("GET /accounts", "", 200, `[{}]`)(t, quiet)
	if len(quiet.Journal()) != 0 {
		t.Error("kept a journal")
	}
}
