package cloudserver

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Disc is a disc as the service describes it (API.md §4). A zero or nil field
// is one that the answer does not contain, or contains in another shape.
type Disc struct {
	ID                        int64
	Label                     string
	Size                      int64 // megabytes
	StorageGrade, StoragePool string
	VirtualMachineID          int64

	// While a disc is migrated or restored, NewStorageGrade is the grade that it
	// will have and StorageGrade the one that it still has.
	NewStorageGrade, NewStoragePool string
	MigrationProgress               *int64

	BackupCount     *int64
	BackupsEnabled  *bool
	BackupSchedules []BackupSchedule // nil: not in the answer; empty: none
}

// SameLabel reports whether one label is the other as the service may normalise it.
func SameLabel(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// UnmarshalJSON decodes any JSON object.
func (d *Disc) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID                looseInt                  `json:"id"`
		Label             looseText                 `json:"label"`
		Size              looseInt                  `json:"size"`
		StorageGrade      looseText                 `json:"storage_grade"`
		StoragePool       looseText                 `json:"storage_pool"`
		VirtualMachineID  looseInt                  `json:"virtual_machine_id"`
		NewStorageGrade   looseText                 `json:"new_storage_grade"`
		NewStoragePool    looseText                 `json:"new_storage_pool"`
		MigrationProgress looseInt                  `json:"migration_progress"`
		BackupCount       looseInt                  `json:"backup_count"`
		BackupsEnabled    looseBool                 `json:"backups_enabled"`
		BackupSchedules   looseList[BackupSchedule] `json:"backup_schedules"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a disc was expected, not %s", kindOf(data))
	}
	*d = Disc{
		ID: valueOf(wire.ID.value), Label: valueOf(wire.Label.value), Size: valueOf(wire.Size.value),
		StorageGrade: valueOf(wire.StorageGrade.value), StoragePool: valueOf(wire.StoragePool.value),
		VirtualMachineID: valueOf(wire.VirtualMachineID.value),
		NewStorageGrade:  valueOf(wire.NewStorageGrade.value), NewStoragePool: valueOf(wire.NewStoragePool.value),
		MigrationProgress: wire.MigrationProgress.value,
		BackupCount:       wire.BackupCount.value, BackupsEnabled: wire.BackupsEnabled.value,
		BackupSchedules: wire.BackupSchedules.elements,
	}
	return nil
}

// DiscSpec is a disc to be created.
type DiscSpec struct {
	Label        string `json:"label"`
	Size         int64  `json:"size"`                    // megabytes
	StorageGrade string `json:"storage_grade,omitempty"` // "": the service chooses
}

// DiscUpdate is a partial update of a disc: a nil field does not change.
type DiscUpdate struct {
	Size             *int64  `json:"size,omitempty"` // megabytes; only growing is accepted
	Label            *string `json:"label,omitempty"`
	VirtualMachineID *int64  `json:"virtual_machine_id,omitempty"` // moves the disc, with its data
}
