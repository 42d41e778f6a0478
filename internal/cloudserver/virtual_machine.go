package cloudserver

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
)

// VirtualMachine is a machine as the service describes it (API.md §8,
// API.md §3). A nil field is one that the answer does not contain, or contains in
// another shape.
type VirtualMachine struct {
	ID                int64   `json:"id"`
	GroupID           int64   `json:"group_id"`
	Name              string  `json:"name"`
	Hostname          *string `json:"hostname"`
	ManagementAddress *string `json:"management_address"`
	HardwareProfile   *string `json:"hardware_profile"`
	CDROMURL          *string `json:"cdrom_url"`          // also nil when there is no image in the drive
	Keymap            *string `json:"keymap" shape:"any"` // its JSON if it is not a string
	Head              *string `json:"head" shape:"any"`
	ZoneName          *string `json:"zone_name"`
	LastImagedWith    *string `json:"last_imaged_with"`
	Cores             *int64  `json:"cores"`
	Memory            *int64  `json:"memory"` // megabytes

	PowerOn               *bool `json:"power_on"`
	AutorebootOn          *bool `json:"autoreboot_on"`
	HardwareProfileLocked *bool `json:"hardware_profile_locked"`
	Deleted               bool  `json:"deleted"`

	Discs             []Disc             `json:"discs"` // nil: not in the answer; empty: none
	NetworkInterfaces []NetworkInterface `json:"network_interfaces"`
}

// UnmarshalJSON decodes any JSON object.
func (vm *VirtualMachine) UnmarshalJSON(data []byte) error {
	err := decodeObject(data, vm, "a virtual machine")
	vm.ManagementAddress, vm.LastImagedWith = withoutSecrets(vm.ManagementAddress), withoutSecrets(vm.LastImagedWith)
	return err
}

const virtualMachine = "virtual machine"

func (vm *VirtualMachine) identity() (string, int64, string) { return virtualMachine, vm.ID, vm.Name }

// IsOn reports whether the machine is known to be on.
func (vm *VirtualMachine) IsOn() bool { return vm.PowerOn != nil && *vm.PowerOn }

// IsOff reports whether the machine is known to be off.
func (vm *VirtualMachine) IsOff() bool { return vm.PowerOn != nil && !*vm.PowerOn }

var profileShape = regexp.MustCompile(`^virtio([0-9]{1,18})$`)

// IsProfileUpgrade reports whether the service may have changed one hardware
// profile into the other by itself: virtio2011 into virtio2013, or a virtio
// profile into a newer one (API.md §8).
func IsProfileUpgrade(from, to string) bool {
	before, after := profileShape.FindStringSubmatch(from), profileShape.FindStringSubmatch(to)
	if before == nil || after == nil {
		return false
	}
	older, errOlder := strconv.ParseInt(before[1], 10, 64)
	newer, errNewer := strconv.ParseInt(after[1], 10, 64)
	return errOlder == nil && errNewer == nil && older < newer
}

// NetworkInterface is one network card of a machine (API.md §3).
type NetworkInterface struct {
	ID       int64             `json:"id"`
	Label    *string           `json:"label"`
	MAC      *string           `json:"mac"`
	VLANNum  *int64            `json:"vlan_num"`
	IPs      []string          `json:"ips"`       // IPv4 and IPv6
	ExtraIPs map[string]string `json:"extra_ips"` // extra address → address that it is routed to
}

// UnmarshalJSON decodes any JSON object.
func (n *NetworkInterface) UnmarshalJSON(data []byte) error {
	return decodeObject(data, n, "a network interface")
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

// ReimageVirtualMachine installs an operating system, in the background, on a
// machine that is off (400 otherwise). Afterwards the machine is on, and does not
// restart by itself (API.md §3).
// It is not repeated.
func (c *Client) ReimageVirtualMachine(ctx context.Context, vm Ref, reimage Reimage) error {
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("reimage"), body: reimage})
	return err
}
