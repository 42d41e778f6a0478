// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// iceberg is the grade of cold storage: of stored backups, and of a disc during its restore.
const iceberg = "iceberg"

// tooManyDiscs is a problem of a machine that has, or would have, too many discs.
const tooManyDiscs = "is too long (maximum is %d discs)"

// copyWire is what the objects of discs and backups have in common: the stored Disc, and the progress of a move.
type copyWire struct {
	Type string `json:"type"`
	Disc
	MigrationProgress *int64 `json:"migration_progress,omitempty"`
}

// discWire is a disc object (API.md §4 and §8).
type discWire struct {
	copyWire
	VirtualMachineID int64            `json:"virtual_machine_id"`
	BackupCount      int              `json:"backup_count"`
	BackupSchedules  []BackupSchedule `json:"backup_schedules"`
	BackupsEnabled   bool             `json:"backups_enabled"`
}

func (c *call) copyWire(d Disc) copyWire {
	wire := copyWire{Type: mediaType("disc"), Disc: d}
	if d.NewStorageGrade != "" {
		done := d.MigrationProgress
		if total := d.CopyEnds.Sub(d.CopyBegan); total > 0 {
			done = min(99, int64(100*c.now.Sub(d.CopyBegan)/total))
		}
		wire.MigrationProgress = &done
	}
	wire.CopyBegan, wire.CopyEnds, wire.Backups = time.Time{}, time.Time{}, nil // not in the object
	return wire
}

func (c *call) discWire(m *machine, d Disc) discWire {
	wire := discWire{
		copyWire: c.copyWire(d), VirtualMachineID: m.ID,
		BackupCount: len(d.Backups.Taken), BackupSchedules: []BackupSchedule{}, BackupsEnabled: len(d.Backups.Schedules) > 0,
	}
	for _, b := range d.Backups.Schedules {
		wire.BackupSchedules = append(wire.BackupSchedules, b.shown())
	}
	return wire
}

func (c *call) discWires(m *machine) []discWire {
	list := make([]discWire, 0, len(m.Discs))
	for _, d := range m.Discs {
		list = append(list, c.discWire(m, d))
	}
	return list
}

// newDisc decodes a disc. others are the other discs of the machine.
func (c *call) newDisc(f form, others []Disc) Disc {
	d := Disc{Label: f.required("label"), Backups: &Backups{}}
	f.freeLabel(d.Label, others)
	if f.null("size") {
		f.problems.add("size", blank)
	}
	d.Size = or(f.integer("size", minDiscSize), 0)
	d.StorageGrade = or(c.oneOf("storage_grades", f, "storage_grade"), "")
	for _, nested := range f.objects("backup_schedules") {
		d.Backups.Schedules = append(d.Backups.Schedules, c.newSchedule(nested))
		for attribute, problem := range nested.problems {
			f.problems["backup_schedules."+attribute] = problem
		}
	}
	return d
}

// freeLabel refuses a label that another disc of the machine has.
func (f form) freeLabel(label string, others []Disc) {
	if strings.TrimSpace(label) != "" && labelled(others, label) != nil {
		f.problems.add("label", taken)
	}
}

// labelled returns the disc with a label, or nil.
func labelled(discs []Disc, label string) *Disc {
	return at(discs, func(d Disc) bool { return d.Label == label })
}

// at returns the first element of a list that fits, or nil.
func at[T any](list []T, fits func(T) bool) *T {
	if n := slices.IndexFunc(list, fits); n >= 0 {
		return &list[n]
	}
	return nil
}

// completeDisc sets what the service chooses: the ID, a grade, and a pool in the form <tier>-<grade> (API.md §8).
func (w *world) completeDisc(d *Disc) {
	d.ID = w.idOr(d.ID)
	d.StorageGrade = cmp.Or(d.StorageGrade, defaultGrade)
	d.StoragePool = cmp.Or(d.StoragePool, poolOf(d.StorageGrade))
	if d.NewStorageGrade != "" {
		d.NewStoragePool = cmp.Or(d.NewStoragePool, poolOf(d.NewStorageGrade))
	}
	if d.Backups == nil {
		d.Backups = &Backups{}
	}
	for n, schedule := range d.Backups.Schedules {
		d.Backups.Schedules[n].ID = w.idOr(schedule.ID)
	}
	for n, backup := range d.Backups.Taken {
		d.Backups.Taken[n].ID = w.idOr(backup.ID)
	}
}

