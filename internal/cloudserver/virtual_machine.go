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

// VirtualMachine is a machine as the service describes it (API.md §8,
// API.md §3). A nil field is one that the answer does not contain, or contains in
// another shape.
type VirtualMachine struct {
	ID                int64   `json:"id"`
	GroupID           int64   `json:"group_id"`
	Name              string  `json:"name"`
	Hostname          *string `json:"hostname"`
	ManagementAddress *string `json:"management_address" secrets:"hidden"`
	HardwareProfile   *string `json:"hardware_profile"`
	CDROMURL          *string `json:"cdrom_url"`                           // also nil when there is no image in the drive
	Keymap            *string `json:"keymap" shape:"any" secrets:"hidden"` // its JSON if it is not a string
	Head              *string `json:"head" shape:"any" secrets:"hidden"`
	ZoneName          *string `json:"zone_name"`
	LastImagedWith    *string `json:"last_imaged_with" secrets:"hidden"`
	Cores             *int64  `json:"cores"`
	Memory            *int64  `json:"memory"` // megabytes

	PowerOn               *bool `json:"power_on"`
	AutorebootOn          *bool `json:"autoreboot_on"`
	HardwareProfileLocked *bool `json:"hardware_profile_locked"`
	Deleted               bool  `json:"deleted"`

	Discs             []Disc             `json:"discs"` // nil: not in the answer; empty: none
	NetworkInterfaces []NetworkInterface `json:"network_interfaces"`

	// Unconfirmed is the failure of the creation after which the machine was found by its
	// name; nil: the service has said that it created it.
	Unconfirmed error `json:"-"`
}

const virtualMachine = "virtual machine"

func (vm *VirtualMachine) identity() (string, int64, string) { return virtualMachine, vm.ID, vm.Name }

// IsOn reports whether the machine is known to be on.
func (vm *VirtualMachine) IsOn() bool { return vm.PowerOn != nil && *vm.PowerOn }

// IsOff reports whether the machine is known to be off.
func (vm *VirtualMachine) IsOff() bool { return vm.PowerOn != nil && !*vm.PowerOn }

