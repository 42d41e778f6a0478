package emulator

import (
	"slices"
	"time"
)

// View is the world for display.
type View struct {
	World
	Time time.Time
	// Offered are the definitions that are lists of names.
	Offered map[string][]string
}

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
		v.Time, v.World = e.now(), s.world()
		for id, data := range s.definitions {
			v.Offered[id], _ = data.([]string)
		}
		for _, a := range v.Accounts {
			for _, g := range a.Groups {
				for n := range g.Machines {
					m := s.machines[g.Machines[n].ID]
					g.Machines[n].Power, g.Machines[n].Tasks = m.power(), m.tasks(v.Time, s.options.GuestBoot)
				}
			}
		}
	})
	return v
}

// power returns a machine's power, or the power that it is changing to.
func (m *storedMachine) power() string {
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
func (m *storedMachine) tasks(now time.Time, guestBoot time.Duration) []Task {
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
	if m.GuestBooting {
		add("booting", m.OnSince, m.OnSince.Add(guestBoot))
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
