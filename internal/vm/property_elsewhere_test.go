package vm_test

import (
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// elsewhereChange is a change that somebody else makes at the service.
type elsewhereChange struct {
	name string
	do   func(l *life, m emulator.Machine) error
}

func elsewhereChanges() []elsewhereChange {
	change := func(f func(l *life, m *emulator.Machine)) func(*life, emulator.Machine) error {
		return func(l *life, m emulator.Machine) error {
			return l.e.Change(m.ID, func(now *emulator.Machine) { f(l, now) })
		}
	}
	return []elsewhereChange{
		{"rename", change(func(l *life, m *emulator.Machine) { m.Name = fmt.Sprintf("renamed%d", l.rng.IntN(99)) })},
		{"resize", change(func(_ *life, m *emulator.Machine) { m.Cores, m.Memory = 3, 3000 })},
		{"another profile", change(func(_ *life, m *emulator.Machine) { m.HardwareProfile = "compatibility2011" })},
		{"autoreboot", change(func(_ *life, m *emulator.Machine) { m.AutorebootOn = !m.AutorebootOn })},
		{"power", change(func(_ *life, m *emulator.Machine) { m.PowerOn, m.AutorebootOn = !m.PowerOn, !m.PowerOn })},
		{"CD", change(func(_ *life, m *emulator.Machine) { m.CDROMURL = "https://images.example/rescue.iso" })},
		{"image", change(func(_ *life, m *emulator.Machine) { m.LastImagedWith = "noble" })},
		{"move", change(func(l *life, m *emulator.Machine) { m.GroupID = pick(l.rng, l.groups...).id })},
		{"grow a disc", change(func(l *life, m *emulator.Machine) { m.Discs[l.rng.IntN(len(m.Discs))].Size += 2048 })},
		{"rename and grow a disc", change(func(l *life, m *emulator.Machine) {
			d := &m.Discs[l.rng.IntN(len(m.Discs))]
			d.Label, d.Size = fmt.Sprintf("else%d", l.rng.IntN(99)), d.Size+512
		})},
		{"attach a disc", (*life).attach},
		{"attach a disc", (*life).attach},
		{"detach a disc", (*life).detach},
		{"move a disc away", (*life).moveDisc},
		{"rename a disc", func(l *life, m emulator.Machine) error {
			return l.e.RenameDisc(m.ID, pick(l.rng, m.Discs...).Label, fmt.Sprintf("else%d", l.rng.IntN(99)))
		}},
		{"rename every disc", change(func(l *life, m *emulator.Machine) {
			for i := range m.Discs {
				m.Discs[i].Label = fmt.Sprintf("else%d", 100*i+l.rng.IntN(99))
			}
		})},
		{"exchange labels", change(func(_ *life, m *emulator.Machine) {
			last := len(m.Discs) - 1
			m.Discs[0].Label, m.Discs[last].Label = m.Discs[last].Label, m.Discs[0].Label
		})},
		{"regrade a disc", func(l *life, m emulator.Machine) error {
			return l.e.RegradeDisc(m.ID, pick(l.rng, m.Discs...).Label, pick(l.rng, "ssd", "archive"))
		}},
		{"migrate a disc", func(l *life, m emulator.Machine) error {
			return l.e.MigrateDisc(m.ID, pick(l.rng, m.Discs...).Label, pick(l.rng, "ssd", "archive"))
		}},
		{"restore a disc", func(l *life, m emulator.Machine) error {
			return l.e.RestoreDisc(m.ID, pick(l.rng, m.Discs...).Label)
		}},
		{"soft-delete", func(l *life, m emulator.Machine) error { l.e.SoftDelete(m.ID); return nil }},
		{"purge", func(l *life, m emulator.Machine) error { l.e.Purge(m.ID); return nil }},
		{"a machine named like the id", (*life).addNamesake},
		{"a machine named like the id", (*life).addNamesake},
		{"a group named like the id", (*life).addGroupNamesake},
		{"a disc labelled like the id", func(l *life, m emulator.Machine) error {
			return l.e.AttachDisc(m.ID, emulator.Disc{Label: fmt.Sprint(pick(l.rng, m.Discs...).ID), Size: 1024})
		}},
		{"a machine with the next name", func(l *life, m emulator.Machine) error {
			l.addOther(m.Account, m.Group, l.drawName())
			return nil
		}},
		{"rename a group", (*life).renameGroup},
	}
}

// changeElsewhere makes a random change outside Terraform.
func (l *life) changeElsewhere() {
	s := pick(l.rng, l.instances...)
	m, ok := l.machine(s)
	if !ok || m.Deleted || len(m.Discs) == 0 {
		return
	}
	c := pick(l.rng, elsewhereChanges()...)
	err := c.do(l, m)
	l.record("elsewhere: %s of %s (%d): %v", c.name, s.name, m.ID, err)
	if err == nil {
		now, _ := l.e.Machine(m.ID)
		for _, d := range now.Discs {
			l.relabelled[d.ID] = l.relabelled[d.ID] || discOf(m, d.Label).ID != d.ID
		}
		s.calm = false
		if c.name == "rename a group" || c.name == "a group named like the id" {
			for _, s := range l.instances {
				s.calm = false
			}
		}
	}
	l.noteOthers()
}

// noteOthers records the machines of others as they are now.
func (l *life) noteOthers() {
	for id := range l.others {
		if m, ok := l.e.Machine(id); ok {
			l.others[id] = m
		}
	}
}

// addOther adds a machine that is in no state.
func (l *life) addOther(account, group, name string) int64 {
	id := l.e.AddMachine(account, group, emulator.Machine{Name: name, Discs: []emulator.Disc{{Label: "vda", Size: 2048}}})
	if m, ok := l.e.Machine(id); ok {
		l.others[id] = m
	}
	return id
}

// addNamesake adds up to three machines whose names are the IDs of our machines.
func (l *life) addNamesake(m emulator.Machine) error {
	for _, s := range l.instances {
		if own, ok := l.machine(s); ok && (own.ID == m.ID || chance(l.rng, 2)) {
			id := l.addOther(m.Account, m.Group, fmt.Sprint(own.ID))
			if chance(l.rng, 4) {
				l.e.SoftDelete(id)
			}
		}
	}
	return nil
}

// addGroupNamesake adds a group whose name is the ID of our machine's group. A machine in it has the name of ours, or
// its ID as the name.
func (l *life) addGroupNamesake(m emulator.Machine) error {
	name := fmt.Sprint(m.GroupID)
	if l.e.AddGroup(m.Account, name, false) == 0 {
		return fmt.Errorf("taken")
	}
	l.addOther(m.Account, name, pick(l.rng, m.Name, fmt.Sprint(m.ID)))
	return nil
}

func (l *life) attach(m emulator.Machine) error {
	d := emulator.Disc{Label: pick(l.rng, "vdz", "disc1", "disc2", "Disc3", "foreign"), Size: pick(l.rng, int64(2048), 5000, 9000), StorageGrade: pick(l.rng, "sata", "ssd")}
	if len(l.detached) > 0 {
		d, l.detached = l.detached[0], l.detached[1:]
	}
	return l.e.AttachDisc(m.ID, d)
}

func (l *life) detach(m emulator.Machine) error {
	if len(m.Discs) < 2 {
		return fmt.Errorf("only one")
	}
	d, err := l.e.DetachDisc(m.ID, pick(l.rng, m.Discs[1:]...).Label)
	if err == nil {
		l.detached = append(l.detached, d)
	}
	return err
}

func (l *life) moveDisc(m emulator.Machine) error {
	if len(m.Discs) < 2 {
		return fmt.Errorf("only one")
	}
	to := l.addOther("demo", "default", fmt.Sprintf("keeper%d", l.rng.IntN(1000)))
	return l.e.MoveDisc(m.ID, pick(l.rng, m.Discs[1:]...).Label, to)
}

// renameGroup renames the machine's group. In half of the cases, a new group gets the old name.
func (l *life) renameGroup(m emulator.Machine) error {
	renamed := fmt.Sprintf("moved%d.x", l.rng.IntN(1000))
	if err := l.e.RenameGroup(m.Account, m.Group, renamed); err != nil {
		return err
	}
	if chance(l.rng, 2) {
		l.e.AddGroup(m.Account, m.Group, false)
	}
	for i, p := range l.groups {
		if p.account == m.Account && p.name == m.Group {
			l.groups[i].name = renamed
		}
	}
	return nil
}

// clearObstacles removes or renames whatever could make an apply fail.
func (l *life) clearObstacles() {
	for id := range l.others {
		if m, ok := l.e.Machine(id); ok && len(m.Discs) < 2 {
			l.e.Purge(id)
			delete(l.others, id)
		} else if ok {
			_ = l.e.Change(id, func(m *emulator.Machine) { m.Name = fmt.Sprintf("aside%d", m.ID) })
		}
	}
	for _, s := range l.instances {
		m, ok := l.machine(s)
		for _, d := range m.Discs {
			if _, digits := parseNumber(d.Label); ok && digits {
				l.e.RemoveDisc(m.ID, d.Label)
			}
		}
	}
	for _, m := range l.e.Machines() {
		if m.Deleted {
			l.e.Purge(m.ID)
		}
	}
	for _, account := range []string{"demo", "other"} { // they may have been renamed
		l.e.AddGroup(account, "default", false)
		l.e.AddGroup(account, "private", true)
	}
	for _, p := range l.groups {
		_ = l.e.RenameGroup(p.account, fmt.Sprint(p.id), fmt.Sprintf("aside%d", p.id))
	}
	l.noteOthers()
}

func parseNumber(text string) (n int64, ok bool) {
	_, err := fmt.Sscanf(text, "%d", &n)
	return n, err == nil && fmt.Sprint(n) == text
}
