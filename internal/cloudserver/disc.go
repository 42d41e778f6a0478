package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// Disc is a disc as the service describes it (service.md §2.2).
type Disc struct {
	ID                        int64
	Label                     string
	Size                      int64 // megabytes
	StorageGrade, StoragePool string
	VirtualMachineID          int64
}

// UnmarshalJSON takes any JSON object.
func (d *Disc) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID               looseInt  `json:"id"`
		Label            looseText `json:"label"`
		Size             looseInt  `json:"size"`
		StorageGrade     looseText `json:"storage_grade"`
		StoragePool      looseText `json:"storage_pool"`
		VirtualMachineID looseInt  `json:"virtual_machine_id"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a disc was expected, not %s", kindOf(data))
	}
	*d = Disc{
		ID: valueOf(wire.ID.value), Label: valueOf(wire.Label.value), Size: valueOf(wire.Size.value),
		StorageGrade: valueOf(wire.StorageGrade.value), StoragePool: valueOf(wire.StoragePool.value),
		VirtualMachineID: valueOf(wire.VirtualMachineID.value),
	}
	return nil
}

// DiscSpec is a disc to be made.
type DiscSpec struct {
	Label        string `json:"label"`
	Size         int64  `json:"size"`                    // megabytes
	StorageGrade string `json:"storage_grade,omitempty"` // "": the service chooses
}

// DiscUpdate is a partial update of a disc: what is nil does not change.
type DiscUpdate struct {
	Size  *int64  `json:"size,omitempty"` // megabytes; only growing is accepted
	Label *string `json:"label,omitempty"`
}

// AddDisc adds a disc; the guest of a running machine sees it after its next
// power cycle (api.md §4).
func (c *Client) AddDisc(ctx context.Context, vm Ref, disc DiscSpec) (*Disc, error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("discs"), body: disc})
	if err != nil {
		return nil, err
	}
	var added Disc
	if err := answer.decode(&added); err != nil {
		return nil, err
	}
	if added.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no disc"))
	}
	return &added, nil
}

// UpdateDisc grows or renames a disc (api.md §4). The answer is nil if the
// service told nothing.
func (c *Client) UpdateDisc(ctx context.Context, vm Ref, disc int64, update DiscUpdate) (*Disc, error) {
	return put(ctx, c, vm.discPath(disc), update, func(d *Disc) bool { return d.ID != 0 })
}

// PurgeDisc destroys a disc and its data (api.md §4). One that is gone already
// is IsNotFound.
func (c *Client) PurgeDisc(ctx context.Context, vm Ref, disc int64) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: vm.discPath(disc), query: purgeQuery(true)})
	return err
}

func (r Ref) discPath(disc int64) []string {
	return r.path("discs", strconv.FormatInt(disc, 10))
}
