package cloudserver

import (
	"context"
	"net/http"
	"strings"
)

// Disc is a disc as the service describes it (API.md §4). A field that is missing from the answer, or has another
// shape, is zero or nil.
type Disc struct {
	ID               int64  `json:"id"`
	Label            string `json:"label"`
	Size             int64  `json:"size"` // megabytes
	StorageGrade     string `json:"storage_grade"`
	StoragePool      string `json:"storage_pool"`
	VirtualMachineID int64  `json:"virtual_machine_id"`

	// While a disc is being migrated or restored, NewStorageGrade is its future grade and StorageGrade the current one.
	NewStorageGrade   string `json:"new_storage_grade"`
	NewStoragePool    string `json:"new_storage_pool"`
	MigrationProgress *int64 `json:"migration_progress"`

	BackupCount     *int64           `json:"backup_count"`
	BackupsEnabled  *bool            `json:"backups_enabled"`
	BackupSchedules []BackupSchedule `json:"backup_schedules"` // nil: not in the answer; empty: none
}

func (d *Disc) identity() (string, int64, string) { return "disc", d.ID, d.Label }

// SameLabel reports whether two labels are the same, apart from what the service may normalise.
func SameLabel(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// DiscSpec is a disc to be created.
type DiscSpec struct {
	Label        string `json:"label"`
	Size         int64  `json:"size"`                    // megabytes
	StorageGrade string `json:"storage_grade,omitempty"` // "": the service chooses
}

// DiscUpdate is a partial update of a disc. Nil fields do not change.
type DiscUpdate struct {
	Size             *int64  `json:"size,omitempty"` // megabytes; it can only grow
	Label            *string `json:"label,omitempty"`
	VirtualMachineID *int64  `json:"virtual_machine_id,omitempty"` // moves the disc, with its data
}

// Disc reads a disc by its ID, on whatever machine it is (API.md §4).
func (c *Client) Disc(ctx context.Context, id int64) (*Disc, error) {
	return read[Disc](ctx, c, call{method: http.MethodGet, path: []string{"discs", IDText(id)}}, id, "")
}

// AddDisc adds a disc. The guest of a running machine sees it after its next power cycle (API.md §4). AddDisc returns
// nil if the service did not return the disc. The request is not repeated.
func (w Writer) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	return changeOne[Disc](ctx, w, once, call{method: http.MethodPost, path: vm.path("discs"), body: disc}, 0)
}

// UpdateDisc grows, renames or moves a disc (API.md §4). It returns nil if the service did not return the disc. The
// request may be repeated, unless it moves the disc: then the old path may lead to another disc.
func (w Writer) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	kind := changes
	if update.VirtualMachineID != nil {
		kind = once
	}
	changed, err := changeOne[Disc](ctx, w, kind, call{method: http.MethodPut, path: vm.discPath(disc), body: update}, disc)
	return lookAfter(changed, err, func() (*Disc, error) { return w.client.Disc(ctx, disc) }, func(now *Disc) bool {
		return shows(update.Size, &now.Size) && shows(update.VirtualMachineID, &now.VirtualMachineID) &&
			(update.Label == nil || SameLabel(*update.Label, now.Label))
	})
}

// PurgeDisc destroys a disc and its data (API.md §4). If it is already gone, IsNotFound reports true for the error.
func (w Writer) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := w.do(ctx, destroys, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery})
	return err
}

// discPath returns the path of a disc followed by the given elements.
func (r Ref) discPath(disc int64, rest ...string) []string {
	return append(r.path("discs", IDText(disc)), rest...)
}
