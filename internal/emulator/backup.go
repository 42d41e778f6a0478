package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Backups are the backups of a disc and their schedules.
type Backups struct {
	Schedules []BackupSchedule `json:"schedules,omitempty" description:"Backup schedules."`
	Taken     []Backup         `json:"taken,omitempty" description:"Backups."`
}

// backups returns the backups of a disc, for changes.
func (d *Disc) backups() *Backups {
	if d.Backups == nil {
		d.Backups = &Backups{}
	}
	return d.Backups
}

// schedules and taken return the backup schedules and the backups of a disc.
func (d Disc) schedules() []BackupSchedule { return d.backups().Schedules }
func (d Disc) taken() []Backup             { return d.backups().Taken }

// Backup is a stored copy of a disc.
type Backup struct {
	ID     int64  `json:"id" minimum:"1" maximum:"9007199254740991" description:"Numeric ID. Assigned when absent."`
	Label  string `json:"label" description:"Label."`
	Size   int64  `json:"size" minimum:"1" description:"Megabytes."` // megabytes
	Manual bool   `json:"manual,omitempty" description:"Whether somebody asked for it."`
	// Began and Stored are the start and the end of the copy.
	Began  time.Time `json:"began,omitzero" description:"Beginning of the copy."`
	Stored time.Time `json:"stored,omitzero" description:"End of the copy."`
	// Grade is the disc's grade, from which the backup is copied.
	Grade string `json:"grade" description:"Storage grade of the disc."`
}

// takeBackup starts a backup of a disc.
func (s *store) takeBackup(d *Disc, manual bool, at time.Time) *Backup {
	b := d.backups()
	b.Taken = append(b.Taken, Backup{
		ID: s.id(), Label: d.Label + " " + at.UTC().Format(time.DateTime), Size: d.Size, Manual: manual,
		Began: at, Stored: at.Add(s.options.CopyTime), Grade: d.StorageGrade,
	})
	return &b.Taken[len(b.Taken)-1]
}

// backup returns the backup that the path names, with its disc.
func (c *call) backup() (*storedMachine, *Disc, *Backup, error) {
	m, d, err := c.disc()
	if err != nil {
		return nil, nil, nil, err
	}
	found, ok := resolve(c.store, c.path["backup"],
		func(label string) (*Backup, bool) {
			return at(d.taken(), slices.IndexFunc(d.taken(), func(b Backup) bool { return b.Label == label }))
		},
		func(id int64) (*Backup, bool) {
			return at(d.taken(), slices.IndexFunc(d.taken(), func(b Backup) bool { return b.ID == id }))
		})
	if !ok {
		return nil, nil, nil, refuse(http.StatusNotFound, "no such backup")
	}
	return m, d, found, nil
}

// listBackups is GET …/discs/{disc}/backups (API.md §4).
func listBackups(c *call) (answer, error) {
	_, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	list := []backupWire{}
	for _, b := range d.taken() {
		list = append(list, c.backupWire(*d, b))
	}
	return reply("", list)
}

// createBackup is POST …/discs/{disc}/backups, which takes a backup now.
func createBackup(c *call) (answer, error) {
	_, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusCreated, "disc", c.backupWire(*d, *c.store.takeBackup(d, true, c.now))}, nil
}

// restoreBackup is PUT …/backups/{backup} with restore true. The backup must be complete and the disc must not be in a
// migration or restore.
func restoreBackup(c *call) (answer, error) {
	m, d, b, err := c.backup()
	if err != nil {
		return answer{}, err
	}
	switch restore := c.form.boolean("restore"); {
	case len(c.form.problems) == 0 && !or(restore, false):
		c.form.problems.add("restore", blank)
	case b.Stored.After(c.now):
		c.form.problems.add("restore", "is not possible before the backup is stored")
	case !d.CopyEnds.IsZero():
		c.form.problems.add("restore", "is not possible while the disc is being moved")
	}
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	c.store.copyDisc(m, d, iceberg, d.StorageGrade, c.now)
	return reply("disc", c.backupWire(*d, *b))
}

// purgeBackup is DELETE …/backups/{backup}?purge=true.
func purgeBackup(c *call) (answer, error) {
	_, d, b, err := c.backup()
	if err != nil {
		return answer{}, err
	}
	if !c.flag("purge") {
		return answer{}, refuse(http.StatusInternalServerError, "backups can only be purged")
	}
	id := b.ID
	d.Backups.Taken = slices.DeleteFunc(d.Backups.Taken, func(other Backup) bool { return other.ID == id })
	return gone()
}

// BackupSchedule takes backups of a disc at intervals.
type BackupSchedule struct {
	ID              int64  `json:"id" minimum:"1" maximum:"9007199254740991" required:"false" description:"Numeric ID. Assigned when absent."`
	StartAt         string `json:"start_at" pattern:"^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d( UTC)?$" description:"First backup, as YYYY-MM-DD hh:mm:ss in UTC."` // as time.DateTime, in UTC
	IntervalSeconds int64  `json:"interval_seconds" minimum:"1" description:"Seconds between backups."`
	// Capacity is how many scheduled backups are kept.
	Capacity int64 `json:"capacity" minimum:"1" maximum:"1000" description:"How many backups are kept."`
	// Taken counts the backups so far.
	Taken int64 `json:"taken,omitempty" minimum:"0" description:"Backups so far."`
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
	m, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	b := c.newSchedule(c.form)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	b.ID = c.store.id()
	d.backups().Schedules = append(d.schedules(), b)
	c.store.watch(m)
	return answer{http.StatusCreated, "", scheduleWires([]BackupSchedule{b})[0]}, nil
}

// deleteSchedule is DELETE …/discs/{disc}/backup_schedules/{id}.
func deleteSchedule(c *call) (answer, error) {
	_, d, err := c.disc()
	if err != nil {
		return answer{}, err
	}
	id, err := strconv.ParseInt(c.path["schedule"], 10, 64)
	n := slices.IndexFunc(d.schedules(), func(b BackupSchedule) bool { return b.ID == id })
	if err != nil || n < 0 {
		return answer{}, refuse(http.StatusNotFound, "no such backup schedule")
	}
	d.Backups.Schedules = slices.Delete(d.Backups.Schedules, n, n+1)
	return gone()
}

// next returns when the next backup is due. ok is false if that is not within ten thousand years.
func (b BackupSchedule) next() (time.Time, bool) {
	const ever = 10_000 * 366 * 24 * 3600 // seconds
	start, ok := parseStart(b.StartAt)
	if !ok || b.IntervalSeconds <= 0 || b.Taken > ever/b.IntervalSeconds {
		return time.Time{}, false
	}
	return time.Unix(start.Unix()+b.Taken*b.IntervalSeconds, 0).UTC(), true
}

// takeScheduled takes the backups of a disc that are due by now, and keeps as many as each schedule allows.
func (s *store) takeScheduled(d *Disc, now time.Time) {
	for n := range d.schedules() {
		b := &d.Backups.Schedules[n]
		start, ok := parseStart(b.StartAt)
		if !ok || start.After(now) || b.IntervalSeconds <= 0 {
			continue
		}
		due := (now.Unix()-start.Unix())/b.IntervalSeconds + 1
		// After a long time, take only those that would be kept.
		for b.Taken = max(b.Taken, due-b.Capacity); b.Taken < due; b.Taken++ {
			at, _ := b.next()
			s.takeBackup(d, false, at)
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
