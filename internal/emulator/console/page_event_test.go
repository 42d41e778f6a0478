package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestFeed: the page shows events with their purpose and the requests that led to them. The steps of an event that has
// ended are not shown separately.
func TestFeed(t *testing.T) {
	t.Parallel()
	s := newStage(t, 2)
	s.emulator.ResetJournal()
	begin := len(s.page("").events())
	since := func() []string {
		list := s.page("").events()
		return list[:len(list)-begin]
	}
	s.update("web1")
	if got, want := since(), []string{"web1 is starting", "web1 cores 1 → 2", "web1 was shut down for an update"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	s.pass(10 * time.Second)
	want := []string{"web1 answers", "web1 is on after 4 s", "web1 cores 1 → 2", "web1 was shut down for an update"}
	if got := since(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	feed := s.page("").Feed.Latest
	calls := func(list []shownRequest) string {
		var calls []string
		for _, r := range list {
			calls = append(calls, r.Method+" "+r.Path[strings.LastIndex(r.Path, "/")+1:]+" "+r.Text)
		}
		return strings.Join(calls, ", ")
	}
	for n, want := range []string{
		"", `PUT web1 {"autoreboot_on":true,"power_on":true}`, `PUT web1 {"cores":2}`, `POST signal {"signal":"powerdown"}, PUT web1 {"autoreboot_on":false}`,
	} {
		if got := calls(feed[n].Writes); got != want {
			t.Errorf("%s: by %s, want %s", feed[n].Title(), got, want)
		}
	}
	if off := feed[3]; off.Asked != 1 || len(off.Reads) != 1 || off.By != "provider" || len(off.Steps) != 1 {
		t.Errorf("%+v", off)
	}

	begin = len(s.page("").events())
	s.emulator.FailHost(s.emulator.Machines()[0].ID)
	s.pass(10 * time.Second)
	s.call("PUT", "/virtual_machines/web2", `{"cores":64}`)
	s.emulator.Inject(emulator.Fault{Name: "POST * 503", Status: 503, Match: func(r emulator.Request) bool { return r.Method == "POST" }})
	for range 3 {
		s.call("POST", "/virtual_machines/web2/signal", `{"signal":"powerdown"}`)
		s.call("GET", "/virtual_machines/web9", "") // a read that finds nothing is not a problem
	}
	s.emulator.RemoveFaults(0)
	s.emulator.Inject(emulator.Fault{Name: "lost", Cut: true, AfterEffect: true, Times: 1})
	s.call("DELETE", "/virtual_machines/web2", "")
	got := since()
	for _, line := range []string{
		"web2 was deleted, and can be brought back",
		"web2 signal refused: Service Unavailable (503), by the fault POST * 503 × 3", "web2 deletion not answered, but was done, by the fault lost",
		"web2 change refused: cores cannot be changed while the virtual machine is on (400)", "web1 host failure: was switched off, and is starting again",
	} {
		if !slices.Contains(got, line) {
			t.Errorf("%q is not in\n%s", line, strings.Join(got, "\n"))
		}
	}
	if faults := s.page("?show=faults").events(); len(faults) != 2 {
		t.Errorf("faults did %q", faults)
	}
	if only := s.page("?q=web1").events(); len(only) == 0 || slices.ContainsFunc(only, func(line string) bool { return !strings.HasPrefix(line, "web1") }) {
		t.Errorf("search for web1: %q", only)
	}
}

// TestPurpose: later events show what a machine was taken down for.
func TestPurpose(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		calls [][3]string
		want  string
	}{
		{[][3]string{{"POST", "/reimage", `{"distribution":"noble","root_password":"correct horse"}`}}, "web1 was shut down for a reimage"},
		{[][3]string{{"PUT", "", `{"memory":4096}`}}, "web1 was shut down for an update"},
		{[][3]string{{"POST", "/discs", `{"label":"data","size":100}`}}, "web1 was shut down for a change of its discs"},
		{[][3]string{{"DELETE", "?purge=true", ``}}, "web1 was shut down before it was deleted"},
		{[][3]string{{"PUT", "", `{"power_on":true}`}, {"GET", "", ``}, {"POST", "/discs", `{"label":"data","size":100}`}}, "web1 was shut down"},
	} {
		s := newStage(t, 1)
		s.call("PUT", "/virtual_machines/web1", `{"autoreboot_on":false}`)
		s.call("POST", "/virtual_machines/web1/signal", `{"signal":"powerdown"}`)
		for _, call := range test.calls {
			s.pass(10 * time.Second)
			s.call(call[0], "/virtual_machines/web1"+call[1], call[2])
		}
		if got := s.page("").events(); !slices.Contains(got, test.want) {
			t.Errorf("%q is not in %q", test.want, got)
		}
	}
}

// TestRequestsAreFolded: a write has its own row, reads in between share one, and failed requests are never folded.
func TestRequestsAreFolded(t *testing.T) {
	t.Parallel()
	s := newStage(t, 1)
	for range 5 {
		s.call("GET", "/virtual_machines/web1", "")
	}
	s.call("PUT", "/virtual_machines/web1", `{"keymap":"de","token":"SECRET"}`)
	s.call("GET", "/virtual_machines/web1?token=SECRET", "")
	s.emulator.ExpireAPIKey("apikey.demo", s.now.Add(-time.Hour))
	s.call("GET", "/virtual_machines/web1", "")
	var got []string
	for _, row := range s.page("").Requests {
		if row.Count > 0 {
			got = append(got, plural(row.Count, "read"))
			continue
		}
		got = append(got, row.Method+" "+row.Machine+" "+row.Line())
	}
	if want := []string{"GET web1 ", "1 read", `PUT web1 {"keymap":"de","token":"…"}`, "5 reads"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
