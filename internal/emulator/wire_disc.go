package emulator

// discWire is a disc object (API.md §4 and §8).
type discWire struct {
	Type              string         `json:"type"`
	ID                int64          `json:"id"`
	Label             string         `json:"label"`
	Size              int64          `json:"size"`
	StorageGrade      string         `json:"storage_grade"`
	StoragePool       string         `json:"storage_pool"`
	VirtualMachineID  int64          `json:"virtual_machine_id"`
	NewStorageGrade   string         `json:"new_storage_grade,omitempty"`
	NewStoragePool    string         `json:"new_storage_pool,omitempty"`
	MigrationProgress *int64         `json:"migration_progress,omitempty"`
	BackupCount       int            `json:"backup_count"`
	BackupSchedules   []scheduleWire `json:"backup_schedules"`
	BackupsEnabled    bool           `json:"backups_enabled"`
}

// backupWire is a backup: a disc object with its parent.
type backupWire struct {
	Type              string `json:"type"`
	ID                int64  `json:"id"`
	ParentDiscID      int64  `json:"parent_disc_id"`
	Label             string `json:"label"`
	Size              int64  `json:"size"`
	StorageGrade      string `json:"storage_grade"`
	StoragePool       string `json:"storage_pool"`
	NewStorageGrade   string `json:"new_storage_grade,omitempty"`
	NewStoragePool    string `json:"new_storage_pool,omitempty"`
	MigrationProgress *int64 `json:"migration_progress,omitempty"`
	Manual            bool   `json:"manual"`
}

// scheduleWire is a backup schedule.
type scheduleWire struct {
	ID              int64  `json:"id"`
	StartAt         string `json:"start_at"`
	IntervalSeconds int64  `json:"interval_seconds"`
	Capacity        int64  `json:"capacity"`
}

func (c *call) discWire(m *storedMachine, d Disc) discWire {
	w := discWire{
		Type: c.kind("disc"), ID: d.ID, Label: d.Label, Size: d.Size,
		StorageGrade: d.StorageGrade, StoragePool: d.StoragePool, VirtualMachineID: m.ID,
		NewStorageGrade: d.NewStorageGrade, NewStoragePool: d.NewStoragePool,
		BackupCount: len(d.taken()), BackupSchedules: scheduleWires(d.schedules()), BackupsEnabled: len(d.schedules()) > 0,
	}
	if d.NewStorageGrade != "" {
		done := d.MigrationProgress
		if !d.CopyEnds.IsZero() {
			done = progress(d.CopyBegan, d.CopyEnds, c.now)
		}
		w.MigrationProgress = &done
	}
	return w
}

func (c *call) discWires(m *storedMachine) []discWire {
	list := make([]discWire, 0, len(m.Discs))
	for _, d := range m.Discs {
		list = append(list, c.discWire(m, d))
	}
	return list
}

// backupWire returns the object of a backup. Until it is complete, it has the disc's grade and is being moved to
// iceberg.
func (c *call) backupWire(d Disc, b Backup) backupWire {
	w := backupWire{
		Type: c.kind("disc"), ID: b.ID, ParentDiscID: d.ID, Label: b.Label, Size: b.Size, Manual: b.Manual,
		StorageGrade: iceberg, StoragePool: poolOf(iceberg),
	}
	if b.Stored.After(c.now) {
		done := progress(b.Began, b.Stored, c.now)
		w.StorageGrade, w.StoragePool = b.Grade, poolOf(b.Grade)
		w.NewStorageGrade, w.NewStoragePool, w.MigrationProgress = iceberg, poolOf(iceberg), &done
	}
	return w
}

func scheduleWires(schedules []BackupSchedule) []scheduleWire {
	list := make([]scheduleWire, 0, len(schedules))
	for _, b := range schedules {
		list = append(list, scheduleWire{b.ID, b.StartAt, b.IntervalSeconds, b.Capacity})
	}
	return list
}
