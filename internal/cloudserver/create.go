package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// VirtualMachineCreate is the body of vm_create (API.md §7).
type VirtualMachineCreate struct {
	VirtualMachine VirtualMachineSpec `json:"virtual_machine"`
	Discs          []DiscSpec         `json:"discs,omitempty"`
	Reimage        *Reimage           `json:"reimage,omitempty"`
	IPs            *IPs               `json:"ips,omitempty"`

	// Look is what this process knows of the name from before the request.
	Look *Look `json:"-"`
}

func (c VirtualMachineCreate) secrets() []string {
	if c.Reimage == nil {
		return nil
	}
	return c.Reimage.secrets()
}

// VirtualMachineSpec is the requested machine. A nil field is not sent, and the
// service chooses its value.
type VirtualMachineSpec struct {
	Name     string  `json:"name"`
	ZoneName *string `json:"zone_name,omitempty"`
	Settings
}

// IPs are the requested addresses, on a private VLAN only; "" leaves the choice
// to the service (API.md §7).
type IPs struct {
	IPv4 string `json:"ipv4,omitempty"`
	IPv6 string `json:"ipv6,omitempty"`
}

// CreateVirtualMachine creates a machine with its discs and image (API.md §7).
// The work goes on in the background after it returns.
//
// Where the result of a request is ambiguous, the machine is looked up by its
// name: a failure never leads to a second machine, nor to one that nobody knows
// of. A machine of that name is returned only if its specification is the requested
// one, and it is not the one that the look found. A name that is taken is a
// *NameTaken.
func (c *Client) CreateVirtualMachine(ctx context.Context, account, group string, create VirtualMachineCreate) (*VirtualMachine, error) {
	name := create.VirtualMachine.Name
	request := vmCreation{client: c, account: account, group: group, create: create}
	creation := creation[VirtualMachine]{
		what: fmt.Sprintf("virtual machine %q", name), maxRetries: c.maxRetries, look: create.Look,
		post: request.attempt, spared: func() bool { return request.collided },
		lookUp: func(ctx context.Context) (*VirtualMachine, error) {
			return c.VirtualMachineByName(ctx, account, group, name, IncludeDeleted)
		},
		id: func(found *VirtualMachine) int64 { return found.ID },
		fits: func(found *VirtualMachine, ours bool) bool {
			return !found.Deleted && (ours || create.isFulfilledBy(found))
		},
		taken: func(holder *VirtualMachine, err error) error {
			taken := &NameTaken{Account: account, Group: group, Name: name, Err: err}
			if holder != nil {
				taken.ID, taken.Deleted = holder.ID, holder.Deleted
			}
			return taken
		},
	}
	return creation.run(ctx)
}

// vmCreation is the requests of one CreateVirtualMachine.
type vmCreation struct {
	client         *Client
	account, group string
	create         VirtualMachineCreate
	collided       bool // the last one met another one, and failed
}

// meetings are the vm_creates of a client: how many are under way, and how many
// have begun.
type meetings struct {
	mu             sync.Mutex
	running, begun int
}

// enter begins one. The function that it returns ends it, and reports whether
// another one was under way at any time meanwhile.
func (m *meetings) enter() (leave func() (met bool)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	alone := m.running == 0
	m.running++
	m.begun++
	begun := m.begun
	return func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running--
		return !alone || m.begun != begun
	}
}

// attempt sends one vm_create, and remembers whether it failed because it met
// another one: the service may fail creations that meet in a group while it
// allocates addresses (API.md §3).
func (c *vmCreation) attempt(ctx context.Context) (*VirtualMachine, error) {
	leave := c.client.meetings.enter()
	vm, err := c.post(ctx)
	c.collided = leave() && StatusCode(err) == http.StatusInternalServerError
	return vm, err
}

// post sends one vm_create.
func (c *vmCreation) post(ctx context.Context) (*VirtualMachine, error) {
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
