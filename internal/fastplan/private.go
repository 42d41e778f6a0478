package fastplan

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// privateState is a private state in the framework's form: JSON by key. The keys that begin with a dot are the
// framework's.
type privateState map[string][]byte

// decodePrivate decodes a private state. ok is false if the framework would refuse it, or drop it.
func decodePrivate(encoded []byte) (keys privateState, ok bool) {
	keys = privateState{}
	if len(encoded) > 0 && (json.Unmarshal(encoded, &keys) != nil || keys == nil) {
		return nil, false
	}
	for key, value := range keys {
		switch {
		case len(value) == 0:
			delete(keys, key)
		case !json.Valid(value):
			return nil, false
		}
	}
	return keys, true
}

// encode returns the private state as the framework does.
func (p privateState) encode() []byte {
	if len(p) == 0 {
		return nil
	}
	encoded, _ := json.Marshal(p) //nolint:errchkjson // texts
	return encoded
}

// GetKey implements tfkit.PrivateReader.
func (p privateState) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

// SetKey implements tfkit.PrivateWriter.
func (p privateState) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	if len(value) == 0 {
		delete(p, key)
	} else {
		p[key] = value
	}
	return nil
}
