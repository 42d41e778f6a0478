// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// private is what a machine's state has no other place for. It is empty for most machines.
type private struct {
	// Discs are the unmanaged discs that the last refresh, or a refused delete, has seen: they are on the machine, and no
	// block means them.
	Discs []unmanagedDisc `json:"discs,omitempty"`
	// Grown are the discs that somebody else has grown, by ID, with the size in megabytes that they had in the state before.
	Grown map[string]int64 `json:"grown,omitempty"`
	// Backups is how many backups the discs had at the last refresh, as far as the service counts them.
	Backups int64 `json:"backups,omitempty"`
	// From is where the machine came from, if that decides anything.
	From provenance `json:"from,omitempty"`
	// Owed is what earlier applies left for the next one.
	Owed owed `json:"owed,omitzero"`
}

// provenance is where a machine came from.
type provenance string

const (
	// imported: no apply has changed it since its import. What only the provider knows is recorded, and discs without a
	// block become unmanaged.
	imported provenance = "import"
	// imageless: this provider created it without an image, and it has none so far.
	imageless provenance = "no_image"
)

// hasImage records that the machine has an image.
func (p *private) hasImage() {
	if p.From == imageless {
		p.From = ""
	}
}

// owed is what earlier applies left for the next one.
type owed struct {
	// Power is what an update, or a delete that was refused, has stopped and could not start again; nil: nothing.
	Power *owedPower `json:"power,omitempty"`
	// Ready: the machine is on, but no apply has seen it ready since, as its block ready defines it.
	Ready bool `json:"ready,omitempty"`
}

// showPending sets the attribute that shows what is owed. A machine that is off is not waited for.
func (m *model) showPending(o owed) {
	m.Pending = types.StringNull()
	switch {
	case o.Power != nil:
		m.Pending = types.StringValue(pendingPower)
	case o.Ready && m.PowerOn.ValueBool():
		m.Pending = types.StringValue(pendingReady)
	}
}

// The values of pending.
const (
	pendingPower = "power"
	pendingReady = "ready"
)

// owedPower is the power to restore.
type owedPower struct {
	PowerOn      bool `json:"power_on"`
	AutorebootOn bool `json:"autoreboot_on"`
}

// unmanagedDisc is a disc that is on the machine, and that no block means.
type unmanagedDisc struct {
	ID    int64  `json:"id"`
	Label string `json:"label,omitempty"`
	Size  int64  `json:"size,omitempty"` // megabytes
	Grade string `json:"grade,omitempty"`
}

// unmanaged returns the disc in the form of the private state.
func (d discModel) unmanaged() unmanagedDisc {
	return unmanagedDisc{
		ID: d.numericID(), Label: d.Label.ValueString(), Size: d.Size.ValueInt64(), Grade: d.StorageGrade.ValueString(),
	}
}

// unmanagedDiscs returns the discs that a machine shows and the state does not have.
func unmanagedDiscs(state []discModel, shown []cloudserver.Disc) []unmanagedDisc {
	return mapped(without(mapped(shown, discFromAPI), state), discModel.unmanaged)
}

// countBackups returns how many backups the discs have. The service may not count those of each.
func countBackups(discs []cloudserver.Disc) (count int64) {
	for _, disc := range discs {
		if disc.BackupCount != nil {
			count += *disc.BackupCount
		}
	}
	return count
}

// unmanaged returns the unmanaged discs in the form of blocks.
func (p *private) unmanaged() []discModel {
	return mapped(p.Discs, unmanagedDisc.block)
}

// block returns the disc in the form of a block.
func (d unmanagedDisc) block() discModel {
	return discModel{
		ID: tfkit.IDOrNull(d.ID), Label: types.StringValue(d.Label), Size: types.Int64Value(d.Size),
		StorageGrade: tfkit.StringOrNull(d.Grade),
	}
}
