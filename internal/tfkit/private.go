package tfkit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// privateKey is the key of the private state under which a resource keeps what it keeps.
const privateKey = "kept"

// PrivateReader is a private state that can be read.
type PrivateReader interface {
	// GetKey returns the value of a key, or nil.
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter is a private state that can be written.
type PrivateWriter interface {
	// SetKey sets the value of a key; nil removes it.
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadPrivate returns what SavePrivate has stored in a private state. If there is nothing, or it was edited by hand,
// the result is the zero value.
func LoadPrivate[P any](ctx context.Context, from PrivateReader, diags *diag.Diagnostics) (kept P) {
	value, d := from.GetKey(ctx, privateKey)
	diags.Append(d...)
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		return *new(P)
	}
	return kept
}

// SavePrivate stores what has no place in the state itself. A zero value is removed.
func SavePrivate(ctx context.Context, to PrivateWriter, kept any, diags *diag.Diagnostics) {
	value, err := json.Marshal(kept)
	if err != nil {
		diags.AddError("Cannot write the private state", err.Error())
		return
	}
	if string(value) == "{}" {
		value = nil
	}
	diags.Append(to.SetKey(ctx, privateKey, value)...)
}
