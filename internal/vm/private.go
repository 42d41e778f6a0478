package vm

import (
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// private is what a machine's state has no other place for. It is empty for a
// plain machine, so that a plan without changes stays cheap.
type private struct {
	// Adopted: imported, and not applied since. What the configuration adds is recorded,
	// and discs without a block are released.
	Adopted bool `json:"adopted,omitempty"`
	// Protected repeats deletion_protection; in a plan, that of the state or of the plan.
	Protected bool `json:"protected,omitempty"`
	// Blank: created by this provider without an image.
	Blank bool `json:"blank,omitempty"`
	// Owed is the power that a failed update could not restore.
	Owed *owedPower `json:"owed,omitempty"`
	// Unready: on, but no apply has seen it ready since, as its block ready says.
	Unready bool `json:"unready,omitempty"`
	// Kept is what the machine is called, with its group by name and by ID, if its soft
	// delete leaves that name taken. It is kept in plans only: a replacement is planned
	// without sight of the old machine.
	Kept []fleet.Name `json:"kept_names,omitempty"`
	// Foreign discs are on the machine, as the last refresh saw it, but in no state
	// and no configuration. A block adopts only one of these.
	Foreign map[string]foreignDisc `json:"foreign,omitempty"`
	// Moved discs were found on another machine, by label. The state keeps them until an
	// apply without their blocks.
	Moved map[string]movedDisc `json:"moved,omitempty"`
	// Reported has what the service calls a managed disc, and its grade, by ID, where one
	// of them is not as in the state.
	Reported map[string]reportedDisc `json:"reported,omitempty"`
	// Compared: a look at the machine has compared its discs with the state. It is noted
	// only of machines with discs enough that two labels can change at the same time.
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
