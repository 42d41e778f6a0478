package console

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// text returns a rollout as text.
func (r *rolloutView) text() string {
	if r == nil {
		return "none"
	}
	var list []string
	for _, row := range r.Rows {
		var bars []string
		for _, bar := range row.Bars {
			bars = append(bars, fmt.Sprint(bar.Class, " ", bar.X, "+", bar.Width))
		}
		list = append(list, strings.TrimSpace(row.Name+" "+row.Status+" "+strings.Join(bars, " ")))
	}
	return fmt.Sprintf("%s, at most %d: %s", r.Title, r.Most, strings.Join(list, "; "))
}

// TestRollout: a rollout shows which machines are down, which are back, which do not answer, and which were not taken
// down. A single machine is not a rollout.
func TestRollout(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	s.deafen("web2")
	s.update("web1")
	if got := s.page("").Rollout.text(); got != "none" {
		t.Errorf("one machine: %s", got)
	}
	s.pass(10 * time.Second)
	s.update("web2")
	s.pass(8 * time.Second)
	s.update("web3")
	s.pass(2 * time.Second)
	want := "demo/default, at most 2: web2 does not answer, 13 s off 480+40 booting 520+200 silent 720+280; " +
		"web1 was down 6 s off 0+40 booting 40+200; web3 booting, 3 s off 880+40 booting 920+80; web4 not taken down"
	if got := s.page("").Rollout.text(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	counts := ""
	for _, count := range s.page("").Rollout.Counts {
		counts += fmt.Sprint(count.Count, " ", count.Label, ", ")
	}
	if counts != "1 not answering, 1 booting, 1 back, 1 not taken down, " {
		t.Error(counts)
	}
	// It is shown while a machine does not answer, and for two minutes after its end.
	s.pass(10 * time.Minute)
	if got := s.page("").Rollout.text(); !strings.Contains(got, "web2 does not answer, 10 min") {
		t.Error(got)
	}
	m, err := s.machine("web2")
	if err != nil {
		t.Fatal(err)
	}
	s.emulator.SetDeaf(m.ID, false)
	s.pass(time.Minute)
	if got := s.page("").Rollout.text(); !strings.Contains(got, "web2 was down 10 min") {
		t.Error(got)
	}
	s.pass(2 * time.Minute)
	if got := s.page("").Rollout.text(); got != "none" {
		t.Error(got)
	}
}

// TestNoRollout: machines that staff switch off, whose hosts fail, or that are created, deleted or switched off to stay
// off, are not a rollout.
func TestNoRollout(t *testing.T) {
	t.Parallel()
	s := newStage(t, 4)
	for _, m := range s.emulator.Machines()[:2] {
		s.emulator.FailHost(m.ID)
	}
	for n := range 2 {
		s.call("POST", "/vm_create", fmt.Sprintf(`{"virtual_machine":{"name":"new%d","power_on":true},"discs":[{"label":"vda","size":50}]}`, n))
	}
	s.pass(time.Second)
	for _, name := range []string{"web3", "web4"} {
		s.call("DELETE", "/virtual_machines/"+name, "")
	}
	s.pass(10 * time.Second)
	if got := s.page("").Rollout.text(); got != "none" {
		t.Error(got)
	}
	for _, name := range []string{"web1", "web2"} {
		s.call("PUT", "/virtual_machines/"+name, `{"autoreboot_on":false,"power_on":false}`)
	}
	s.pass(4 * time.Minute)
	if got := s.page("").Rollout.text(); got != "none" {
		t.Error(got)
	}
}
