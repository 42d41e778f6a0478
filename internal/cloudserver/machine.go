// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// VirtualMachine is a machine as the service describes it (API.md §3, API.md §8). A nil field is null or absent in the
// answer.
type VirtualMachine struct {
	ID                int64   `json:"id"`
	GroupID           int64   `json:"group_id"`
	Name              string  `json:"name"`
	Hostname          *string `json:"hostname"`
	ManagementAddress *string `json:"management_address"`
	HardwareProfile   *string `json:"hardware_profile"`
	CDROMURL          *string `json:"cdrom_url"` // also nil when there is no image in the drive
	Keymap            *Text   `json:"keymap"`    // its shape is not specified
	Head              *Text   `json:"head"`      // its shape is not specified
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

	// Unconfirmed is the failure of the creation after which the machine was found by its name. It is nil if the
	// service confirmed the creation.
	Unconfirmed error `json:"-"`
}

func (vm *VirtualMachine) identity() (kind string, id int64) { return "virtual machine", vm.ID }

// IsOn reports whether the machine is known to be on.
func (vm *VirtualMachine) IsOn() bool { return vm.PowerOn != nil && *vm.PowerOn }

// IsOff reports whether the machine is known to be off.
func (vm *VirtualMachine) IsOff() bool { return vm.PowerOn != nil && !*vm.PowerOn }

