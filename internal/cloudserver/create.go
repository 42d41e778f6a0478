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

	// Look is what this process found out about the name before the request.
	Look *Look `json:"-"`
}

func (c VirtualMachineCreate) secrets() []string {
	if c.Reimage == nil {
		return nil
	}
	return c.Reimage.secrets()
}

// VirtualMachineSpec is the requested machine. A nil field is not sent: the service chooses its value.
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
// After an ambiguous result, the machine is looked up by its name, so that a failure leads neither to a second machine
// nor to an unknown one. A machine with that name is returned only if it has the requested specification and is not the
// one that Look found. If the name is taken, the error is a *NameTaken.
func (c *Client) CreateVirtualMachine(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	name := create.VirtualMachine.Name
	creation := creation[VirtualMachine, *VirtualMachine]{
		name: NameTaken{Kind: virtualMachine, Account: account, Group: group, Name: name}, maxRetries: c.maxRetries,
		look: create.Look, finished: &c.machinesCreated,
		post: func(ctx context.Context) (*VirtualMachine, error) {
			return c.vmCreate(ctx, account, group, create)
		},
		lookUp: func(ctx context.Context) (*VirtualMachine, error) {
			return c.VirtualMachineByName(ctx, account, group, name, IncludeDeleted)
		},
		fits: func(found *VirtualMachine, accepted bool) bool {
			return !found.Deleted && (accepted || create.isFulfilledBy(found))
		},
		adopt: func(found *VirtualMachine, failure error) { found.Unconfirmed = failure },
	}
	return creation.run(ctx)
}

// vmCreate sends one vm_create.
func (c *Client) vmCreate(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	answer, err := c.do(
		ctx, call{method: http.MethodPost, path: groupPath(account, group, "vm_create"), body: create, unhurried: true},
	)
	if err != nil {
		return nil, err
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
		return nil, answer.misunderstood(errors.New("it describes no virtual machine"))
	}
	if err := answer.isAbout(virtualMachine, vm.ID, vm.Name, 0, create.VirtualMachine.Name); err != nil {
		return nil, err
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
	return agrees(wanted.Cores, vm.Cores) &&
		agrees(wanted.Memory, vm.Memory) &&
		agrees(wanted.ZoneName, vm.ZoneName) &&
		discsAgree(c.Discs, vm.Discs) &&
		(c.Reimage == nil || agrees(&c.Reimage.Distribution, vm.LastImagedWith))
}

// agrees reports whether the values are equal, or one of them is missing.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
}

// discsAgree compares discs by label. Requested discs that are not listed may still be added; if there are other discs,
// it is another machine.
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
