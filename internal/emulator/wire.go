package emulator

import "maps"

// interfaceWire is a network interface object (API.md §3).
type interfaceWire struct {
	ID               int64             `json:"id"`
	Label            *string           `json:"label"`
	MAC              string            `json:"mac"`
	VLANNum          int64             `json:"vlan_num"`
	IPs              []string          `json:"ips"`
	ExtraIPs         map[string]string `json:"extra_ips"`
	VirtualMachineID int64             `json:"virtual_machine_id"`
}

// groupWire is a group object (API.md §5).
type groupWire struct {
	Type            string        `json:"type"`
	ID              int64         `json:"id"`
	Name            string        `json:"name"`
	AccountID       int64         `json:"account_id"`
	VirtualMachines []machineWire `json:"virtual_machines,omitzero"`
}

// accountWire is an account object (API.md §5).
type accountWire struct {
	Type      string      `json:"type"`
	ID        int64       `json:"id"`
	Name      string      `json:"name"`
	Suspended bool        `json:"suspended"`
	Groups    []groupWire `json:"groups,omitzero"`
}

// kind returns the value of a type field.
func (c *call) kind(noun string) string { return mediaType(c.store.options.Vendor, noun) }

// machineWire is the virtual_machine object (API.md §3 and §8).
type machineWire map[string]any

// machineWire returns the object of a machine, with discs and interfaces in the overview.
func (c *call) machineWire(m *machine, overview bool) machineWire {
	w := machineWire{"type": c.kind("virtual-machine")}
	for _, a := range attributes {
		w[a.name] = a.shown(m)
	}
	if overview {
		w["discs"], w["network_interfaces"] = c.discWires(m), m.interfaceWires()
	}
	return w
}

// machineWires appends the machines of a group that a list shows.
func (c *call) machineWires(list []machineWire, g *group) []machineWire {
	for _, m := range c.sorted(g) {
		list = append(list, c.machineWire(m, c.overview()))
	}
	return list
}

func (m *machine) interfaceWires() []interfaceWire {
	list := make([]interfaceWire, 0, len(m.Interfaces))
	for _, face := range m.Interfaces {
		extra := map[string]string{}
		maps.Copy(extra, face.ExtraIPs)
		list = append(list, interfaceWire{
			ID: face.ID, Label: nullable(face.Label), MAC: face.MAC, VLANNum: face.VLANNum,
			IPs: append([]string{}, face.IPs...), ExtraIPs: extra, VirtualMachineID: m.ID,
		})
	}
	return list
}

func (c *call) groupWire(g *group) groupWire {
	w := groupWire{Type: c.kind("group"), ID: g.id, Name: g.name, AccountID: g.account.id}
	if c.overview() {
		w.VirtualMachines = c.machineWires([]machineWire{}, g)
	}
	return w
}

func (c *call) accountWire(a *account) accountWire {
	w := accountWire{Type: c.kind("account"), ID: a.id, Name: a.name, Suspended: a.suspended}
	if c.overview() {
		w.Groups = []groupWire{}
		for _, g := range sortedByID(a.groups) {
			w.Groups = append(w.Groups, c.groupWire(g))
		}
	}
	return w
}

// nullable returns null for an empty string.
func nullable(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}
