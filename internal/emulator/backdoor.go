package emulator

import (
	"fmt"
	"time"
)

// The back door changes the world without a request, for tests of drift and loss. Each method is atomic, and none of
// them appears in the journal.

// Machine returns a copy of a machine, including a soft-deleted one.
func (e *Emulator) Machine(id int64) (found Machine, ok bool) {
	e.withMachine(id, func(_ *store, m *storedMachine) {
		found, ok = m.export(), true
	})
	return found, ok
}

// Machines returns copies of all machines by id, including soft-deleted ones.
func (e *Emulator) Machines() []Machine {
	list := []Machine{}
	e.update(func(s *store) {
		for _, m := range sortedByID(s.machines) {
			list = append(list, m.export())
		}
	})
	return list
}

// Change calls f to change a machine. Its name, group (by GroupID) and addresses are moved accordingly, and a change of
// PowerOn ends a transition that is under way. If the machine or its new group is unknown, or its new name or an
// address is taken, Change returns an error and changes nothing.
func (e *Emulator) Change(id int64, f func(*Machine)) (err error) {
	e.update(func(s *store) {
		m, ok := s.machines[id]
		if !ok {
			err = fmt.Errorf("no machine %d", id)
			return
		}
		s.touch(m)
		changed := m.export()
		f(&changed)
		changed.ID = id
		err = s.change(m, changed, e.now())
	})
	return err
}

// change replaces m's fields with changed.
func (s *store) change(m *storedMachine, changed Machine, now time.Time) error {
	g, ok := s.groups[changed.GroupID]
	if !ok {
		return fmt.Errorf("no group %d", changed.GroupID)
	}
	if other, exists := g.machines[changed.Name]; exists && other != m {
		return fmt.Errorf("name %q %s", changed.Name, taken)
	}
	if err := s.hold(m, changed.Interfaces); err != nil {
		return err
	}
	switched := changed.PowerOn != m.PowerOn
	if switched {
		m.UnderWay = nil
	}
	for n := range changed.Discs {
		s.completeDisc(&changed.Discs[n])
	}
	name := changed.Name
	changed.Name = m.Name
	m.Machine = changed.clone()
	s.place(m, g, name)
	if switched {
		s.switched(m, m.PowerOn, now)
	}
	s.watch(m)
	s.keepUp(m, now)
	return nil
}

// AddMachine adds a machine that can be described at once, and returns its ID. It returns 0 if the group is unknown, or
// if the ID, the name or an address is taken. Zero fields get the service's defaults, and nil Interfaces one interface
// with addresses of the group's VLAN.
func (e *Emulator) AddMachine(account, group string, described Machine) (id int64) {
	e.update(func(s *store) {
		g := s.groupNamed(account, group)
		if g == nil || g.machines[described.Name] != nil || s.machines[described.ID] != nil {
			return
		}
		m := &storedMachine{Machine: described.clone(), group: g}
		if s.add(m, ips{}) == nil {
			s.touchNew(m)
			id = m.ID
			s.watch(m)
			s.keepUp(m, e.now())
		}
	})
	return id
}

// Purge destroys a machine, if it exists.
func (e *Emulator) Purge(id int64) { e.withMachine(id, (*store).purge) }

// SoftDelete stops and hides a machine, if it exists.
func (e *Emulator) SoftDelete(id int64) {
	e.withMachine(id, func(s *store, m *storedMachine) { s.softDelete(m, e.now()) })
}

// FailHost switches a machine off, as a failure of its host does, and reports whether it was on. With autoreboot_on it
// comes back.
func (e *Emulator) FailHost(id int64) (failed bool) {
	e.withMachine(id, func(s *store, m *storedMachine) {
		if failed = m.PowerOn; failed {
			s.off(m, e.now())
			s.record(e.now(), cause{by: ByStaff, host: true})
		}
	})
	return failed
}

// withMachine calls f with a machine, if it exists.
func (e *Emulator) withMachine(id int64, f func(*store, *storedMachine)) {
	e.update(func(s *store) {
		if m := s.machines[id]; m != nil {
			s.touch(m)
			f(s, m)
		}
	})
}

// groupNamed returns a group by names, nil when there is none.
func (s *store) groupNamed(account, name string) *storedGroup {
	if a := s.accountsByName[account]; a != nil {
		return a.groups[name]
	}
	return nil
}

// export returns a copy of a machine for a caller.
func (m *storedMachine) export() Machine {
	copied := m.clone()
	copied.Account, copied.Group = m.group.account.name, m.group.name
	copied.Hostname = m.hostname()
	return copied
}
