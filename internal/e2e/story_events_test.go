// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// arguments are those of an event.
type arguments map[string]string

// events are what happens in stories besides commands. To add one, add a row.
var events = map[string]func(*story, arguments){
	"somebody creates a machine":      createMachine,
	"somebody renames a machine":      change(func(m *emulator.Machine, with arguments) { m.Name = with["to"] }),
	"somebody switches a machine off": change(switchOff),
	"somebody purges a machine":       func(s *story, with arguments) { s.e.Purge(s.machine(with["machine"]).ID) },
	"somebody attaches a disc":        change(attachDisc),
	"somebody removes a disc":         change(removeDisc),
	"somebody renames a disc":         changeDisc(func(d *emulator.Disc, with arguments) { d.Label = with["to"] }),
	"somebody grows a disc":           changeDisc(func(d *emulator.Disc, _ arguments) { d.Size *= 2 }),
	"somebody moves a disc":           moveDisc,
	"somebody creates a group":        func(s *story, with arguments) { s.e.AddGroup(demo, with["name"], false) },
	"somebody sets a reverse name":    setReverseName,

	"service hides the account":      func(s *story, _ arguments) { s.e.CloseAccount(demo, true) },
	"service shows the account":      func(s *story, _ arguments) { s.e.CloseAccount(demo, false) },
	"service ends all sessions":      func(s *story, _ arguments) { s.e.ExpireSessions() },
	"service retires a distribution": retireDistribution,
	"service loses the answer":       loseAnswer,
	"service answers":                answer,

	"guest ignores the shutdown": change(func(m *emulator.Machine, _ arguments) { m.IgnoresPowerdown = true }),
	"guest does not answer":      change(func(m *emulator.Machine, _ arguments) { m.Deaf = true }),
	"guest answers":              change(func(m *emulator.Machine, _ arguments) { m.Deaf = false }),

	"user waits":          func(s *story, with arguments) { time.Sleep(s.duration(with["for"])) },
	"user presses Ctrl-C": func(s *story, _ arguments) { s.must(s.running.Stop(s.Context())) },
}

const demo = emulator.DemoAccount

// change returns an event that changes a machine.
func change(f func(*emulator.Machine, arguments)) func(*story, arguments) {
	return func(s *story, with arguments) {
		s.must(s.e.Change(s.machine(with["machine"]).ID, func(m *emulator.Machine) { f(m, with) }))
	}
}

// changeDisc returns an event that changes a disc of a machine.
func changeDisc(f func(*emulator.Disc, arguments)) func(*story, arguments) {
	return change(func(m *emulator.Machine, with arguments) {
		for i := range m.Discs {
			if m.Discs[i].Label == with["label"] {
				f(&m.Discs[i], with)
			}
		}
	})
}

func switchOff(m *emulator.Machine, _ arguments) { m.PowerOn, m.AutorebootOn = false, false }

func attachDisc(m *emulator.Machine, with arguments) {
	m.Discs = append(m.Discs, emulator.Disc{Label: with["label"], Size: 5120})
}

func removeDisc(m *emulator.Machine, with arguments) {
	m.Discs = slices.DeleteFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == with["label"] })
}

func moveDisc(s *story, with arguments) {
	var moved []emulator.Disc
	for _, d := range s.machine(with["machine"]).Discs {
		if d.Label == with["label"] {
			moved = append(moved, d)
		}
	}
	change(removeDisc)(s, with)
	s.must(s.e.Change(s.machine(with["to"]).ID, func(m *emulator.Machine) { m.Discs = append(m.Discs, moved...) }))
}

// createMachine creates a machine with two discs. With id, it has the ID of a machine that was purged.
func createMachine(s *story, with arguments) {
	id, _ := strconv.ParseInt(with["id"], 10, 64)
	s.e.AddMachine(demo, cmp.Or(with["group"], emulator.DefaultGroup), emulator.Machine{
		ID: id, Name: with["name"], PowerOn: true,
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 10240}},
	})
}

// setReverseName sets a reverse name with another state.
func setReverseName(s *story, with arguments) {
	const typeName = "cloudserver_rdns"
	other := s.e.NewDriver(s.T, nil)
	theirs := other.MustImport(s.Context(), typeName, with["address"])
	config := map[string]any{"address": with["address"], "hostname": with["hostname"]}
	other.MustApply(s.Context(), typeName, theirs, config)
}

