// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

// VirtualMachineCreate is the body of vm_create (API.md §7).
type VirtualMachineCreate struct {
	VirtualMachine VirtualMachineSpec `json:"virtual_machine"`
	Discs          []DiscSpec         `json:"discs,omitempty"`
	Reimage        *Reimage           `json:"reimage,omitempty"`
	IPs            *IPs               `json:"ips,omitempty"`

	// NameIsFree means that this process has seen that no machine has the name. Otherwise [Client.CreateVirtualMachine]
	// looks before the request: only a name that was free shows that a machine with it is new.
	NameIsFree bool `json:"-"`
}

// Secrets returns the values that no message and no log may show (see [WithSecrets]).
func (c VirtualMachineCreate) Secrets() []string {
	if c.Reimage == nil {
		return nil
	}
	return c.Reimage.Secrets()
}

// VirtualMachineSpec is the requested machine. Nil fields are not sent: the service chooses their values.
type VirtualMachineSpec struct {
	Name     string  `json:"name"`
	ZoneName *string `json:"zone_name,omitempty"`
	Settings
}

// IPs are the requested addresses, on a private VLAN only. "" leaves the choice to the service (API.md §7).
type IPs struct {
	IPv4 string `json:"ipv4,omitempty"`
	IPv6 string `json:"ipv6,omitempty"`
}

// CreateVirtualMachine creates a machine with its discs and image (API.md §7). The work continues in the background
// after it returns.
//
// After an ambiguous result the machine is looked up by its name. One that has the requested specification is returned,
// because the name was free before; Unconfirmed is set unless the service answered with success. If there is none, the
// request is sent again: names are unique, so the first request cannot become a second machine later.
//
// If the name is taken, the error is a *NameTaken. If it remains unknown what was created, the error is an
// *AmbiguousError.
func (c *Client) CreateVirtualMachine(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	name := create.VirtualMachine.Name
	ctx = WithSecrets(ctx, create.Secrets()...)
	creation := creation[VirtualMachine]{
		client: c, isFree: create.NameIsFree,
		taken: NameTaken{Kind: "virtual machine", Account: account, Group: group, Name: name},
		post: func(ctx context.Context) (*VirtualMachine, error) {
			return c.vmCreate(ctx, account, group, create)
		},
		lookUp: func(ctx context.Context) (*VirtualMachine, error) {
			return c.VirtualMachineByName(ctx, account, group, name, IncludeDeleted)
		},
		fits:  create.isFulfilledBy,
		id:    func(found *VirtualMachine) (int64, bool) { return found.ID, found.Deleted },
		adopt: func(found *VirtualMachine, failure error) { found.Unconfirmed = failure },
	}
	return creation.run(ctx)
}

// vmCreate sends one vm_create.
func (c *Client) vmCreate(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{
		method: http.MethodPost, path: groupPath(account, group, "vm_create"), body: create, once: true, finish: true,
	})
	if err != nil {
		return nil, err
	}
	if answer.isEmpty() {
		return nil, answer.unreadable(errEmpty)
	}
	var created struct {
		VirtualMachine VirtualMachine `json:"virtual_machine"`
		Discs          []Disc         `json:"discs"`
	}
	if err := answer.decode(&created); err != nil {
		return nil, err
	}
	vm := &created.VirtualMachine
	if vm.ID == 0 {
		return nil, answer.unreadable(errors.New("it describes no virtual machine"))
	}
	if created.Discs != nil {
		vm.Discs = created.Discs
	}
	return vm, nil
}

// isFulfilledBy reports whether a machine has the requested specification. Values are compared if they were both
// requested and reported. Power is not compared, because the machine may still be starting.
func (c VirtualMachineCreate) isFulfilledBy(vm *VirtualMachine) bool {
	wanted := c.VirtualMachine
	return !vm.Deleted &&
		agrees(wanted.Cores, vm.Cores) &&
		agrees(wanted.Memory, vm.Memory) &&
		agrees(wanted.ZoneName, vm.ZoneName) &&
		discsAgree(c.Discs, vm.Discs) &&
		(c.Reimage == nil || agrees(&c.Reimage.Distribution, vm.LastImagedWith))
}

// agrees reports whether the values are equal, or one of them is missing.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
}

// discsAgree reports whether each disc that was found was requested. Requested discs that are missing may still be
// added.
func discsAgree(wanted []DiscSpec, found []Disc) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, disc := range found {
		if !slices.ContainsFunc(wanted, func(spec DiscSpec) bool {
			return SameLabel(spec.Label, disc.Label) && spec.Size == disc.Size &&
				(spec.StorageGrade == "" || disc.StorageGrade == "" || spec.StorageGrade == disc.StorageGrade)
		}) {
			return false
		}
	}
	return true
}
