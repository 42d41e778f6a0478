// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// BackupSchedule is a schedule of backups of a disc (API.md §4).
type BackupSchedule struct {
	ID              int64  `json:"id"`
	StartAt         string `json:"start_at"` // "YYYY-MM-DD hh:mm:ss"
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        *int64 `json:"capacity"` // how many backups are kept
}

func (s *BackupSchedule) identity() (kind string, id int64) { return "backup schedule", s.ID }

// BackupScheduleSpec is a backup schedule to be created.
type BackupScheduleSpec struct {
	StartAt         string `json:"start_at"` // see StartTime
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        *int64 `json:"capacity,omitempty"` // nil: the service chooses
}

// SameTime reports whether two texts mean the same start of a schedule.
func SameTime(a, b string) bool { return StartTime(a) == StartTime(b) }

// StartTime returns the start of a schedule in the format of public clients. A text that is not a time is returned
// unchanged.
func StartTime(text string) string {
	if at, err := ParseStart(text); err == nil {
		return at.Format(startLayout)
	}
	return text
}

// ShownStart returns the start of a schedule in the form of RFC 3339. A text that is not a time is returned unchanged.
func ShownStart(text string) string {
	if at, err := ParseStart(text); err == nil {
		return at.Format(time.RFC3339)
	}
	return text
}

const startLayout = time.DateTime + " UTC"

// ParseStart parses the start of a schedule. Without an offset it is in UTC.
func ParseStart(text string) (at time.Time, err error) {
	layouts := []string{
		startLayout, time.DateTime, time.RFC3339, time.DateTime + " -0700", "2006-01-02T15:04:05",
	}
	for _, layout := range layouts {
		if at, err = time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return at, fmt.Errorf("%q is not a time", text)
}

// ColdStorage is the grade of a completed backup, and of a disc while it is restored from one (API.md §4).
const ColdStorage = "iceberg"

// Backup is a backup of a disc. A backup is a disc itself, and is in progress until its storage grade is ColdStorage.
type Backup struct {
	Disc
	ParentDiscID int64 `json:"parent_disc_id"`
	Manual       *bool `json:"manual"` // false: taken by a schedule
}

func (b *Backup) identity() (kind string, id int64) { return "backup", b.ID }

// CreateBackupSchedule adds a backup schedule to a disc (API.md §4). If the service does not return the schedule,
// IsAmbiguous reports true for the error. The request is not repeated, because it could add a second schedule.
func (c *Client) CreateBackupSchedule(
	ctx context.Context, vm Ref, disc int64, schedule BackupScheduleSpec,
) (*BackupSchedule, error) {
	return get[BackupSchedule](ctx, c, call{
		method: http.MethodPost, path: vm.discPath(disc, "backup_schedules"), body: schedule, once: true,
	}, 0)
}

// DeleteBackupSchedule deletes a backup schedule (API.md §4). If it is already gone, IsNotFound reports true for the
// error.
func (c *Client) DeleteBackupSchedule(ctx context.Context, vm Ref, disc, schedule int64) error {
	path := vm.discPath(disc, "backup_schedules", IDText(schedule))
	_, err := c.do(ctx, call{method: http.MethodDelete, path: path})
	return err
}

// Backups reads the backups of a disc (API.md §4).
func (c *Client) Backups(ctx context.Context, vm Ref, disc int64) ([]Backup, error) {
	return getList[Backup](ctx, c, vm.discPath(disc, "backups"), nil)
}

// TakeBackup starts a backup of a disc (API.md §4). If the service does not return the backup, IsAmbiguous reports true
// for the error. The request is not repeated, because it could take a second backup.
func (c *Client) TakeBackup(ctx context.Context, vm Ref, disc int64) (*Backup, error) {
	return get[Backup](ctx, c, call{
		method: http.MethodPost, path: vm.discPath(disc, "backups"), body: struct{}{}, once: true,
	}, 0)
}

// DeleteBackup deletes a backup of a disc (API.md §4). If it is already gone, IsNotFound reports true for the error.
func (c *Client) DeleteBackup(ctx context.Context, vm Ref, disc, backup int64) error {
	path := vm.discPath(disc, "backups", IDText(backup))
	_, err := c.do(ctx, call{method: http.MethodDelete, path: path, query: purgeQuery})
	return err
}

// RestoreBackup starts to replace the contents of a disc by those of a backup (API.md §4). The request is not repeated,
// because a second restore would undo what the guest has written since the first.
func (c *Client) RestoreBackup(ctx context.Context, vm Ref, disc, backup int64) error {
	path, body := vm.discPath(disc, "backups", IDText(backup)), map[string]bool{"restore": true}
	_, err := c.do(ctx, call{method: http.MethodPut, path: path, body: body, once: true})
	return err
}
