package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// VirtualMachineCreate is the body of vm_create (service.md §4.1).
type VirtualMachineCreate struct {
	VirtualMachine VirtualMachineSpec `json:"virtual_machine"`
	Discs          []DiscSpec         `json:"discs,omitempty"`
	Reimage        *Reimage           `json:"reimage,omitempty"`
	IPs            *IPs               `json:"ips,omitempty"`
}

func (c VirtualMachineCreate) secrets() []string {
	if c.Reimage == nil {
		return nil
	}
	return c.Reimage.secrets()
}

// VirtualMachineSpec is the machine that is asked for. What is nil is not
// sent, and the service chooses.
type VirtualMachineSpec struct {
	Name                  string  `json:"name"`
	Cores                 *int64  `json:"cores,omitempty"`
	Memory                *int64  `json:"memory,omitempty"` // megabytes
	HardwareProfile       *string `json:"hardware_profile,omitempty"`
	ZoneName              *string `json:"zone_name,omitempty"`
	CDROMURL              *string `json:"cdrom_url,omitempty"`
	Keymap                *string `json:"keymap,omitempty"`
	PowerOn               *bool   `json:"power_on,omitempty"`
	AutorebootOn          *bool   `json:"autoreboot_on,omitempty"`
	HardwareProfileLocked *bool   `json:"hardware_profile_locked,omitempty"`
}

// IPs are the addresses that are asked for, on a private VLAN only; "" leaves
// the choice to the service (service.md §4.1).
type IPs struct {
	IPv4 string `json:"ipv4,omitempty"`
	IPv6 string `json:"ipv6,omitempty"`
}

// NameTaken is the refusal of a machine whose name another one has.
type NameTaken struct {
	Account, Group, Name string
	ID                   int64 // of the machine that has the name; 0: not known
	Deleted              bool  // that machine is soft-deleted
	Err                  error
}

// Error says who has the name.
func (e *NameTaken) Error() string {
	who := "another virtual machine"
	switch {
	case e.ID != 0 && e.Deleted:
		who = fmt.Sprintf("virtual machine %d, which is soft-deleted", e.ID)
	case e.ID != 0:
		who = fmt.Sprintf("virtual machine %d", e.ID)
	}
	text := fmt.Sprintf("the name %q is taken in group %q of account %q by %s", e.Name, e.Group, e.Account, who)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the service's refusal.
func (e *NameTaken) Unwrap() error { return e.Err }

// UnsureError is a creation that failed, and of which it could not be found out
// whether it has made the machine all the same.
type UnsureError struct {
	Name    string // of the machine
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it found nothing, which may come yet
}

// Error says both.
func (e *UnsureError) Error() string {
	if e.LookErr == nil {
		return fmt.Sprintf("%v; there is no virtual machine %q so far, but the service may still be making it", e.Err, e.Name)
	}
	return fmt.Sprintf("%v; whether virtual machine %q exists could not be found out: %v", e.Err, e.Name, e.LookErr)
}

// Unwrap gives the causes.
func (e *UnsureError) Unwrap() []error {
	if e.LookErr == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.LookErr}
}

// CreateVirtualMachine makes a machine with its discs and image (service.md
// §4.1). The work goes on in the background after it returns.
//
// Where it is not certain what a failed request did, the machine is looked up
// by its name: never does a failure lead to a second machine, nor leave one
// that nobody knows of. A name that is taken is a *NameTaken.
func (c *Client) CreateVirtualMachine(ctx context.Context, account, group string, create VirtualMachineCreate) (*VirtualMachine, error) {
	creation := creation{client: c, account: account, group: group, create: create}
	return creation.run(ctx)
}

// post is one vm_create.
func (c *creation) post(ctx context.Context) (*VirtualMachine, error) {
	answer, err := c.client.do(ctx, call{
		method: http.MethodPost, path: groupPath(c.account, c.group, "vm_create"), body: c.create, unhurried: true,
	})
	if err != nil {
		return nil, err
	}
	var created struct {
		VirtualMachine json.RawMessage `json:"virtual_machine"`
		Discs          looseList[Disc] `json:"discs"`
	}
	if err := answer.decode(&created); err != nil {
		return nil, err
	}
	var vm VirtualMachine
	if err := json.Unmarshal(created.VirtualMachine, &vm); err != nil || vm.ID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no virtual machine"))
	}
	if created.Discs.elements != nil {
		vm.Discs = created.Discs.elements
	}
	return &vm, nil
}
