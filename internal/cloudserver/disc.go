// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"net/http"
	"strings"
)

// Disc is a disc as the service describes it (API.md §4). A field that is null or absent in the answer is zero or nil.
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

func (d *Disc) identity() (kind string, id int64) { return "disc", d.ID }

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

// discPath returns the path of one of the machine's discs followed by the given elements.
func (r Ref) discPath(disc int64, rest ...string) []string {
	return append(r.path("discs", IDText(disc)), rest...)
}

// Disc reads a disc by its ID, on whatever machine it is (API.md §4).
func (c *Client) Disc(ctx context.Context, id int64) (*Disc, error) {
	return get[Disc](ctx, c, call{method: http.MethodGet, path: []string{"discs", IDText(id)}}, id)
}

// Discs reads the discs of a machine (API.md §4).
func (c *Client) Discs(ctx context.Context, vm Ref) ([]Disc, error) {
	return getList[Disc](ctx, c, vm.path("discs"), nil)
}

// AddDisc adds a disc. The guest of a running machine sees it after its next power cycle (API.md §4). AddDisc returns
// nil if the service did not return the disc. The request is not repeated, because it could add a second disc.
func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	return change[Disc](ctx, c, call{method: http.MethodPost, path: vm.path("discs"), body: disc, once: true}, 0)
}

// UpdateDisc grows, renames or moves a disc (API.md §4). A move is not repeated, because the path leads to the old
// machine.
func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) error {
	_, err := change[Disc](ctx, c, call{
		method: http.MethodPut, path: vm.discPath(disc), body: update, once: update.VirtualMachineID != nil,
	}, disc)
	return err
}

// PurgeDisc destroys a disc and its data (API.md §4). If it is already gone, IsNotFound reports true for the error.
func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery})
	return err
}
