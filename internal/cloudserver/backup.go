package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Successes that do not say what was created.
var (
	errNoScheduleID = errors.New("the service created a backup schedule without returning its ID")
	errNoBackupID   = errors.New("the service started a backup without returning its ID")
)

// BackupSchedule says when backups of a disc are taken (API.md §4).
type BackupSchedule struct {
	ID              int64
	StartAt         string // "YYYY-MM-DD hh:mm:ss"
	IntervalSeconds int64
	Capacity        *int64 // how many backups are kept
}

// UnmarshalJSON decodes any JSON object.
func (s *BackupSchedule) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID              looseInt  `json:"id"`
		StartAt         looseText `json:"start_at"`
		IntervalSeconds looseInt  `json:"interval_seconds"`
		Capacity        looseInt  `json:"capacity"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a backup schedule was expected, not %s", kindOf(data))
	}
	*s = BackupSchedule{
		ID: valueOf(wire.ID.value), StartAt: valueOf(wire.StartAt.value),
		IntervalSeconds: valueOf(wire.IntervalSeconds.value), Capacity: wire.Capacity.value,
	}
	return nil
}

// BackupScheduleSpec is a backup schedule to be created.
type BackupScheduleSpec struct {
	StartAt         string `json:"start_at"` // see StartTime
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        *int64 `json:"capacity,omitempty"` // nil: the service chooses
}

// matches reports whether a schedule is as specified.
func (s BackupScheduleSpec) matches(schedule BackupSchedule) bool {
	return SameTime(s.StartAt, schedule.StartAt) && s.IntervalSeconds == schedule.IntervalSeconds && agrees(s.Capacity, schedule.Capacity)
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

// Backup is a backup of a disc, which is a disc itself. It is in progress until
// its storage grade is that of cold storage (API.md §4).
type Backup struct {
	Disc
	ParentDiscID int64
	Manual       *bool // false: a schedule took it
}

// UnmarshalJSON decodes any JSON object.
func (b *Backup) UnmarshalJSON(data []byte) error {
	var wire struct {
		ParentDiscID looseInt  `json:"parent_disc_id"`
		Manual       looseBool `json:"manual"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a backup was expected, not %s", kindOf(data))
	}
	*b = Backup{ParentDiscID: valueOf(wire.ParentDiscID.value), Manual: wire.Manual.value}
	return b.Disc.UnmarshalJSON(data)
}

// CreateBackupSchedule adds a backup schedule to a disc (API.md §4). If the
// service does not return the schedule, the disc is read to find it.
// It is not repeated: a second request would add a second schedule.
func (c *Client) CreateBackupSchedule(ctx context.Context, vm Ref, disc int64, schedule BackupScheduleSpec) (*BackupSchedule, error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, path: vm.discPath(disc, "backup_schedules"), body: schedule})
	if err != nil {
		return nil, err
	}
	created, err := optional[BackupSchedule](answer)
	switch {
	case err != nil:
		return nil, err
	case created.ID != 0:
		return &created, nil
	}
	parent, err := c.Disc(ctx, disc)
	if err != nil {
		return nil, &AmbiguousError{What: "the backup schedule", Err: errNoScheduleID, LookErr: err}
	}
	if newest := newest(parent.BackupSchedules, schedule.matches, func(s BackupSchedule) int64 { return s.ID }); newest != nil {
		return newest, nil
	}
	return nil, &AmbiguousError{What: "the backup schedule", Err: errNoScheduleID}
}

// DeleteBackupSchedule deletes a backup schedule (API.md §4). For one that is
// already gone the error is IsNotFound.
// It is repeated: a second request does no harm.
func (c *Client) DeleteBackupSchedule(ctx context.Context, vm Ref, disc, schedule int64) error {
	path := vm.discPath(disc, "backup_schedules", IDText(schedule))
	_, err := c.do(ctx, call{method: http.MethodDelete, path: path})
	return err
}

// Backups reads the backups of a disc (API.md §4).
func (c *Client) Backups(ctx context.Context, vm Ref, disc int64) ([]Backup, error) {
	return list[Backup](ctx, c, vm.discPath(disc, "backups"), nil)
}

// TakeBackup starts a backup of a disc (API.md §4). If the service does not
// return the backup, it is the newest that no schedule has taken.
// It is not repeated: a second request would take a second backup.
func (c *Client) TakeBackup(ctx context.Context, vm Ref, disc int64) (*Backup, error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, path: vm.discPath(disc, "backups"), body: struct{}{}})
	if err != nil {
		return nil, err
	}
	taken, err := optional[Backup](answer)
	switch {
	case err != nil:
		return nil, err
	case taken.ID != 0:
		return &taken, nil
	}
	backups, err := c.Backups(ctx, vm, disc)
	if err != nil {
		return nil, &AmbiguousError{What: "the backup", Err: errNoBackupID, LookErr: err}
	}
	byHand := func(b Backup) bool { return b.Manual == nil || *b.Manual }
	if newest := newest(backups, byHand, func(b Backup) int64 { return b.ID }); newest != nil {
		return newest, nil
	}
	return nil, &AmbiguousError{What: "the backup", Err: errNoBackupID}
}

// RestoreBackup starts to replace the contents of a disc by those of a backup
// (API.md §4). It is sent once: a second restore would undo what the guest has
// written since the first.
func (c *Client) RestoreBackup(ctx context.Context, vm Ref, disc, backup int64) error {
	body := struct {
		Restore bool `json:"restore"`
	}{true}
	_, err := c.do(ctx, call{method: http.MethodPut, path: vm.backupPath(disc, backup), body: body, once: true})
	return err
}

func (r Ref) backupPath(disc, backup int64) []string {
	return r.discPath(disc, "backups", IDText(backup))
}

// newest returns the element with the highest id among those that are wanted,
// nil if there is none.
func newest[T any](elements []T, wanted func(T) bool, id func(T) int64) *T {
	var found *T
	for i := range elements {
		if wanted(elements[i]) && (found == nil || id(elements[i]) > id(*found)) {
			found = &elements[i]
		}
	}
	return found
}
