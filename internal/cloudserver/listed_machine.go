package cloudserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
)

// ListedMachine is a machine of a list. Only its ID and name are decoded: an apply lists its group again and again, to
// see the few machines that it waits for at that moment.
type ListedMachine struct {
	ID       int64
	Name     string
	Document []byte // the JSON object
}

// VirtualMachine decodes the machine. It reports false if a text of it contains a credential of this process: nothing of
// the machine may be used then, and a read by its ID returns the error that explains why.
func (m ListedMachine) VirtualMachine() (vm *VirtualMachine, ok bool) {
	vm = new(VirtualMachine)
	value, _ := parse(m.Document)
	fill(reflect.ValueOf(vm).Elem(), value)
	if holder(reflect.ValueOf(vm), "") != "" {
		return nil, false
	}
	return vm, true
}

// ListVirtualMachines reads all machines of a group, like [Client.VirtualMachines], for a caller that needs few of
// them.
func (c *Client) ListVirtualMachines(
	ctx context.Context, account, group string, options ...ReadOption,
) ([]ListedMachine, error) {
	path := groupPath(account, group, "virtual_machines")
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: readQuery(options)})
	if err != nil {
		return nil, err
	}
	machines, ok := listedMachines(bytes.TrimSpace(answer.body))
	if !ok {
		return nil, answer.misunderstood(answer.oddity())
	}
	return machines, nil
}

// listedMachines returns the machines of a list, or of a single object instead of a list of one. It reports whether the
// body is one of these, as listOf does.
func listedMachines(body []byte) (machines []ListedMachine, ok bool) {
	if len(body) > 0 && body[0] == '{' {
		machine, hasID, _ := listedMachine(body)
		return []ListedMachine{machine}, hasID
	}
	var documents []json.RawMessage
	if err := json.Unmarshal(body, &documents); err != nil || documents == nil {
		return nil, false
	}
	machines = make([]ListedMachine, len(documents))
	for i, document := range documents {
		if machines[i], _, ok = listedMachine(document); !ok {
			return nil, false
		}
	}
	return machines, true
}

// listedMachine decodes the ID and the name of a machine. It reports whether there is an ID, and whether the document is
// an object at all.
func listedMachine(document []byte) (machine ListedMachine, hasID, isObject bool) {
	var fields *struct {
		ID   json.RawMessage
		Name any
	}
	if err := json.Unmarshal(document, &fields); err != nil || fields == nil {
		return machine, false, false
	}
	machine.Document = document
	machine.ID, hasID = integer(strings.Trim(string(fields.ID), `"`)) // some services send it as a string
	name, _ := fields.Name.(string)
	machine.Name = printable(name)
	return machine, hasID, true
}