func retireDistribution(s *story, with arguments) {
	s.e.SetDefinitions(func(sets map[string]any) {
		offered, _ := sets["distributions"].([]string)
		retired := func(name string) bool { return name == with["name"] }
		sets["distributions"] = slices.DeleteFunc(slices.Clone(offered), retired)
	})
}

// loseAnswer makes the service carry out a request, and cut the connection.
func loseAnswer(s *story, with arguments) {
	s.e.Inject(emulator.Fault{Match: requests(with["to"], ""), Times: 1, AfterEffect: true, Cut: true})
}

// answer makes the service answer requests without carrying them out: those that to selects, if the text is in their
// body. It does so once or, with for, during a period that begins with the first of them.
func answer(s *story, with arguments) {
	status, body, _ := strings.Cut(with["with"], " ")
	code, err := strconv.Atoi(status)
	s.must(err)
	fault := emulator.Fault{Match: requests(with["to"], with["text"]), Status: code, Body: body, Times: 1}
	if body != "" {
		fault.Header = http.Header{"Content-Type": {"application/json"}}
	}
	if with["for"] != "" {
		fault.Times, fault.Match = 0, during(s.duration(with["for"]), fault.Match)
	}
	s.e.Inject(fault)
}

// requests selects requests by method and end of the path ("PUT /virtual_machines/1004", "GET ", "* "), and by a text
// in the body.
func requests(to, text string) func(emulator.Request) bool {
	method, path, _ := strings.Cut(to, " ")
	return func(r emulator.Request) bool {
		return (method == "*" || method == r.Method) && strings.HasSuffix(r.Path, path) &&
			strings.Contains(string(r.Body), text)
	}
}

// during selects requests for a period that begins with the first one.
func during(period time.Duration, selects func(emulator.Request) bool) func(emulator.Request) bool {
	var first time.Time
	return func(r emulator.Request) bool {
		if !selects(r) {
			return false
		}
		if first.IsZero() {
			first = r.Time
		}
		return r.Time.Sub(first) < period
	}
}

func (s *story) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *story) duration(text string) time.Duration {
	s.Helper()
	d, err := time.ParseDuration(text)
	s.must(err)
	return d
}

// machine returns the machine with a name.
func (s *story) machine(name string) emulator.Machine {
	s.Helper()
	for _, m := range s.e.Machines() {
		if m.Name == name {
			return m
		}
	}
	s.Fatalf("%s: there is no machine %q", s.file, name)
	return emulator.Machine{}
}

// world returns what exists: groups, machines with their IDs and discs, schedules and reverse names. It ends with how
// many machines were down during the step.
func (s *story) world() (lines []string) {
	for _, name := range s.e.GroupNames(demo) {
		if name != emulator.DefaultGroup && name != emulator.PrivateGroup {
			lines = append(lines, "group "+name)
		}
	}
	for _, m := range s.e.Machines() {
		lines = append(lines, s.described(m)...)
	}
	if down := s.e.Power().MaxDown; down > 0 {
		lines = append(lines, fmt.Sprintf("most machines down at once: %d", down))
	}
	if lines == nil {
		return []string{"nothing"}
	}
	return lines
}

func (s *story) described(m emulator.Machine) []string {
	power := map[bool]string{true: "on", false: "off"}[m.PowerOn]
	if m.Deleted {
		power = "soft-deleted"
	}
	first := fmt.Sprintf("machine %d %s of %s: %s, %d cores, %d MB", m.ID, m.Name, m.Group, power, m.Cores, m.Memory)
	if m.LastImagedWith != "" {
		first += fmt.Sprintf(", image %d %s", m.Images, m.LastImagedWith)
	}
	lines := []string{first}
	for _, d := range m.Discs {
		lines = append(lines, fmt.Sprintf("  disc %d %s: %d MB", d.ID, d.Label, d.Size))
		if d.Backups == nil {
			continue
		}
		for _, schedule := range d.Backups.Schedules {
			lines = append(lines, fmt.Sprintf("  schedule %d: every %d s", schedule.ID, schedule.IntervalSeconds))
		}
	}
	for _, i := range m.Interfaces {
		for _, address := range i.IPs {
			if name := s.e.ReverseName(address); name != "" && !strings.HasPrefix(name, m.Name+".") {
				lines = append(lines, "  "+address+" is "+name)
			}
		}
	}
	return lines
}