// IsProfileUpgrade reports whether the service may have changed one hardware
// profile into the other by itself: virtio2011 into virtio2013, or a virtio
// profile into a newer one (API.md §8).
func IsProfileUpgrade(from, to string) bool {
	older, isVirtio := strings.CutPrefix(from, "virtio")
	newer, isVirtioToo := strings.CutPrefix(to, "virtio")
	before, err := strconv.ParseUint(older, 10, 64)
	after, errToo := strconv.ParseUint(newer, 10, 64)
	return isVirtio && isVirtioToo && err == nil && errToo == nil && before < after
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

// isDoneOn reports whether a machine shows all that was requested.
func (u VirtualMachineUpdate) isDoneOn(vm *VirtualMachine) bool {
	return (u.Name == nil || strings.EqualFold(*u.Name, vm.Name)) &&
		(u.GroupID == nil || *u.GroupID == vm.GroupID) &&
		(u.Deleted == nil || *u.Deleted == vm.Deleted) &&
		shows(u.Cores, vm.Cores) && shows(u.Memory, vm.Memory) &&
		shows(u.HardwareProfile, vm.HardwareProfile) && shows(u.HardwareProfileLocked, vm.HardwareProfileLocked) &&
		shows(u.AutorebootOn, vm.AutorebootOn) && shows(u.PowerOn, vm.PowerOn) &&
		u.Keymap.isShownBy(vm.Keymap) && u.CDROMURL.isShownBy(vm.CDROMURL)
}

// shows reports whether a value is the requested one, or none was requested.
func shows[T comparable](requested, found *T) bool {
	return requested == nil || found != nil && *requested == *found
}

// Nullable is a string that can be set to null: &Nullable{} ejects an image.
type Nullable struct{ Value *string }

// MarshalJSON writes the string or null.
func (n Nullable) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// isShownBy reports whether a value is the requested one, or none was requested.
func (n *Nullable) isShownBy(found *string) bool {
	return n == nil || n.Value == nil && found == nil || n.Value != nil && shows(n.Value, found)
}

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

// ReimageVirtualMachine installs an operating system, in the background, on a
// machine that is off (400 otherwise). Afterwards the machine is on, and does not
// restart by itself (API.md §3).
// It is not repeated.
func (w Writer) ReimageVirtualMachine(ctx context.Context, vm Ref, reimage Reimage) error {
	_, err := w.do(ctx, once, call{method: http.MethodPost, path: vm.path("reimage"), body: reimage})
	return err
}

// ErrNotDescribed is the answer 202 to a read: the machine exists, but its
// creation has not progressed far enough to describe it (API.md §3).
var ErrNotDescribed = errors.New("the virtual machine is still being created and cannot be described yet")

// Ref identifies the machine that a call is about. Account and Group are names
// or numeric ids.
type Ref struct {
	Account, Group string
	ID             int64
}

// path returns the machine's path followed by the given elements.
func (r Ref) path(rest ...string) []string {
	return append(groupPath(r.Account, r.Group, "virtual_machines", IDText(r.ID)), rest...)
}

// groupPath returns a group's path followed by the given elements.
func groupPath(account, group string, rest ...string) []string {
	return append([]string{"accounts", account, "groups", group}, rest...)
}

// VirtualMachine reads a machine by its id, whatever group it is in now
// (API.md §3). The error is ErrNotDescribed while it is being created.
func (c *Client) VirtualMachine(ctx context.Context, id int64, options ...ReadOption) (*VirtualMachine, error) {
	return read[VirtualMachine](ctx, c, call{
		method: http.MethodGet, path: []string{"virtual_machines", IDText(id)}, query: readQuery(options),
	}, id, "")
}

// VirtualMachineByName reads a machine by its name in a group (API.md §3). The
// error is ErrNotDescribed while it is being created.
func (c *Client) VirtualMachineByName(
	ctx context.Context, account, group, name string, options ...ReadOption,
) (*VirtualMachine, error) {
	path := groupPath(account, group, "virtual_machines")
	if IsDigits(name) { // a path would take it for an id
		missing := fmt.Sprintf("no virtual machine in the group has the name %q", name)
		return pick(ctx, c, path, readQuery(options), missing, func(vm VirtualMachine) bool { return vm.Name == name })
	}
	return read[VirtualMachine](ctx, c, call{method: http.MethodGet, path: append(path, name), query: readQuery(options)}, 0, name)
}

// VirtualMachines reads all machines of a group (API.md §3).
func (c *Client) VirtualMachines(
	ctx context.Context, account, group string, options ...ReadOption,
) ([]VirtualMachine, error) {
	return list[VirtualMachine](ctx, c, groupPath(account, group, "virtual_machines"), readQuery(options))
}

// UpdateVirtualMachine changes only the attributes that are set (API.md §3). The
// answer may lack discs; it is nil if the service did not return the machine. A
// move may be carried out once: the path may lead to another machine when it is done.
// Any other change is repeated.
func (w Writer) UpdateVirtualMachine(
	ctx context.Context, vm Ref, update VirtualMachineUpdate,
) (*VirtualMachine, error) {
	kind := changes
	if update.GroupID != nil {
		kind = once
	}
	changed, err := changeOne[VirtualMachine](ctx, w, kind, call{method: http.MethodPut, path: vm.path(), body: update}, vm.ID)
	return lookAfter(
		changed, err, func() (*VirtualMachine, error) { return w.client.VirtualMachine(ctx, vm.ID, IncludeDeleted) },
		update.isDoneOn,
	)
}

// DeleteVirtualMachine soft-deletes a machine, which keeps its name and
// addresses, or purges it for good (API.md §3). For one that is already gone
// the error is IsNotFound: the caller decides whether that is success.
func (w Writer) DeleteVirtualMachine(ctx context.Context, vm Ref, purge bool) error {
	request := call{method: http.MethodDelete, path: vm.path()}
	if purge {
		request.query = purgeQuery
	}
	_, err := w.do(ctx, destroys, request)
	return err
}

var purgeQuery = url.Values{"purge": {"true"}}

// Signal sends "powerdown", "reset" or "sendkey" (with the keys in data) to a
// machine that is on; the service answers 400 otherwise (API.md §3).
// It is not repeated: a guest would be reset twice.
func (w Writer) Signal(ctx context.Context, vm Ref, signal, data string) error {
	_, err := w.do(ctx, once, signalCall(vm, signal, data))
	return err
}

// PowerDown sends "powerdown" to a machine whose autoreboot_on is false. It is
// repeated if its answer is lost: it either asks the same guest once more, or is
// answered 400 because the machine is off.
func (w Writer) PowerDown(ctx context.Context, vm Ref) error {
	_, err := w.do(ctx, changes, signalCall(vm, "powerdown", ""))
	return err
}

func signalCall(vm Ref, signal, data string) call {
	return call{method: http.MethodPost, path: vm.path("signal"), body: struct {
		Signal string `json:"signal"`
		Data   string `json:"data,omitempty"`
	}{signal, data}}
}

// VirtualMachineAt reads the machine that the path of a write to ref reaches
// (API.md §3). That may be another machine than ref's: one whose name is the id,
// where the service prefers names. The caller compares the ids.
func (c *Client) VirtualMachineAt(ctx context.Context, ref Ref, options ...ReadOption) (*VirtualMachine, error) {
	return read[VirtualMachine](
		ctx, c, call{method: http.MethodGet, path: ref.path(), query: readQuery(options)}, 0, "",
	)
}

// ReadOption changes what a read of machines returns.
type ReadOption func(url.Values)

// IncludeDeleted is the [ReadOption] that also returns soft-deleted machines,
// which keep their names and addresses until they are purged.
func IncludeDeleted(query url.Values) { query.Set("include_deleted", "true") }

// WithoutOverview is the [ReadOption] that leaves out what an object contains: of a
// machine its discs and network interfaces.
func WithoutOverview(query url.Values) { query.Del("view") }

// readQuery returns the query of a read: with discs and network interfaces, unless
// an option says otherwise.
func readQuery(options []ReadOption) url.Values {
	query := url.Values{"view": {"overview"}}
	for _, apply := range options {
		apply(query)
	}
	return query
}
