package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
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

// shown returns a schedule as the service reports it.
func (b BackupSchedule) shown() BackupSchedule {
	b.Taken = 0
	return b
}

// backups returns the backups of a disc, for changes.
func (d *Disc) backups() *Backups {
	if d.Backups == nil {
		d.Backups = &Backups{}
	}
	return d.Backups
}

// schedules returns the backup schedules of a disc.
func (d Disc) schedules() []BackupSchedule {
	if d.Backups == nil {
		return nil
	}
	return d.Backups.Schedules
}

// taken returns the backups of a disc.
func (d Disc) taken() []Backup {
	if d.Backups == nil {
		return nil
	}
	return d.Backups.Taken
}

// takeBackup starts a backup of a disc.
func (e *Emulator) takeBackup(d *Disc, manual bool, at time.Time) *Backup {
	b := d.backups()
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
		at(c.disc.taken(), func(b Backup) bool { return b.Label == key }),
		at(c.disc.taken(), func(b Backup) bool { return b.ID == id }),
	)
	if c.backup == nil {
		return refuse(http.StatusNotFound, "no such backup")
	}
	return nil
}

// listBackups is GET …/discs/{disc}/backups (API.md §4).
func listBackups(c *call) (answer, error) {
	list := []backupWire{}
	for _, b := range c.disc.taken() {
		list = append(list, c.backupWire(*c.disc, b))
	}
	return reply("", list)
}

// createBackup is POST …/discs/{disc}/backups, which takes a backup now.
func createBackup(c *call) (answer, error) {
	return answer{http.StatusCreated, "disc", c.backupWire(*c.disc, *c.e.takeBackup(c.disc, true, c.now))}, nil
}

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
	d.move(iceberg, d.StorageGrade, c.now, c.now.Add(c.e.options.CopyTime)) // from cold storage
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
	if start, ok := parseStart(b.StartAt); ok && start.Before(c.now) && b.IntervalSeconds > 0 {
		// No backups for the time before the schedule existed.
		b.Taken = (c.now.Unix()-start.Unix()-1)/b.IntervalSeconds + 1
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
	c.disc.backups().Schedules = append(c.disc.schedules(), b)
	return answer{http.StatusCreated, "", b.shown()}, nil
}

// deleteSchedule is DELETE …/discs/{disc}/backup_schedules/{id}.
func deleteSchedule(c *call) (answer, error) {
	d := c.disc
	id, err := strconv.ParseInt(c.PathValue("schedule"), 10, 64)
	n := slices.IndexFunc(d.schedules(), func(b BackupSchedule) bool { return b.ID == id })
	if err != nil || n < 0 {
		return answer{}, refuse(http.StatusNotFound, "no such backup schedule")
	}
	d.Backups.Schedules = slices.Delete(d.Backups.Schedules, n, n+1)
	return gone()
}

// next returns when the next backup is due, or the zero time if that is not within ten thousand years.
func (b BackupSchedule) next() time.Time {
	const ever = 10_000 * 366 * 24 * 3600 // seconds
	start, ok := parseStart(b.StartAt)
	if !ok || b.IntervalSeconds <= 0 || b.Taken > ever/b.IntervalSeconds {
		return time.Time{}
	}
	return time.Unix(start.Unix()+b.Taken*b.IntervalSeconds, 0).UTC()
}

// takeScheduled takes the backups of a disc that are due by now, and keeps as many as each schedule allows.
func (e *Emulator) takeScheduled(d *Disc, now time.Time) {
	for n := range d.schedules() {
		b := &d.Backups.Schedules[n]
		start, ok := parseStart(b.StartAt)
		if !ok || start.After(now) || b.IntervalSeconds <= 0 {
			continue
		}
		due := (now.Unix()-start.Unix())/b.IntervalSeconds + 1
		// After a long time, take only those that would be kept.
		for b.Taken = max(b.Taken, due-b.Capacity); b.Taken < due; b.Taken++ {
			e.takeBackup(d, false, b.next())
		}
	}
	if len(d.schedules()) > 0 {
		d.dropOldBackups()
	}
}

// dropOldBackups removes the oldest scheduled backups beyond the capacity of all schedules.
func (d *Disc) dropOldBackups() {
	var capacity, scheduled int64
	for _, b := range d.schedules() {
		capacity += b.Capacity
	}
	for _, b := range slices.Backward(d.taken()) {
		if !b.Manual {
			scheduled++
		}
	}
	d.Backups.Taken = slices.DeleteFunc(d.Backups.Taken, func(b Backup) bool {
		old := !b.Manual && scheduled > capacity
		if old {
			scheduled--
		}
		return old
	})
}
