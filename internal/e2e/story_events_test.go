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

// events are what happens in stories besides commands. To add one, add a row.
var events map[string]func(s *story, with map[string]string)

func init() { // because an event that sets a reverse name drives a provider, as stories do
	events = map[string]func(s *story, with map[string]string){
		"somebody renames a machine":      change(func(m *emulator.Machine, with map[string]string) { m.Name = with["to"] }),
		"somebody switches a machine off": change(func(m *emulator.Machine, _ map[string]string) { m.PowerOn, m.AutorebootOn = false, false }),
		"somebody attaches a disc": change(func(m *emulator.Machine, with map[string]string) {
			m.Discs = append(m.Discs, emulator.Disc{Label: with["label"], Size: 5120})
		}),
		"somebody removes a disc": change(func(m *emulator.Machine, with map[string]string) {
			m.Discs = slices.DeleteFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == with["label"] })
		}),
		"somebody renames a disc": changeDisc(func(d *emulator.Disc, with map[string]string) { d.Label = with["to"] }),
		"somebody grows a disc":   changeDisc(func(d *emulator.Disc, with map[string]string) { d.Size *= 2 }),
		"somebody moves a disc":   moveDisc,
		"somebody purges a machine": func(s *story, with map[string]string) {
			s.e.Purge(s.machine(with["machine"]).ID)
		},
		"somebody creates a machine":   createMachine,
		"somebody sets a reverse name": setReverseName,
		"somebody creates a group": func(s *story, with map[string]string) {
			s.e.AddGroup(emulator.DemoAccount, with["name"], false)
		},

		"service hides the account":      func(s *story, _ map[string]string) { s.e.CloseAccount(emulator.DemoAccount, true) },
		"service shows the account":      func(s *story, _ map[string]string) { s.e.CloseAccount(emulator.DemoAccount, false) },
		"service ends all sessions":      func(s *story, _ map[string]string) { s.e.ExpireSessions() },
		"service retires a distribution": retireDistribution,
		"service answers":                answer,
		"service loses the answer": func(s *story, with map[string]string) {
			s.e.Inject(emulator.Fault{Match: requests(with["to"]), Times: 1, AfterEffect: true, Cut: true})
		},

		"guest ignores the shutdown": change(func(m *emulator.Machine, _ map[string]string) { m.IgnoresPowerdown = true }),
		"guest does not answer":      change(func(m *emulator.Machine, _ map[string]string) { m.Deaf = true }),
		"guest answers":              change(func(m *emulator.Machine, _ map[string]string) { m.Deaf = false }),

		"user waits": func(_ *story, with map[string]string) {
			period, _ := time.ParseDuration(with["for"])
			time.Sleep(period)
		},
		"user presses Ctrl-C": func(s *story, _ map[string]string) { s.must(s.running.Stop(s.Context())) },
	}
}

// change returns an event that changes a machine.
func change(f func(m *emulator.Machine, with map[string]string)) func(*story, map[string]string) {
	return func(s *story, with map[string]string) {
		s.must(s.e.Change(s.machine(with["machine"]).ID, func(m *emulator.Machine) { f(m, with) }))
	}
}

// changeDisc returns an event that changes a disc of a machine.
func changeDisc(f func(d *emulator.Disc, with map[string]string)) func(*story, map[string]string) {
	return change(func(m *emulator.Machine, with map[string]string) {
		for i := range m.Discs {
			if m.Discs[i].Label == with["label"] {
				f(&m.Discs[i], with)
			}
		}
	})
}

func moveDisc(s *story, with map[string]string) {
	var moved emulator.Disc
	s.must(s.e.Change(s.machine(with["machine"]).ID, func(m *emulator.Machine) {
		i := slices.IndexFunc(m.Discs, func(d emulator.Disc) bool { return d.Label == with["label"] })
		moved = m.Discs[i]
		m.Discs = slices.Delete(m.Discs, i, i+1)
	}))
	s.must(s.e.Change(s.machine(with["to"]).ID, func(m *emulator.Machine) { m.Discs = append(m.Discs, moved) }))
}

// createMachine creates a machine with two discs. With id, it has the ID of a machine that was purged.
func createMachine(s *story, with map[string]string) {
	id, _ := strconv.ParseInt(with["id"], 10, 64)
	s.e.AddMachine(emulator.DemoAccount, cmp.Or(with["group"], emulator.DefaultGroup), emulator.Machine{
		ID: id, Name: with["name"], PowerOn: true,
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 10240}},
	})
}

// setReverseName sets a reverse name with another state.
func setReverseName(s *story, with map[string]string) {
	const typeName = "cloudserver_rdns"
	other := s.e.NewDriver(s.T, nil)
	theirs := other.MustImport(s.Context(), typeName, with["address"])
	other.MustApply(s.Context(), typeName, theirs, map[string]any{"address": with["address"], "hostname": with["hostname"]})
}

func retireDistribution(s *story, with map[string]string) {
	s.e.SetDefinitions(func(sets map[string]any) {
		offered, _ := sets["distributions"].([]string)
		sets["distributions"] = slices.DeleteFunc(slices.Clone(offered), func(name string) bool { return name == with["name"] })
	})
}

// answer makes the service answer requests without carrying them out: those of the methods and paths of to, if there is a
// text in their body. It does so once, or for so long from the first one.
func answer(s *story, with map[string]string) {
	status, body, _ := strings.Cut(with["with"], " ")
	code, _ := strconv.Atoi(status)
	selected := requests(with["to"])
	fault := emulator.Fault{Status: code, Body: body, Times: 1, Match: func(r emulator.Request) bool {
		return selected(r) && strings.Contains(string(r.Body), with["text"])
	}}
	if body != "" {
		fault.Header = http.Header{"Content-Type": {"application/json"}}
	}
	if period, err := time.ParseDuration(with["for"]); err == nil {
		fault.Times, fault.Match = 0, during(period, fault.Match)
	}
	s.e.Inject(fault)
}

// requests selects requests by their methods and the ends of their paths: "GET|PUT /vm_create", or "* ".
func requests(to string) func(emulator.Request) bool {
	methods, path, _ := strings.Cut(to, " ")
	return func(r emulator.Request) bool {
		return (methods == "*" || slices.Contains(strings.Split(methods, "|"), r.Method)) && strings.HasSuffix(r.Path, path)
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
	for _, name := range s.e.GroupNames(emulator.DemoAccount) {
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
