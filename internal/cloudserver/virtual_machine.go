package cloudserver

import (
	"encoding/json"
	"fmt"

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
