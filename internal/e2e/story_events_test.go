package e2e_test

import (
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// events are what happens in stories besides what the user does. To add one, add a row.
func events() map[string]func(s *story, with map[string]string) {
	change := func(f func(m *emulator.Machine, with map[string]string)) func(*story, map[string]string) {
		return func(s *story, with map[string]string) {
			s.must(s.e.Change(s.machine(with["machine"]).ID, func(m *emulator.Machine) { f(m, with) }))
		}
	}
	return map[string]func(s *story, with map[string]string){
		"somebody renames a machine":      change(func(m *emulator.Machine, with map[string]string) { m.Name = with["to"] }),
		"somebody switches a machine off": change(func(m *emulator.Machine, _ map[string]string) { m.PowerOn, m.AutorebootOn = false, false }),
		"guest ignores the shutdown":      change(func(m *emulator.Machine, _ map[string]string) { m.IgnoresPowerdown = true }),
		"guest does not answer":           change(func(m *emulator.Machine, _ map[string]string) { m.Deaf = true }),
		"guest answers":                   change(func(m *emulator.Machine, _ map[string]string) { m.Deaf = false }),
		"somebody creates a machine": func(s *story, with map[string]string) {
			s.e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
				Name: with["name"], PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 10240}},
			})
		},
		"somebody attaches a disc": func(s *story, with map[string]string) {
			s.e.AddDisc(s.machine(with["machine"]).ID, emulator.Disc{Label: with["label"], Size: 5120})
		},
		"somebody moves a disc": func(s *story, with map[string]string) {
			s.must(s.e.MoveDisc(s.machine(with["machine"]).ID, with["label"], s.machine(with["to"]).ID))
		},
		"somebody sets a reverse name": func(s *story, with map[string]string) {
			other := s.e.NewDriver(s.T, nil)
			theirs := other.MustImport(s.Context(), rdnsType, with["address"])
			other.MustApply(s.Context(), rdnsType, theirs, object{"address": with["address"], "hostname": with["hostname"]})
		},
		"service loses an answer": func(s *story, with map[string]string) {
			method, path, _ := strings.Cut(with["to"], " ")
			s.e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool { return r.Method == method && strings.HasSuffix(r.Path, path) },
				Times: 1, AfterEffect: true, Cut: true,
			})
		},
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

// world returns what exists: machines with their IDs, groups, schedules and reverse names.
func (s *story) world() (lines []string) {
	for _, name := range s.e.GroupNames(emulator.DemoAccount) {
		if name != emulator.DefaultGroup && name != emulator.PrivateGroup {
			lines = append(lines, "group "+name)
		}
	}
	for _, m := range s.e.Machines() {
		power := map[bool]string{true: "on", false: "off"}[m.PowerOn]
		if m.Deleted {
			power = "soft-deleted"
		}
		line := fmt.Sprintf("machine %d %s of %s: %s, %d cores, %d MB", m.ID, m.Name, m.Group, power, m.Cores, m.Memory)
		if m.LastImagedWith != "" {
			line += fmt.Sprintf(", image %d %s", m.Images, m.LastImagedWith)
		}
		lines = append(lines, line)
		for _, d := range m.Discs {
			lines = append(lines, fmt.Sprintf("  disc %d %s: %d MB", d.ID, d.Label, d.Size))
			if d.Backups != nil {
				for _, schedule := range d.Backups.Schedules {
					lines = append(lines, fmt.Sprintf("  schedule %d: every %d s", schedule.ID, schedule.IntervalSeconds))
				}
			}
		}
		for _, i := range m.Interfaces {
			for _, address := range i.IPs {
				if name := s.e.ReverseName(address); name != "" && !strings.HasPrefix(name, m.Name+".") {
					lines = append(lines, "  "+address+" is "+name)
				}
			}
		}
	}
	if down := s.e.Power().MaxDown; down > 1 {
		lines = append(lines, fmt.Sprintf("%d machines were down at the same time", down))
	}
	if lines == nil {
		return []string{"nothing"}
	}
	return lines
}
