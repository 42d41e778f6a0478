package cloudserver

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is one field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members reads a JSON object in the order that it is written in.
func members(object []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if token != json.Delim('{') {
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
	_, err = decoder.Token()
	return fields, err
}

// kindOf names the kind of a JSON value.
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
