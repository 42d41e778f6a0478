package emulator

import (
	"fmt"
	"time"
)

// AddDisc adds a disc, with the service's defaults for zero fields, and returns its ID, or 0 if the machine is unknown.
// Limits do not apply.
func (e *Emulator) AddDisc(id int64, d Disc) int64 {
	var disc int64
	e.withMachine(id, func(s *store, m *storedMachine) {
		d = d.clone()
		s.addDisc(m, &d)
		disc = d.ID
	})
	return disc
}

// RemoveDisc destroys the disc with a label, if it exists.
func (e *Emulator) RemoveDisc(id int64, label string) {
	_, _ = e.DetachDisc(id, label)
}

// DetachDisc removes a disc from its machine and returns it, so that AttachDisc can add it to another one. Until then
// the service does not know the disc.
func (e *Emulator) DetachDisc(id int64, label string) (detached Disc, err error) {
	err = e.withDisc(id, label, func(_ *store, m *storedMachine, d *Disc, _ time.Time) error {
		detached = d.clone()
		m.removeDisc(d.ID)
		return nil
	})
	return detached, err
}

// AttachDisc adds a disc to a machine, and keeps its ID if it has one. It returns an error if the machine is unknown or
// has a disc with the same label.
func (e *Emulator) AttachDisc(id int64, d Disc) error {
	err := fmt.Errorf("no machine %d", id)
	e.withMachine(id, func(s *store, m *storedMachine) {
		if err = m.labelFree(d.Label); err == nil {
			d = d.clone()
			s.addDisc(m, &d)
		}
	})
	return err
}

// MoveDisc moves a disc with its data to another machine. The rules of the service do not apply.
func (e *Emulator) MoveDisc(id int64, label string, to int64) error {
	return e.withDisc(id, label, func(s *store, m *storedMachine, d *Disc, _ time.Time) error {
		target := s.machines[to]
		if target == nil {
			return fmt.Errorf("no machine %d", to)
		}
		if err := target.labelFree(label); err != nil {
			return err
		}
		s.moveDisc(m, target, d.ID)
		return nil
	})
}

// RenameDisc changes the label of a disc.
func (e *Emulator) RenameDisc(id int64, label, renamed string) error {
	return e.withDisc(id, label, func(_ *store, m *storedMachine, d *Disc, _ time.Time) error {
		if err := m.labelFree(renamed); err != nil {
			return err
		}
		d.Label = renamed
		return nil
	})
}

// RegradeDisc changes a disc's grade at once, as the service's staff can.
func (e *Emulator) RegradeDisc(id int64, label, grade string) error {
	return e.withDisc(id, label, func(_ *store, _ *storedMachine, d *Disc, _ time.Time) error {
		d.StorageGrade, d.StoragePool = grade, poolOf(grade)
		return nil
	})
}

// MigrateDisc starts the migration of a disc to another grade. It ends after Options.CopyTime.
func (e *Emulator) MigrateDisc(id int64, label, grade string) error {
	return e.MigrateDiscTo(id, label, grade, "")
}

// MigrateDiscTo starts the migration of a disc to a pool of a grade. "" means the disc's current grade, and the grade's
// usual pool.
func (e *Emulator) MigrateDiscTo(id int64, label, grade, pool string) error {
	return e.withDisc(id, label, func(s *store, m *storedMachine, d *Disc, now time.Time) error {
		s.copyDisc(m, d, d.StorageGrade, orElse(grade, d.StorageGrade), now)
		d.NewStoragePool = orElse(pool, d.NewStoragePool)
		return nil
	})
}

// RestoreDisc starts the restore of a disc from a backup. It ends after Options.CopyTime.
func (e *Emulator) RestoreDisc(id int64, label string) error {
	return e.withDisc(id, label, func(s *store, m *storedMachine, d *Disc, now time.Time) error {
		s.copyDisc(m, d, iceberg, d.StorageGrade, now)
		return nil
	})
}

// BackUpDisc starts a manual backup of a disc. It ends after Options.CopyTime.
func (e *Emulator) BackUpDisc(id int64, label string) (backup int64, err error) {
	err = e.withDisc(id, label, func(s *store, _ *storedMachine, d *Disc, now time.Time) error {
		backup = s.takeBackup(d, true, now).ID
		return nil
	})
	return backup, err
}

// withDisc calls f with a disc.
func (e *Emulator) withDisc(id int64, label string, f func(*store, *storedMachine, *Disc, time.Time) error) error {
	err := fmt.Errorf("no machine %d", id)
	e.withMachine(id, func(s *store, m *storedMachine) {
		d, ok := at(m.Discs, indexOfLabel(m.Discs, label))
		if !ok {
			err = fmt.Errorf("no disc %q on machine %d", label, id)
			return
		}
		err = f(s, m, d, e.now())
	})
	return err
}

// labelFree returns an error if a disc of the machine has the label.
func (m *storedMachine) labelFree(label string) error {
	if indexOfLabel(m.Discs, label) >= 0 {
		return fmt.Errorf("label %q %s", label, taken)
	}
	return nil
}
