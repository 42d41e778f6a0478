package emulator

import (
	"slices"
	"time"
)

// View is the world for people: without passwords and keys.
type View struct {
	Time     time.Time
	Accounts []AccountView
}

// AccountView is an account with its groups.
type AccountView struct {
	ID        int64
	Name      string
	Suspended bool
	Closed    bool
	Groups    []GroupView
}

// GroupView is a group with its machines.
type GroupView struct {
	ID       int64
	Name     string
	Private  bool
	IPv4     string // range of a private VLAN
	Machines []MachineView
}

// MachineView is a machine with what is happening to it.
type MachineView struct {
	Machine
	// Power is what the machine's power is, or is becoming: on, off, starting, shutting down, installing.
	Power string
	Tasks []Task
	// Waiting is the image that the first start installs.
	Waiting string
}

// Task is something that happens in the background.
type Task struct {
	What    string
	Percent int64
	Left    time.Duration
}

// View returns the world as it is now.
func (e *Emulator) View() View {
	var v View
	e.update(func(s *store) {
		v.Time = e.now()
		for _, a := range sortedByID(s.accounts) {
			account := AccountView{ID: a.id, Name: a.name, Suspended: a.suspended, Closed: a.closed}
			for _, g := range a.sorted() {
				account.Groups = append(account.Groups, g.view(v.Time))
			}
			v.Accounts = append(v.Accounts, account)
		}
	})
	return v
}

func (g *group) view(now time.Time) GroupView {
	v := GroupView{ID: g.id, Name: g.name, Private: g.vlan.private}
	if g.vlan.private {
		v.IPv4 = g.vlan.ipv4.ranges[0].String()
	}
	for _, m := range sortedByID(g.machines) {
		shown := MachineView{Machine: m.export(), Power: m.power(), Tasks: m.tasks(now)}
		if m.Image != nil && m.UnderWay == nil {
			shown.Waiting = m.Image.Distribution
		}
		v.Machines = append(v.Machines, shown)
	}
	return v
}

// power returns what a machine's power is, or is becoming.
func (m *machine) power() string {
	switch {
	case m.UnderWay != nil:
		return map[event]string{booting: "starting", shuttingDown: "shutting down", reimaging: "installing"}[m.UnderWay.What]
	case m.PowerOn:
		return "on"
	}
	return "off"
}

// tasks returns what is happening to a machine.
func (m *machine) tasks(now time.Time) []Task {
	var list []Task
	add := func(what string, began, ends time.Time) {
		if ends.After(now) {
			list = append(list, Task{what, progress(began, ends, now), ends.Sub(now)})
		}
	}
	if t := m.UnderWay; t != nil {
		what := m.power()
		if m.Image != nil && t.What != shuttingDown {
			what = "installing " + m.Image.Distribution
		}
		add(what, t.Began, t.Ends)
	}
	add("being created", m.DescribedAt.Add(-time.Second), m.DescribedAt)
	for _, d := range m.Discs {
		what := "moving disc " + d.Label + " to " + d.NewStorageGrade
		if d.StorageGrade == iceberg {
			what = "restoring disc " + d.Label
		}
		add(what, d.CopyBegan, d.CopyEnds)
		for _, b := range d.taken() {
			add("backing up disc "+d.Label, b.Began, b.Stored)
		}
	}
	return slices.Clip(list)
}
