package vm

import (
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// private is what a machine's state has no other place for.
type private struct {
	// Adopted: the machine was imported and not applied since. What the configuration adds is only recorded, and discs
	// without a block are released.
	Adopted bool `json:"adopted,omitempty"`
	// Protected repeats deletion_protection. In a plan it is true if the state or the plan has it.
	Protected bool `json:"protected,omitempty"`
	// Blank: this provider created the machine without an image.
	Blank bool `json:"blank,omitempty"`
	// Owed is the power that a failed update could not restore.
	Owed *owedPower `json:"owed,omitempty"`
	// Unready: the machine is on, but no apply has seen it ready since, as defined by its block ready.
	Unready bool `json:"unready,omitempty"`
	// Kept are the names that stay taken after a soft delete, with the group by name and by ID. They are kept in plans
	// only, because a replacement is planned without the state of the old machine.
	Kept []fleet.Name `json:"kept_names,omitempty"`
	// Successor is the machine that a plan creates in place of this one. It is kept in plans only: the delete of a replaced
	// machine gets the private state of the plan for the new one.
	Successor *successor `json:"successor,omitempty"`
	// Foreign are the discs that were on the machine at the last refresh, but are in no state and no configuration. A
	// block adopts only one of these.
	Foreign map[string]foreignDisc `json:"foreign,omitempty"`
	// Moved are discs that were found on another machine, by label. The state keeps them until an apply without their
	// blocks.
	Moved map[string]movedDisc `json:"moved,omitempty"`
	// Reported has the current label and grade of managed discs, by ID, where they differ from the state.
	Reported map[string]reportedDisc `json:"reported,omitempty"`
	// Compared: a read has compared the labels of the discs with the state. It is set only for machines with enough
	// discs for two labels to change at the same time.
	Compared bool `json:"compared,omitempty"`
}

type owedPower struct {
	PowerOn      bool `json:"power_on"`
	AutorebootOn bool `json:"autoreboot_on"`
}

type foreignDisc struct {
	Label string `json:"label"`
	Size  int64  `json:"size"` // megabytes
	Grade string `json:"grade,omitempty"`
}

type reportedDisc struct {
	Label string `json:"label"`
	Grade string `json:"grade,omitempty"`
}

type movedDisc struct {
	ID      string `json:"id"`
	Machine string `json:"machine"`
}
