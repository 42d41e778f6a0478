package cloudserver

import (
	"context"
	"net/http"
	"strings"
)

// Disc is a disc as the service describes it (API.md §4). A zero or nil field
// is one that the answer does not contain, or contains in another shape.
type Disc struct {
	ID               int64  `json:"id"`
	Label            string `json:"label"`
	Size             int64  `json:"size"` // megabytes
	StorageGrade     string `json:"storage_grade"`
	StoragePool      string `json:"storage_pool"`
	VirtualMachineID int64  `json:"virtual_machine_id"`

	// While a disc is migrated or restored, NewStorageGrade is the grade that it
	// will have and StorageGrade the one that it still has.
	NewStorageGrade   string `json:"new_storage_grade"`
	NewStoragePool    string `json:"new_storage_pool"`
	MigrationProgress *int64 `json:"migration_progress"`

	BackupCount     *int64           `json:"backup_count"`
	BackupsEnabled  *bool            `json:"backups_enabled"`
	BackupSchedules []BackupSchedule `json:"backup_schedules"` // nil: not in the answer; empty: none
}

func (d *Disc) identity() (string, int64, string) { return "disc", d.ID, d.Label }

// SameLabel reports whether one label is the other as the service may normalise it.
func SameLabel(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
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

// Disc reads a disc by its id, whatever machine it is on now (API.md §4).
func (c *Client) Disc(ctx context.Context, id int64) (*Disc, error) {
	return read[Disc](ctx, c, call{method: http.MethodGet, path: []string{"discs", IDText(id)}}, id, "")
}

// AddDisc adds a disc; the guest of a running machine sees it after its next
// power cycle (API.md §4). It returns nil if the service did not return the disc.
// It is not repeated.
func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	return change[Disc](ctx, c, call{method: http.MethodPost, path: vm.path("discs"), body: disc}, 0)
}

// UpdateDisc grows, renames or moves a disc (API.md §4). It returns nil if the
// service did not return the disc.
// It is repeated, unless it moves the disc: at the old path another disc may answer.
func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	changed, err := change[Disc](ctx, c, call{method: http.MethodPut, path: vm.discPath(disc), body: update, once: update.VirtualMachineID != nil}, disc)
	return lookAfter(changed, err, func() (*Disc, error) { return c.Disc(ctx, disc) }, func(now *Disc) bool {
		return shows(update.Size, &now.Size) && shows(update.VirtualMachineID, &now.VirtualMachineID) &&
			(update.Label == nil || SameLabel(*update.Label, now.Label))
	})
}

// PurgeDisc destroys a disc and its data (API.md §4). For one that is already
// gone the error is IsNotFound. It is one attempt: the caller looks at the disc before
// each.
func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery, destroys: true})
	return err
}

// discPath returns the path of a disc followed by the given elements.
func (r Ref) discPath(disc int64, rest ...string) []string {
	return append(r.path("discs", IDText(disc)), rest...)
}
