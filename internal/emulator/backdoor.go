// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// The back door changes the world without a request, for tests of drift and loss. Each method is atomic, and none of
// them appears in the journal.

// Machine returns a copy of a machine, including a soft-deleted one.
func (e *Emulator) Machine(id int64) (found Machine, ok bool) {
	e.withMachine(id, func(m *machine) { found, ok = m.export(), true })
	return found, ok
}

// Machines returns copies of all machines by ID, including soft-deleted ones.
func (e *Emulator) Machines() []Machine {
	list := []Machine{}
	e.update(func() {
		for _, m := range e.world.sorted() {
			list = append(list, m.export())
		}
	})
	return list
}

// Change calls f to change a machine. Its name, group (by GroupID) and addresses are moved accordingly, and a change of
// PowerOn ends a transition that is under way. If the machine or its new group is unknown, or its new name or an
// address is taken, Change returns an error and changes nothing.
func (e *Emulator) Change(id int64, f func(*Machine)) error {
	err := fmt.Errorf("no machine %d", id)
	e.withMachine(id, func(m *machine) {
		changed := m.export()
		f(&changed)
		changed.ID = id
		err = e.change(m, changed, now())
	})
	return err
}

// change replaces m's fields with changed.
func (e *Emulator) change(m *machine, changed Machine, now time.Time) error {
	w := e.world
	g := w.groups[changed.GroupID]
	if g == nil {
		return fmt.Errorf("no group %d", changed.GroupID)
	}
	if other := g.machine(changed.Name); other != nil && other != m {
		return fmt.Errorf("name %q %s", changed.Name, taken)
	}
	if err := w.hold(m, changed.Interfaces); err != nil {
		return err
	}
	switched := changed.PowerOn != m.PowerOn
	if switched {
		m.UnderWay = nil
	}
	for n := range changed.Discs {
		w.completeDisc(&changed.Discs[n])
	}
	m.Machine = changed.clone()
	w.place(m, g, changed.Name)
	if switched {
		e.switched(m, m.PowerOn, now)
	}
	e.countPower(now)
	e.keepUp(m, now)
	return nil
}

// AddMachine adds a machine that can be described at once, and returns its ID. It returns 0 if the group is unknown, or
// if the ID, the name or an address is taken. Zero fields get the service's defaults, and nil Interfaces one interface
// with addresses of the group's VLAN.
func (e *Emulator) AddMachine(account, group string, described Machine) (id int64) {
	e.update(func() {
		g := e.world.groupNamed(account, group)
		if g == nil || g.machine(described.Name) != nil || e.world.machines[described.ID] != nil {
			return
		}
		m := &machine{Machine: described.clone()}
		if e.world.add(m, g, ips{}) == nil {
			id = m.ID
			e.keepUp(m, now())
		}
	})
	return id
}

// Purge destroys a machine, if it exists.
func (e *Emulator) Purge(id int64) { e.withMachine(id, func(m *machine) { e.world.purge(m) }) }

// SoftDelete stops and hides a machine, if it exists.
func (e *Emulator) SoftDelete(id int64) {
	e.withMachine(id, func(m *machine) { e.softDelete(m, now()) })
}

// withMachine calls f with a machine, if it exists.
func (e *Emulator) withMachine(id int64, f func(*machine)) {
	e.update(func() {
		if m := e.world.machines[id]; m != nil {
			f(m)
		}
	})
}

// AddAccount adds an account with a group DefaultGroup on the public VLAN, and returns its ID, or 0 if the name is
// taken. A suspended account can be read, but changing it is answered with 403.
func (e *Emulator) AddAccount(name string, suspended bool) (id int64) {
	e.update(func() {
		w := e.world
		if w.account(name) != nil {
			return
		}
		a := &account{ID: w.id(), Name: name, Suspended: suspended}
		w.Accounts = append(w.Accounts, a)
		w.addGroup(a, DefaultGroup)
		id = a.ID
	})
	return id
}

// CloseAccount hides an account from everybody, or shows it again, and reports whether the account exists.
func (e *Emulator) CloseAccount(name string, closed bool) (found bool) {
	e.update(func() {
		if a := e.world.account(name); a != nil {
			a.Closed, found = closed, true
		}
	})
	return found
}

// AddGroup adds a group, optionally on a private VLAN of its own, and returns its ID, or 0 if the account is unknown or
// the name is taken.
func (e *Emulator) AddGroup(account, name string, private bool) (id int64) {
	e.update(func() {
		a := e.world.account(account)
		if a == nil || a.group(name) != nil {
			return
		}
		g := e.world.addGroup(a, name)
		if id = g.ID; private {
			network := &vlan{}
			_ = e.world.completePrivateVLAN(network) // it chooses valid ranges
			g.PrivateVLAN = network
		}
	})
	return id
}

// GroupNames returns the names of an account's groups, sorted.
func (e *Emulator) GroupNames(account string) (names []string) {
	e.update(func() {
		if a := e.world.account(account); a != nil {
			for _, g := range a.Groups {
				names = append(names, g.Name)
			}
		}
	})
	slices.Sort(names)
	return names
}

// ReverseName returns the reverse name that somebody has set for an address, or "" if nobody has, or no machine has the
// address.
func (e *Emulator) ReverseName(address string) (name string) {
	e.update(func() {
		if a, err := netip.ParseAddr(address); err == nil {
			name = e.world.RDNS[a.String()]
		}
	})
	return name
}

// AddUser adds a user, in place of one with that name.
func (e *Emulator) AddUser(user User) {
	e.update(func() {
		w := e.world
		w.Users = slices.DeleteFunc(w.Users, func(u *User) bool { return u.Name == user.Name })
		w.Users = append(w.Users, &user)
	})
}

// AddAPIKey adds an API key, in place of the one with that text. It must begin with "apikey.".
func (e *Emulator) AddAPIKey(key APIKey) {
	e.update(func() {
		w := e.world
		w.APIKeys = slices.DeleteFunc(w.APIKeys, func(k *APIKey) bool { return k.Key == key.Key })
		w.APIKeys = append(w.APIKeys, &key)
	})
}

// ExpireSessions ends every session. API keys stay.
func (e *Emulator) ExpireSessions() { e.update(func() { clear(e.sessions) }) }

// SetDefinitions calls f to add, remove and reshape the sets of GET /definitions, by ID. f must not keep the map.
func (e *Emulator) SetDefinitions(f func(map[string]any)) {
	e.update(func() { f(e.world.Definitions) })
}

// AddDisc adds a disc, with the service's defaults for zero fields, and returns its ID, or 0 if the machine is unknown.
// Limits do not apply.
func (e *Emulator) AddDisc(id int64, d Disc) (disc int64) {
	e.withMachine(id, func(m *machine) {
		d = d.clone()
		e.world.addDisc(m, &d)
		disc = d.ID
	})
	return disc
}
