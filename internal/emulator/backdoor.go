package emulator

import (
	"fmt"
	"slices"
)

// What follows happens behind the back of the service's clients: for tests of
// drift and loss. Each method is atomic and never in the journal.

// Machine returns a copy of a machine, also of one that is soft-deleted.
func (e *Emulator) Machine(id int64) (found Machine, ok bool) {
	e.update(func(s *store) {
		var m *machine
		if m, ok = s.machines[id]; ok {
			found = m.export()
		}
	})
	return found, ok
}

// Machines returns copies of all machines, sorted by id, with those that are
// soft-deleted.
func (e *Emulator) Machines() []Machine {
	list := []Machine{}
	e.update(func(s *store) {
		for _, m := range sortedByID(s.machines) {
			list = append(list, m.export())
		}
	})
	return list
}

// Change lets f change a machine. Name, group (by GroupID) and addresses move
// with it; a change of PowerOn ends what was under way. It is an error, and
// nothing is changed, when the machine or its new group is unknown, or its
// new name or an address is taken.
func (e *Emulator) Change(id int64, f func(*Machine)) (err error) {
	e.update(func(s *store) {
		m, ok := s.machines[id]
		if !ok {
			err = fmt.Errorf("no machine %d", id)
			return
		}
		changed := m.export()
		f(&changed)
		changed.ID = id
		err = s.change(m, changed)
	})
	return err
}

// change puts changed in the place of m's fields.
func (s *store) change(m *machine, changed Machine) error {
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
	if changed.PowerOn != m.PowerOn {
		s.unschedule(m)
	}
	for n := range changed.Discs {
		s.completeDisc(&changed.Discs[n])
	}
	name := changed.Name
	changed.Name = m.Name
	m.Machine = changed.clone()
	s.place(m, g, name)
	return nil
}

// AddMachine adds a machine that can be described at once, and returns its
// id: 0 when the group is unknown, or the name or an address is taken. Fields
// that are zero get the service's defaults; nil Interfaces get one with
// addresses of the group's VLAN.
func (e *Emulator) AddMachine(account, group string, described Machine) (id int64) {
	e.update(func(s *store) {
		g := s.groupNamed(account, group)
		if g == nil || g.machines[described.Name] != nil {
			return
		}
		m := &machine{Machine: described.clone(), group: g}
		if s.add(m, ips{}) == nil {
			id = m.ID
		}
	})
	return id
}

// Purge destroys a machine, if it is there.
func (e *Emulator) Purge(id int64) { e.withMachine(id, (*store).purge) }

// SoftDelete stops and hides a machine, if it is there.
func (e *Emulator) SoftDelete(id int64) { e.withMachine(id, (*store).softDelete) }

// AddDisc adds a disc, with the service's defaults for zero fields, and
// returns its id: 0 when the machine is unknown. Limits do not apply.
func (e *Emulator) AddDisc(id int64, d Disc) int64 {
	var disc int64
	e.withMachine(id, func(s *store, m *machine) {
		s.completeDisc(&d)
		m.Discs = append(m.Discs, d)
		disc = d.ID
	})
	return disc
}

// RemoveDisc destroys the disc with a label, if it is there.
func (e *Emulator) RemoveDisc(id int64, label string) {
	e.withMachine(id, func(_ *store, m *machine) {
		m.Discs = slices.DeleteFunc(m.Discs, func(d Disc) bool { return d.Label == label })
	})
}

// AddAccount adds an account with a group DefaultGroup on the public VLAN and
// returns its id: 0 when the name is taken. A suspended account can be read,
// but writing to it answers 403.
func (e *Emulator) AddAccount(name string, suspended bool) (id int64) {
	e.update(func(s *store) {
		if s.accountsByName[name] != nil {
			return
		}
		a := s.addAccount(name)
		a.suspended = suspended
		s.addGroup(a, DefaultGroup, s.public)
		id = a.id
	})
	return id
}

// AddUser adds a user, who may do everything, or replaces one. With a yubikey
// that is not empty, a session needs it as the second factor.
func (e *Emulator) AddUser(name, password, yubikey string) {
	e.update(func(s *store) { s.users[name] = user{name, password, yubikey} })
}

// AddGroup adds a group, on a private VLAN of its own if wanted, and returns
// its id: 0 when the account is unknown or the name is taken.
func (e *Emulator) AddGroup(account, name string, privateVLAN bool) (id int64) {
	e.update(func(s *store) {
		a := s.accountsByName[account]
		if a == nil || a.groups[name] != nil {
			return
		}
		network := s.public
		if privateVLAN {
			network = s.newPrivateVLAN()
		}
		id = s.addGroup(a, name, network).id
	})
	return id
}

// ExpireSessions ends every session. API keys stay.
func (e *Emulator) ExpireSessions() {
	e.update(func(s *store) { clear(s.sessions) })
}

// RevokeAPIKeys makes every API key invalid.
func (e *Emulator) RevokeAPIKeys() {
	e.update(func(s *store) { clear(s.apiKeys) })
}

// SetDefinitions lets f add, remove and reshape the sets of GET /definitions,
// by id. f must not keep the map.
func (e *Emulator) SetDefinitions(f func(map[string]any)) {
	e.update(func(s *store) { f(s.definitions) })
}

// withMachine runs f on a machine, if it is there.
func (e *Emulator) withMachine(id int64, f func(*store, *machine)) {
	e.update(func(s *store) {
		if m := s.machines[id]; m != nil {
			f(s, m)
		}
	})
}

// groupNamed finds a group by names, nil when there is none.
func (s *store) groupNamed(account, name string) *group {
	if a := s.accountsByName[account]; a != nil {
		return a.groups[name]
	}
	return nil
}

// export copies a machine for a caller.
func (m *machine) export() Machine {
	copied := m.clone()
	copied.Account, copied.Group = m.group.account.name, m.group.name
	copied.Hostname = m.hostname()
	return copied
}