// poolOf returns the storage pool of a grade.
func poolOf(grade string) string { return "tier1-" + grade }

// findDisc finds a disc of the machine or, if the path has no machine, the disc with an ID.
func (c *call) findDisc(key string) error {
	id := idOf(key)
	if c.machine == nil {
		return c.findDiscByID(id)
	}
	found := cmp.Or(labelled(c.machine.Discs, key), at(c.machine.Discs, func(d Disc) bool { return d.ID == id }))
	if found == nil {
		return refuse(http.StatusNotFound, "no such disc")
	}
	c.disc, c.reached.Disc = found, found.ID
	return nil
}

// findDiscByID finds a disc on any machine.
func (c *call) findDiscByID(id int64) error {
	for _, m := range c.world.machines {
		d := at(m.Discs, func(d Disc) bool { return d.ID == id })
		if d != nil && c.user.sees(m.group.account) && (!m.Deleted || c.flag("include_deleted")) {
			c.machine, c.disc, c.reached.Disc = m, d, d.ID
			return nil
		}
	}
	return refuse(http.StatusNotFound, "no such disc")
}

// listDiscs is GET …/discs (API.md §4).
func listDiscs(c *call) (answer, error) {
	return reply("", c.discWires(c.machine))
}

// showDisc is GET …/discs/{disc} and GET /discs/{id}.
func showDisc(c *call) (answer, error) {
	return reply("disc", c.discWire(c.machine, *c.disc))
}

// createDisc is POST …/discs.
func createDisc(c *call) (answer, error) {
	m := c.machine
	d := c.newDisc(c.form, m.Discs)
	if len(m.Discs) >= maxDiscs {
		c.form.problems.add("discs", tooManyDiscs, maxDiscs)
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	c.world.addDisc(m, &d)
	c.reached.Disc = d.ID
	return answer{http.StatusCreated, "disc", c.discWire(m, d)}, nil
}

// addDisc completes a disc and appends it to a machine's.
func (w *world) addDisc(m *machine, d *Disc) {
	w.completeDisc(d)
	m.Discs = append(m.Discs, *d)
}

// updateDisc is PUT …/discs/{disc}: it grows, renames or moves a disc. Changing storage_grade is refused.
func updateDisc(c *call) (answer, error) {
	m, d := c.machine, c.disc
	changed := *d
	changed.Size = or(c.form.integer("size", minDiscSize), d.Size)
	if changed.Size < d.Size {
		c.form.problems.add("size", atLeast, d.Size)
	}
	if c.form.has("label") {
		if changed.Label = c.form.required("label"); changed.Label != d.Label {
			c.form.freeLabel(changed.Label, m.Discs)
		}
	}
	if or(c.form.text("storage_grade"), d.StorageGrade) != d.StorageGrade {
		c.form.problems.add("storage_grade", "cannot be changed")
	}
	target := c.discTarget(m, *d, changed.Label)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	*d = changed
	if target != m {
		m.removeDisc(d.ID)
		target.Discs = append(target.Discs, changed)
	}
	return reply("disc", c.discWire(target, changed))
}

// discTarget decodes virtual_machine_id, the machine to which a disc moves (API.md §4). Both machines must be off, and
// the disc must not be the boot disc.
func (c *call) discTarget(m *machine, d Disc, label string) *machine {
	const attribute = "virtual_machine_id"
	id := c.form.integer(attribute, 1)
	if id == nil || *id == m.ID {
		return m
	}
	target := c.world.machines[*id]
	switch {
	case target == nil || target.Deleted || target.group.account.Suspended || !c.user.sees(target.group.account):
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

// purgeDisc is DELETE …/discs/{disc}?purge=true; without purge=true it answers 500.
func purgeDisc(c *call) (answer, error) {
	if !c.flag("purge") {
		return answer{}, refuse(http.StatusInternalServerError, "discs can only be purged")
	}
	c.machine.removeDisc(c.disc.ID)
	return gone()
}

// removeDisc removes a disc from a machine.
func (m *machine) removeDisc(id int64) {
	m.Discs = slices.DeleteFunc(m.Discs, func(d Disc) bool { return d.ID == id })
}

// move starts to move a disc from a grade to another one.
func (d *Disc) move(from, to string, began, ends time.Time) {
	d.StorageGrade, d.StoragePool = from, poolOf(from)
	d.NewStorageGrade, d.NewStoragePool = to, poolOf(to)
	d.CopyBegan, d.CopyEnds = began, ends
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
