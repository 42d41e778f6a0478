package cloudserver

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// elementsOf returns the elements of a JSON array, and nil for anything else.
func elementsOf(array []byte) []json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(array, &elements) != nil {
		return nil
	}
	return elements
}

// member is one field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the fields of a JSON object in the order that it is written in.
func members(object []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("a JSON object was expected, not %s", kindOf(object))
	}
	var fields []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		field := member{name: fmt.Sprint(name)}
		if err := decoder.Decode(&field.value); err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// kindOf returns the name of the kind of a JSON value.
func kindOf(value []byte) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
