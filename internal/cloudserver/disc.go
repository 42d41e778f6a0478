package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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

// Disc reads a disc by its id, whatever machine it is on now (API.md §4).
func (c *Client) Disc(ctx context.Context, id int64) (*Disc, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: []string{"discs", IDText(id)}})
	if err != nil {
		return nil, err
	}
	disc := &Disc{}
	if err := answer.decode(disc); err != nil {
		return nil, err
	}
	if disc.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no disc"))
	}
	if err := answer.checkID("disc", disc.ID, id); err != nil {
		return nil, err
	}
	return disc, nil
}

// Discs reads the discs of a machine (API.md §4).
func (c *Client) Discs(ctx context.Context, vm Ref) ([]Disc, error) {
	return list[Disc](ctx, c, vm.path("discs"), nil)
}

// AddDisc adds a disc; the guest of a running machine sees it after its next
// power cycle (API.md §4). If the service does not return the disc, the
// machine's discs are read to find it.
// It is not repeated.
func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("discs"), body: disc})
	if err != nil {
		return nil, err
	}
	added, err := optional[Disc](answer)
	if err != nil {
		return nil, err
	}
	if added.ID == 0 {
		return c.discLabelled(ctx, vm, disc.Label)
	}
	if err := answer.checkID("virtual machine", added.VirtualMachineID, vm.ID); err != nil {
		return nil, err
	}
	return &added, nil
}

// discLabelled finds a disc that was just added. A service may normalise labels,
// so case is ignored as a last resort.
func (c *Client) discLabelled(ctx context.Context, vm Ref, label string) (*Disc, error) {
	discs, err := c.Discs(ctx, vm)
	if err != nil {
		return nil, fmt.Errorf("the service added disc %q, but its ID is not known: %w", label, err)
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range discs {
			if same(discs[i].Label, label) {
				return &discs[i], nil
			}
		}
	}
	return nil, fmt.Errorf("the service answered that it added disc %q, but the machine has no disc with this label", label)
}

// UpdateDisc grows, renames or moves a disc (API.md §4). It returns nil if the
// service did not return the disc.
// It is repeated, unless it moves the disc: at the old path another disc may answer.
func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	return put(ctx, c, call{path: vm.discPath(disc), body: update, once: update.VirtualMachineID != nil}, "disc", disc, func(d *Disc) int64 { return d.ID })
}

// PurgeDisc destroys a disc and its data (API.md §4). For one that is already
// gone the error is IsNotFound.
// It is repeated: a second request does no harm.
func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery(true)})
	return err
}

// discPath returns the path of a disc followed by the given elements.
func (r Ref) discPath(disc int64, rest ...string) []string {
	return append(r.path("discs", IDText(disc)), rest...)
}
