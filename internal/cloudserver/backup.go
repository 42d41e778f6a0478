package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// BackupSchedule says when backups of a disc are taken (API.md §4).
type BackupSchedule struct {
	ID              int64  `json:"id"`
	StartAt         string `json:"start_at"` // "YYYY-MM-DD hh:mm:ss"
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        *int64 `json:"capacity"` // how many backups are kept
}

func (s *BackupSchedule) identity() (string, int64, string) { return "backup schedule", s.ID, "" }

// BackupScheduleSpec is a backup schedule to be created.
type BackupScheduleSpec struct {
	StartAt         string `json:"start_at"` // see StartTime
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        *int64 `json:"capacity,omitempty"` // nil: the service chooses
}

// SameTime reports whether two texts are the same start of a schedule.
func SameTime(a, b string) bool { return StartTime(a) == StartTime(b) }

// StartTime returns the start of a schedule as public clients send it. Text that is
// no time is returned as it is.
func StartTime(text string) string {
	if at, err := ParseStart(text); err == nil {
		return at.Format(startLayout)
	}
	return text
}

const startLayout = time.DateTime + " UTC"

// ParseStart reads the start of a schedule, in UTC unless it has an offset.
func ParseStart(text string) (at time.Time, err error) {
	for _, layout := range []string{startLayout, time.DateTime, time.RFC3339, time.DateTime + " -0700", "2006-01-02T15:04:05"} {
		if at, err = time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return at, fmt.Errorf("%q is not a time", text)
}

// ColdStorage is the grade of a backup that is stored, and of a disc while it is
// restored from one (API.md §4).
const ColdStorage = "iceberg"

// Backup is a backup of a disc, which is a disc itself. It is in progress until
// its storage grade is ColdStorage.
type Backup struct {
	Disc
	ParentDiscID int64 `json:"parent_disc_id"`
	Manual       *bool `json:"manual"` // false: a schedule took it
}

// CreateBackupSchedule adds a backup schedule to a disc (API.md §4). If the
// service does not return the schedule, the error is IsAmbiguous.
// It is not repeated: a second request would add a second schedule.
func (c *Client) CreateBackupSchedule(ctx context.Context, vm Ref, disc int64, schedule BackupScheduleSpec) (*BackupSchedule, error) {
	return read[BackupSchedule](ctx, c, call{method: http.MethodPost, path: vm.discPath(disc, "backup_schedules"), body: schedule}, 0, "")
}

// DeleteBackupSchedule deletes a backup schedule (API.md §4). For one that is
// already gone the error is IsNotFound. It is one attempt: the caller looks at the
// schedule before each.
func (c *Client) DeleteBackupSchedule(ctx context.Context, vm Ref, disc, schedule int64) error {
	path := vm.discPath(disc, "backup_schedules", IDText(schedule))
	_, err := c.do(ctx, call{method: http.MethodDelete, path: path, destroys: true})
	return err
}

// Backups reads the backups of a disc (API.md §4).
func (c *Client) Backups(ctx context.Context, vm Ref, disc int64) ([]Backup, error) {
	return list[Backup](ctx, c, vm.discPath(disc, "backups"), nil)
}

// TakeBackup starts a backup of a disc (API.md §4). If the service does not return
// the backup, the error is IsAmbiguous.
// It is not repeated: a second request would take a second backup.
func (c *Client) TakeBackup(ctx context.Context, vm Ref, disc int64) (*Backup, error) {
	return read[Backup](ctx, c, call{method: http.MethodPost, path: vm.discPath(disc, "backups"), body: struct{}{}}, 0, "")
}

// RestoreBackup starts to replace the contents of a disc by those of a backup
// (API.md §4). It is sent once: a second restore would undo what the guest has
// written since the first.
func (c *Client) RestoreBackup(ctx context.Context, vm Ref, disc, backup int64) error {
	path, body := vm.discPath(disc, "backups", IDText(backup)), map[string]bool{"restore": true}
	_, err := c.do(ctx, call{method: http.MethodPut, path: path, body: body, once: true})
	return err
}
