package cloudserver

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"reflect"
	"unicode/utf8"
)

// ListedMachine is a machine of a list. Only its ID and name are decoded: an apply lists its group again and again, to
// see the few machines that it waits for at that moment.
type ListedMachine struct {
	ID       int64
	Name     string
	Document []byte // the JSON object
}

// VirtualMachine decodes the machine.
func (m ListedMachine) VirtualMachine() *VirtualMachine {
	var vm VirtualMachine
	value, _ := parse(m.Document)
	fill(reflect.ValueOf(&vm).Elem(), value)
	return &vm
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
	if !json.Valid(body) || body[0] != '[' && body[0] != '{' {
		return nil, false
	}
	if body[0] == '{' {
		machine, hasID := listedMachine(body)
		return []ListedMachine{machine}, hasID
	}
	for document := range parts(body) {
		if document[0] != '{' {
			return nil, false
		}
		machine, _ := listedMachine(document)
		machines = append(machines, machine)
	}
	return machines, true
}

// listedMachine decodes the ID and the name of a machine. It reports whether there is an ID.
func listedMachine(document []byte) (machine ListedMachine, hasID bool) {
	machine.Document = document
	var key []byte
	for part := range parts(document) {
		if key == nil {
			key = part
			continue
		}
		switch string(text(key)) {
		case "id":
			if machine.ID, hasID = integer(json.Number(part)); !hasID {
				machine.ID, hasID = integer(string(text(part)))
			}
		case "name":
			machine.Name = printable(string(text(part)))
		}
		key = nil
	}
	return machine, hasID
}

// text returns the value of a JSON string, or nothing for any other value.
func text(document []byte) []byte {
	if document[0] == '"' && bytes.IndexByte(document, '\\') < 0 && utf8.Valid(document) {
		return document[1 : len(document)-1]
	}
	value, _ := parse(document)
	text, _ := value.(string)
	return []byte(text)
}

// parts returns the elements of a JSON array, or alternately the names and values of an object, as they are written.
// The document is valid.
func parts(document []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin, depth := 0, 0
		for i := 0; i < len(document); i++ {
			switch document[i] {
			case '"':
				for i++; document[i] != '"'; i++ {
					if document[i] == '\\' {
						i++
					}
				}
			case '[', '{':
				if depth++; depth == 1 {
					begin = i + 1
				}
			case ',', ':', ']', '}':
				if depth == 1 {
					if part := bytes.TrimSpace(document[begin:i]); len(part) > 0 && !yield(part) {
						return
					}
					begin = i + 1
				}
				if document[i] == ']' || document[i] == '}' {
					depth--
				}
			}
		}
	}
}
