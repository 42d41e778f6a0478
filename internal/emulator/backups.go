// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"time"
)

// backupWire is a backup: a disc object with its parent.
type backupWire struct {
	copyWire
	ParentDiscID int64 `json:"parent_disc_id"`
	Manual       bool  `json:"manual"`
}

// backupWire returns the object of a backup. Until it is complete, it has the disc's grade and is being moved to
// iceberg.
func (c *call) backupWire(d Disc, b Backup) backupWire {
	shown := Disc{ID: b.ID, Label: b.Label, Size: b.Size, StorageGrade: iceberg, StoragePool: poolOf(iceberg)}
	if b.Stored.After(c.now) {
		shown.move(b.Grade, iceberg, b.Began, b.Stored)
	}
	return backupWire{copyWire: c.copyWire(shown), ParentDiscID: d.ID, Manual: b.Manual}
}

// takeBackup starts a backup of a disc.
func (e *Emulator) takeBackup(d *Disc, manual bool, at time.Time) *Backup {
	b := d.Backups
	b.Taken = append(b.Taken, Backup{
		ID: e.world.id(), Label: d.Label + " " + at.UTC().Format(time.DateTime), Size: d.Size, Manual: manual,
		Began: at, Stored: at.Add(e.options.CopyTime), Grade: d.StorageGrade,
	})
	return &b.Taken[len(b.Taken)-1]
}

// findBackup finds a backup of the disc.
func (c *call) findBackup(key string) error {
	id := idOf(key)
	c.backup = cmp.Or(
		at(c.disc.Backups.Taken, func(b Backup) bool { return b.Label == key }),
		at(c.disc.Backups.Taken, func(b Backup) bool { return b.ID == id }),
	)
	if c.backup == nil {
		return refuse(http.StatusNotFound, "no such backup")
	}
	return nil
}

// listBackups is GET …/discs/{disc}/backups (API.md §4).
func listBackups(c *call) (answer, error) {
	list := []backupWire{}
	for _, b := range c.disc.Backups.Taken {
		list = append(list, c.backupWire(*c.disc, b))
	}
	return reply("", list)
}

// createBackup is POST …/discs/{disc}/backups, which takes a backup now.
func createBackup(c *call) (answer, error) {
	return answer{http.StatusCreated, "disc", c.backupWire(*c.disc, *c.e.takeBackup(c.disc, true, c.now))}, nil
}

// shortestRestore is the minimum duration of a restore: a client must be able to see that it has begun.
const shortestRestore = time.Second

// restoreBackup is PUT …/backups/{backup} with restore true. The backup must be complete and the disc must not be in a
// migration or restore.
func restoreBackup(c *call) (answer, error) {
	d := c.disc
	switch restore := c.form.boolean("restore"); {
	case len(c.form.problems) == 0 && !or(restore, false):
		c.form.problems.add("restore", blank)
	case c.backup.Stored.After(c.now):
		c.form.problems.add("restore", "is not possible before the backup is stored")
	case !d.CopyEnds.IsZero():
		c.form.problems.add("restore", "is not possible while the disc is being moved")
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	d.move(iceberg, d.StorageGrade, c.now, c.now.Add(max(c.e.options.CopyTime, shortestRestore))) // from cold storage
	return reply("disc", c.backupWire(*d, *c.backup))
}

// purgeBackup is DELETE …/backups/{backup}?purge=true.
func purgeBackup(c *call) (answer, error) {
	if !c.flag("purge") {
		return answer{}, refuse(http.StatusInternalServerError, "backups can only be purged")
	}
	id := c.backup.ID
	c.disc.Backups.Taken = slices.DeleteFunc(c.disc.Backups.Taken, func(other Backup) bool { return other.ID == id })
	return gone()
}

// newSchedule reads a backup schedule.
func (c *call) newSchedule(f form) BackupSchedule {
	b := BackupSchedule{StartAt: f.required("start_at"), Capacity: or(f.integer("capacity", 1), 1)}
	if b.Capacity > maxBackups {
		f.problems.add("capacity", atMost, maxBackups)
	}
	if start, ok := parseStart(b.StartAt); ok {
		b.StartAt = start.Format(time.DateTime)
	} else if b.StartAt != "" {
		f.problems.add("start_at", invalid)
	}
	if f.null("interval_seconds") {
		f.problems.add("interval_seconds", blank)
	}
	b.IntervalSeconds = or(f.integer("interval_seconds", 1), 0)
	if len(f.problems) == 0 {
		b.Taken = b.due(c.now.Add(-time.Second)) // none for the time before the schedule existed
	}
	return b
}

// parseStart parses the start of a schedule: in UTC, stated or not, or in the format of RFC 3339.
func parseStart(written string) (time.Time, bool) {
	for _, layout := range []string{time.DateTime, time.DateTime + " UTC", time.RFC3339} {
		if start, err := time.Parse(layout, written); err == nil {
			return start.UTC(), true
		}
	}
	return time.Time{}, false
}

// createSchedule is POST …/discs/{disc}/backup_schedules (API.md §4).
func createSchedule(c *call) (answer, error) {
	b := c.newSchedule(c.form)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	b.ID = c.world.id()
	c.disc.Backups.Schedules = append(c.disc.Backups.Schedules, b)
	return answer{http.StatusCreated, "", b.shown()}, nil
}

// deleteSchedule is DELETE …/discs/{disc}/backup_schedules/{id}.
func deleteSchedule(c *call) (answer, error) {
	d := c.disc
	id := idOf(c.PathValue("schedule"))
	n := slices.IndexFunc(d.Backups.Schedules, func(b BackupSchedule) bool { return b.ID == id })
	if n < 0 {
		return answer{}, refuse(http.StatusNotFound, "no such backup schedule")
	}
	d.Backups.Schedules = slices.Delete(d.Backups.Schedules, n, n+1)
	return gone()
}

// shown returns a schedule as the service reports it.
func (b BackupSchedule) shown() BackupSchedule {
	b.Taken = 0
	return b
}

// due returns how many backups are due by a time.
func (b BackupSchedule) due(by time.Time) int64 {
	start, _ := parseStart(b.StartAt) // was valid when the schedule was created or loaded
	if start.After(by) {
		return 0
	}
	return (by.Unix()-start.Unix())/b.IntervalSeconds + 1
}

// next returns when the next backup is due.
func (b BackupSchedule) next() time.Time {
	start, _ := parseStart(b.StartAt)
	return time.Unix(start.Unix()+b.Taken*b.IntervalSeconds, 0).UTC()
}

// takeScheduled takes the backups of a disc that are due by now, and drops the oldest ones beyond the capacity of all
// schedules.
func (e *Emulator) takeScheduled(d *Disc, now time.Time) {
	var surplus int64
	for n := range d.Backups.Schedules {
		b := &d.Backups.Schedules[n]
		// After a long time, take only those that would be kept.
		for b.Taken = max(b.Taken, b.due(now)-b.Capacity); b.Taken < b.due(now); b.Taken++ {
			e.takeBackup(d, false, b.next())
		}
		surplus -= b.Capacity
	}
	if len(d.Backups.Schedules) == 0 {
		return // backups of a deleted schedule stay
	}
	for _, b := range d.Backups.Taken {
		if !b.Manual {
			surplus++
		}
	}
	d.Backups.Taken = slices.DeleteFunc(d.Backups.Taken, func(b Backup) bool {
		if b.Manual || surplus <= 0 {
			return false
		}
		surplus--
		return true
	})
}
