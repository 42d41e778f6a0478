package emulator

import "time"

// iceberg is the grade of cold storage: of stored backups, and of a disc during its restore.
const iceberg = "iceberg"

// discTarget decodes virtual_machine_id, the machine to which a disc moves (API.md §4). Both machines must be off, and
// the disc must not be the boot disc.
func (c *call) discTarget(m *storedMachine, d Disc, label string) *storedMachine {
	const attribute = "virtual_machine_id"
	id := c.form.integer(attribute, 1)
	if id == nil || *id == m.ID {
		return m
	}
	target := c.store.machines[*id]
	switch {
	case target == nil || target.Deleted || target.group.account.suspended || !c.user.sees(target.group.account):
		c.form.problems.add(attribute, notListed)
	case d.ID == m.Discs[0].ID:
		c.form.problems.add(attribute, "cannot be changed for a boot disc")
	case !m.idle() || !target.idle():
		c.form.problems.add(attribute, "cannot be changed while a virtual machine is on")
	case len(target.Discs) >= maxDiscs:
		c.form.problems.add(attribute, "has too many discs (maximum is %d discs)", maxDiscs)
	default:
		c.form.freeLabel(label, target.Discs)
	}
	return target
}

// moveDisc moves a disc with its data to another machine.
func (s *store) moveDisc(from, to *storedMachine, id int64) {
	for _, d := range from.Discs {
		if d.ID == id {
			s.touch(from)
			s.touch(to)
			from.removeDisc(id)
			to.Discs = append(to.Discs, d)
			s.watch(to)
			return
		}
	}
}

// copyDisc starts to copy a disc's data to a grade: as a migration, or as a restore if the present grade is iceberg.
func (s *store) copyDisc(m *storedMachine, d *Disc, present, target string, now time.Time) {
	d.StorageGrade, d.StoragePool = present, poolOf(present)
	d.NewStorageGrade, d.NewStoragePool = target, poolOf(target)
	d.CopyBegan, d.CopyEnds = now, now.Add(s.options.CopyTime)
	s.watch(m)
}

// finishCopy sets the target grade of a disc if its copy is complete.
func (d *Disc) finishCopy(now time.Time) {
	if d.CopyEnds.IsZero() || d.CopyEnds.After(now) {
		return
	}
	d.StorageGrade, d.StoragePool = d.NewStorageGrade, d.NewStoragePool
	d.NewStorageGrade, d.NewStoragePool, d.MigrationProgress = "", "", 0
	d.CopyBegan, d.CopyEnds = time.Time{}, time.Time{}
}

// progress returns the progress of a copy in percent.
func progress(began, ends, now time.Time) int64 {
	if total := ends.Sub(began); total > 0 {
		return min(99, max(0, int64(100*now.Sub(began)/total)))
	}
	return 0
}

// runDiscsDue carries out everything that is due by now for a machine's discs.
func (s *store) runDiscsDue(m *storedMachine, now time.Time) {
	for n := range m.Discs {
		m.Discs[n].finishCopy(now)
		s.takeScheduled(&m.Discs[n], now)
	}
}
