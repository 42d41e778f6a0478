package cloudserver

import "encoding/json"

// Settings are the attributes that creation and update take alike. What is nil
// is not sent.
type Settings struct {
	Cores                 *int64    `json:"cores,omitempty"`
	Memory                *int64    `json:"memory,omitempty"` // megabytes
	HardwareProfile       *string   `json:"hardware_profile,omitempty"`
	HardwareProfileLocked *bool     `json:"hardware_profile_locked,omitempty"`
	AutorebootOn          *bool     `json:"autoreboot_on,omitempty"`
	PowerOn               *bool     `json:"power_on,omitempty"`
	Keymap                *Nullable `json:"keymap,omitempty"`
	CDROMURL              *Nullable `json:"cdrom_url,omitempty"`
}

// VirtualMachineUpdate is a partial update: what is nil is not sent and does
// not change (API.md §3, where the table of power explains the pairs).
type VirtualMachineUpdate struct {
	Name    *string `json:"name,omitempty"`
	GroupID *int64  `json:"group_id,omitempty"` // may belong to another account
	Settings
	Deleted *bool `json:"deleted,omitempty"` // false undeletes
}

// IsZero reports an update that changes nothing.
func (u VirtualMachineUpdate) IsZero() bool { return u == VirtualMachineUpdate{} }

// Nullable is a string that can be set to null: &Nullable{} ejects an image.
type Nullable struct{ Value *string }

// MarshalJSON writes the string or null.
func (n Nullable) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// value returns nil for null and for no Nullable at all.
func (n *Nullable) value() *string {
	if n == nil {
		return nil
	}
	return n.Value
}
