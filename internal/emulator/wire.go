package emulator

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
	Type            string       `json:"type"`
	ID              int64        `json:"id"`
	Name            string       `json:"name"`
	AccountID       int64        `json:"account_id"`
	VirtualMachines machineWires `json:"virtual_machines,omitzero"`
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

// machineWire is the virtual_machine object (API.md §3 and §8): the value of each of the attributes, in their order.
type machineWire struct {
	kind       string
	values     []any
	discs      []discWire // nil without the overview, like interfaces
	interfaces []interfaceWire
}

// machineWires is a list of them.
type machineWires []machineWire

// machineWire returns the object of a machine, with discs and interfaces in the overview.
func (c *call) machineWire(m *storedMachine, overview bool) machineWire {
	w := machineWire{kind: c.kind("virtual-machine"), values: make([]any, len(attributes))}
	for i, a := range attributes {
		w.values[i] = a.shown(m)
	}
	if overview {
		w.discs, w.interfaces = c.discWires(m), m.interfaceWires()
	}
	return w
}

// machineWires appends the machines of a group that a list shows.
func (c *call) machineWires(list machineWires, g *storedGroup) machineWires {
	machines, overview := c.sorted(g), c.overview()
	list = slices.Grow(list, len(machines))
	for _, m := range machines {
		list = append(list, c.machineWire(m, overview))
	}
	return list
}

// MarshalJSON implements json.Marshaler.
func (w machineWire) MarshalJSON() ([]byte, error) { return w.appendTo(nil) }

// MarshalJSON implements json.Marshaler.
func (list machineWires) MarshalJSON() (_ []byte, err error) {
	document := append(make([]byte, 0, 1024*(len(list)+1)), '[')
	for i, w := range list {
		if i > 0 {
			document = append(document, ',')
		}
		if document, err = w.appendTo(document); err != nil {
			return nil, err
		}
	}
	return append(document, ']'), nil
}

// appendTo appends the JSON object. Most of what the emulator encodes is machines, so they are not left to reflection.
func (w machineWire) appendTo(document []byte) ([]byte, error) {
	document, err := appendValue(append(document, `{"type":`...), w.kind)
	for i, value := range w.values {
		document = append(append(append(document, `,"`...), attributes[i].name...), `":`...)
		if err == nil {
			document, err = appendValue(document, value)
		}
	}
	if w.discs != nil && err == nil {
		document, err = appendValue(append(document, `,"discs":`...), w.discs)
	}
	if w.interfaces != nil && err == nil {
		document, err = appendValue(append(document, `,"network_interfaces":`...), w.interfaces)
	}
	return append(document, '}'), err
}

// appendValue appends a value as JSON.
func appendValue(document []byte, value any) ([]byte, error) {
	switch value := value.(type) {
	case nil:
		return append(document, "null"...), nil
	case bool:
		return strconv.AppendBool(document, value), nil
	case int64:
		return strconv.AppendInt(document, value, 10), nil
	case string:
		if !strings.ContainsFunc(value, isEscaped) {
			return append(append(append(document, '"'), value...), '"'), nil
		}
	}
	text, err := json.Marshal(value)
	return append(document, text...), err
}

// isEscaped reports whether a character of a string may have to be escaped in JSON.
func isEscaped(r rune) bool {
	return r < ' ' || r > '~' || r == '"' || r == '\\' || r == '<' || r == '>' || r == '&'
}

func (m *storedMachine) interfaceWires() []interfaceWire {
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

func (c *call) groupWire(g *storedGroup) groupWire {
	w := groupWire{Type: c.kind("group"), ID: g.id, Name: g.name, AccountID: g.account.id}
	if c.overview() {
		w.VirtualMachines = c.machineWires(machineWires{}, g)
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
