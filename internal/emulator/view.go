package emulator

import (
	"maps"
	"slices"
	"time"
)

// View is the world for people.
type View struct {
	Time     time.Time
	Accounts []AccountView
	Users    []UserView
	Keys     []KeyView
	// Offered are the definitions that are lists of names.
	Offered map[string][]string
}

// UserView is a user, and the accounts that the user sees; none is all.
type UserView struct {
	Name, Password string
	SecondFactor   bool
	Accounts       []string
}

// KeyView is an API key.
type KeyView struct {
	Key, User string
	Expires   time.Time // zero: never
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
	IPv4     string // ranges of a private VLAN
	IPv6     string
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
	RDNS    []RDNSView
}

// RDNSView is a reverse name that was set.
type RDNSView struct{ Address, Name string }

// Task is something that happens in the background.
type Task struct {
	What    string
	Percent int64
	Left    time.Duration
}

// View returns the world as it is now.
func (e *Emulator) View() View {
	v := View{Offered: map[string][]string{}}
	e.update(func(s *store) {
		v.Time = e.now()
		for _, a := range sortedByID(s.accounts) {
			account := AccountView{ID: a.id, Name: a.name, Suspended: a.suspended, Closed: a.closed}
			for _, g := range a.sorted() {
				account.Groups = append(account.Groups, s.view(g, v.Time))
			}
			v.Accounts = append(v.Accounts, account)
		}
		for _, name := range slices.Sorted(maps.Keys(s.users)) {
			v.Users = append(v.Users, UserView{name, s.users[name].Password, s.users[name].SecondFactor, s.users[name].Accounts})
		}
		for id, data := range s.definitions {
			v.Offered[id], _ = data.([]string)
		}
		for _, key := range slices.Sorted(maps.Keys(s.apiKeys)) {
			v.Keys = append(v.Keys, KeyView{key, s.apiKeys[key].user, s.apiKeys[key].expires})
		}
	})
	return v
}

func (s *store) view(g *group, now time.Time) GroupView {
	v := GroupView{ID: g.id, Name: g.name, Private: g.vlan.private}
	if g.vlan.private {
		v.IPv4, v.IPv6 = g.vlan.ipv4.ranges[0].String(), g.vlan.ipv6.ranges[0].String()
	}
	for _, m := range sortedByID(g.machines) {
		shown := MachineView{Machine: m.export(), Power: m.power(), Tasks: m.tasks(now)}
		if m.Image != nil {
			shown.Waiting = m.Image.Distribution
		}
		for _, a := range m.held {
			if name := s.addresses[a].rdns; name != "" {
				shown.RDNS = append(shown.RDNS, RDNSView{a.String(), name})
			}
		}
		v.Machines = append(v.Machines, shown)
	}
	return v
}

// power returns what a machine's power is, or is becoming.
func (m *machine) power() string {
	switch {
	case m.UnderWay != nil && m.UnderWay.What == booting && m.Image != nil:
		return "installing"
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