// IsProfileUpgrade reports whether the service may have changed one hardware profile into the other by itself:
// virtio2011 into virtio2013, or a virtio profile into a newer one (API.md §8).
func IsProfileUpgrade(from, to string) bool {
	older, fromVirtio := strings.CutPrefix(from, "virtio")
	newer, toVirtio := strings.CutPrefix(to, "virtio")
	before, err := strconv.ParseUint(older, 10, 64)
	if err != nil || !fromVirtio || !toVirtio {
		return false
	}
	after, err := strconv.ParseUint(newer, 10, 64)
	return err == nil && before < after
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

// Settings are the attributes that creation and update have in common. Nil fields are not sent.
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

// VirtualMachineUpdate is a partial update of a machine. Nil fields are not sent and do not change (API.md §3, where the
// table of power explains the pairs).
type VirtualMachineUpdate struct {
	Name    *string `json:"name,omitempty"`
	GroupID *int64  `json:"group_id,omitempty"` // may belong to another account
	Settings
	Deleted *bool `json:"deleted,omitempty"` // false undeletes
}

// IsZero reports whether the update changes nothing.
func (u VirtualMachineUpdate) IsZero() bool { return u == VirtualMachineUpdate{} }

// Nullable is a string that can be set to null: &Nullable{} ejects an image.
type Nullable struct{ Value *string }

// MarshalJSON returns the string or null.
func (n Nullable) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// Reimage is what is installed on a machine's first disc (API.md §8).
type Reimage struct {
	Distribution    string `json:"distribution"`
	RootPassword    string `json:"root_password,omitempty"`
	SSHPublicKey    string `json:"ssh_public_key,omitempty"`
	FirstbootScript string `json:"firstboot_script,omitempty"`
}

// Secrets returns the values that no message and no log may show (see [WithSecrets]).
func (r Reimage) Secrets() []string { return []string{r.RootPassword, r.FirstbootScript} }

// String returns the distribution alone, so that printing a reimage shows no secret.
func (r Reimage) String() string { return "reimage with " + r.Distribution }

// Ref identifies the machine that a call is about. Account and Group are IDs where they are known, and names otherwise.
type Ref struct {
	Account, Group string
	ID             int64
}

// path returns the machine's path followed by the given elements.
func (r Ref) path(rest ...string) []string {
	return append(groupPath(r.Account, r.Group, "virtual_machines", IDText(r.ID)), rest...)
}

// ErrNotDescribed is the answer 202 to a read: the machine exists, but its creation has not progressed far enough to
// describe it (API.md §3).
var ErrNotDescribed = errors.New("the virtual machine is still being created and cannot be described yet")

// ErrAccepted is the answer 202 to the deletion of a machine: the service is still deleting it.
var ErrAccepted = errors.New("the service has accepted the deletion and is still working on it")

// ReadOption changes what a read of machines returns.
type ReadOption func(url.Values)

// IncludeDeleted is the [ReadOption] that also returns soft-deleted machines, which keep their names and addresses until
// they are purged.
func IncludeDeleted(query url.Values) { query.Set("include_deleted", "true") }

// WithoutOverview is the [ReadOption] that leaves out what an object contains: of a machine, its discs and network
// interfaces.
func WithoutOverview(query url.Values) { query.Del("view") }

// readQuery returns the query of a read: with discs and network interfaces, unless an option says otherwise.
func readQuery(options []ReadOption) url.Values {
	query := url.Values{"view": {"overview"}}
	for _, apply := range options {
		apply(query)
	}
	return query
}

// VirtualMachine reads a machine by its ID, whatever group it is in now (API.md §3). The error is ErrNotDescribed while
// the machine is being created.
func (c *Client) VirtualMachine(ctx context.Context, id int64, options ...ReadOption) (*VirtualMachine, error) {
	return get[VirtualMachine](ctx, c, call{
		method: http.MethodGet, path: []string{"virtual_machines", IDText(id)}, query: readQuery(options),
	}, id)
}

// VirtualMachineByName reads a machine by its name in a group (API.md §3). The error is ErrNotDescribed while the
// machine is being created.
func (c *Client) VirtualMachineByName(
	ctx context.Context, account, group, name string, options ...ReadOption,
) (*VirtualMachine, error) {
	if IsDigits(name) { // a path would take it for an ID
		machines, err := c.VirtualMachines(ctx, account, group, options...)
		if err != nil {
			return nil, err
		}
		for i := range machines {
			if machines[i].Name == name {
				return &machines[i], nil
			}
		}
		message := fmt.Sprintf("no virtual machine in the group has the name %q", name)
		return nil, NotListed("/accounts/"+account+"/groups/"+group+"/virtual_machines", message)
	}
	return get[VirtualMachine](ctx, c, call{
		method: http.MethodGet, path: groupPath(account, group, "virtual_machines", name), query: readQuery(options),
	}, 0)
}

// VirtualMachines reads all machines of a group (API.md §3).
func (c *Client) VirtualMachines(
	ctx context.Context, account, group string, options ...ReadOption,
) ([]VirtualMachine, error) {
	return getList[VirtualMachine](ctx, c, groupPath(account, group, "virtual_machines"), readQuery(options))
}

// UpdateVirtualMachine changes the attributes that are set (API.md §3). A move to another group is not repeated, because
// the path may lead to another machine once it is done.
func (c *Client) UpdateVirtualMachine(ctx context.Context, vm Ref, update VirtualMachineUpdate) error {
	_, err := change[VirtualMachine](ctx, c, call{
		method: http.MethodPut, path: vm.path(), body: update, once: update.GroupID != nil,
	}, vm.ID)
	return err
}

// DeleteVirtualMachine soft-deletes a machine, which keeps its name and addresses, or purges it for good (API.md §3). If
// it is already gone, IsNotFound reports true for the error. The error is ErrAccepted if the service is still deleting
// the machine.
func (c *Client) DeleteVirtualMachine(ctx context.Context, vm Ref, purge bool) error {
	request := call{method: http.MethodDelete, path: vm.path()}
	if purge {
		request.query = purgeQuery
	}
	answer, err := c.do(ctx, request)
	if err == nil && answer.status == http.StatusAccepted {
		return ErrAccepted
	}
	return err
}

var purgeQuery = url.Values{"purge": {"true"}}

// ReimageVirtualMachine installs an operating system, in the background, on a machine that is off; the service answers
// 400 otherwise. Afterwards the machine is on, and does not restart by itself (API.md §3). The request is not repeated.
func (c *Client) ReimageVirtualMachine(ctx context.Context, vm Ref, reimage Reimage) error {
	ctx = WithSecrets(ctx, reimage.Secrets()...)
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("reimage"), body: reimage, once: true})
	return err
}

// Signal sends "powerdown", "reset" or "sendkey" (with the keys in data) to a machine that is on; the service answers
// 400 otherwise (API.md §3). The request is not repeated, because a second reset would interrupt the boot.
func (c *Client) Signal(ctx context.Context, vm Ref, signal, data string) error {
	_, err := c.do(ctx, call{
		method: http.MethodPost, path: vm.path("signal"), body: signalBody{signal, data}, once: true,
	})
	return err
}

// PowerDown sends the signal "powerdown" to a machine whose autoreboot_on is false. It may be repeated: the same guest
// is asked once more, or the service answers 400 because the machine is off.
func (c *Client) PowerDown(ctx context.Context, vm Ref) error {
	_, err := c.do(ctx, call{method: http.MethodPost, path: vm.path("signal"), body: signalBody{Signal: "powerdown"}})
	return err
}

type signalBody struct {
	Signal string `json:"signal"`
	Data   string `json:"data,omitempty"`
}
