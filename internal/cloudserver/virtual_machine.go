package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// VirtualMachine is a machine as the service describes it (API.md §8,
// API.md §3). A nil field is one that the answer does not contain, or contains in
// another shape.
type VirtualMachine struct {
	ID, GroupID       int64
	Name              string
	Hostname          *string
	ManagementAddress *string
	HardwareProfile   *string
	CDROMURL          *string // also nil when there is no image in the drive
	Keymap, Head      *string // of a shape that is not specified: JSON text if it is not a string
	ZoneName          *string
	LastImagedWith    *string
	Cores             *int64
	Memory            *int64 // megabytes

	PowerOn, AutorebootOn, HardwareProfileLocked *bool

	Deleted           bool
	Discs             []Disc // nil: not in the answer; empty: none
	NetworkInterfaces []NetworkInterface
}

// virtualMachineWire is the machine's JSON.
type virtualMachineWire struct {
	ID                    looseInt                    `json:"id"`
	GroupID               looseInt                    `json:"group_id"`
	Name                  looseText                   `json:"name"`
	Hostname              looseText                   `json:"hostname"`
	ManagementAddress     looseText                   `json:"management_address"`
	HardwareProfile       looseText                   `json:"hardware_profile"`
	CDROMURL              looseText                   `json:"cdrom_url"`
	Keymap                looseAny                    `json:"keymap"`
	Head                  looseAny                    `json:"head"`
	ZoneName              looseText                   `json:"zone_name"`
	LastImagedWith        looseText                   `json:"last_imaged_with"`
	Cores                 looseInt                    `json:"cores"`
	Memory                looseInt                    `json:"memory"`
	PowerOn               looseBool                   `json:"power_on"`
	AutorebootOn          looseBool                   `json:"autoreboot_on"`
	HardwareProfileLocked looseBool                   `json:"hardware_profile_locked"`
	Deleted               looseBool                   `json:"deleted"`
	Discs                 looseList[Disc]             `json:"discs"`
	NetworkInterfaces     looseList[NetworkInterface] `json:"network_interfaces"`
}

// UnmarshalJSON decodes any JSON object.
func (vm *VirtualMachine) UnmarshalJSON(data []byte) error {
	var wire virtualMachineWire
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a virtual machine was expected, not %s", kindOf(data))
	}
	*vm = VirtualMachine{
		ID: valueOf(wire.ID.value), GroupID: valueOf(wire.GroupID.value), Name: valueOf(wire.Name.value),
		Hostname: wire.Hostname.value, ManagementAddress: withoutSecrets(wire.ManagementAddress.value),
		HardwareProfile: wire.HardwareProfile.value, CDROMURL: wire.CDROMURL.value,
		Keymap: withoutSecrets(wire.Keymap.value), Head: wire.Head.value,
		ZoneName: wire.ZoneName.value, LastImagedWith: withoutSecrets(wire.LastImagedWith.value),
		Cores: wire.Cores.value, Memory: wire.Memory.value,
		PowerOn: wire.PowerOn.value, AutorebootOn: wire.AutorebootOn.value,
		HardwareProfileLocked: wire.HardwareProfileLocked.value,
		Deleted:               valueOf(wire.Deleted.value),
		Discs:                 wire.Discs.elements, NetworkInterfaces: wire.NetworkInterfaces.elements,
	}
	return nil
}

// withoutSecrets hides secrets in a value that the service chooses and a state
// stores. Values that a configuration chooses, such as names, stay as they are.
func withoutSecrets(value *string) *string {
	if value == nil {
		return nil
	}
	hidden := transport.Hide(*value)
	return &hidden
}

// IsOn reports whether the machine is known to be on.
func (vm *VirtualMachine) IsOn() bool { return vm.PowerOn != nil && *vm.PowerOn }

// IsOff reports whether the machine is known to be off.
func (vm *VirtualMachine) IsOff() bool { return vm.PowerOn != nil && !*vm.PowerOn }

// NetworkInterface is one network card of a machine (API.md §3).
type NetworkInterface struct {
	ID         int64
	Label, MAC *string
	VLANNum    *int64
	IPs        []string          // IPv4 and IPv6
	ExtraIPs   map[string]string // extra address → address that it is routed to
}

// UnmarshalJSON decodes any JSON object.
func (n *NetworkInterface) UnmarshalJSON(data []byte) error {
	var wire struct {
		ID       looseInt             `json:"id"`
		Label    looseText            `json:"label"`
		MAC      looseText            `json:"mac"`
		VLANNum  looseInt             `json:"vlan_num"`
		IPs      looseList[looseText] `json:"ips"`
		ExtraIPs json.RawMessage      `json:"extra_ips"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("a network interface was expected, not %s", kindOf(data))
	}
	*n = NetworkInterface{
		ID: valueOf(wire.ID.value), Label: wire.Label.value, MAC: wire.MAC.value, VLANNum: wire.VLANNum.value,
		IPs: texts(wire.IPs), ExtraIPs: extraIPs(wire.ExtraIPs),
	}
	return nil
}

// extraIPs decodes the routes of extra addresses.
func extraIPs(object json.RawMessage) map[string]string {
	fields, err := members(object)
	if err != nil {
		return nil
	}
	routes := make(map[string]string, len(fields))
	for _, field := range fields {
		var to looseText
		if err := json.Unmarshal(field.value, &to); err == nil && to.value != nil {
			routes[printable(field.name)] = *to.value
		}
	}
	return routes
}

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

// Reimage is what is installed on a machine's first disc (API.md §8).
type Reimage struct {
	Distribution    string `json:"distribution"`
	RootPassword    string `json:"root_password,omitempty"`
	SSHPublicKey    string `json:"ssh_public_key,omitempty"`
	FirstbootScript string `json:"firstboot_script,omitempty"`
}

func (r Reimage) secrets() []string { return []string{r.RootPassword, r.FirstbootScript} }

// String returns the distribution alone, so that no print shows a secret.
func (r Reimage) String() string { return "reimage with " + r.Distribution }

// GoString is String, for %#v.
func (r Reimage) GoString() string { return r.String() }

// LogValue is String, for slog.
func (r Reimage) LogValue() slog.Value { return slog.StringValue(r.String()) }

// ReimageVirtualMachine installs an operating system, in the background, on a
// machine that is off (400 otherwise). Afterwards the machine is on, and does not
// restart by itself (API.md §3).
// It is not repeated.
func (c *Client) ReimageVirtualMachine(ctx context.Context, vm Ref, reimage Reimage) error {
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("reimage"), body: reimage})
	return err
}
