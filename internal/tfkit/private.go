// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// stateKey is the key of the private state under which SavePrivate stores a value.
const stateKey = "kept"

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

// LoadPrivate returns what SavePrivate has stored in the private state. If there is nothing, or it was edited by hand, the
// result is the zero value.
func LoadPrivate[T any](ctx context.Context, from PrivateReader, diags *diag.Diagnostics) (kept T) {
	value, d := from.GetKey(ctx, stateKey)
	diags.Append(d...)
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		var nothing T
		return nothing
	}
	return kept
}

// SavePrivate stores a value in the private state. An empty one is removed.
func SavePrivate[T any](ctx context.Context, to PrivateWriter, kept T, diags *diag.Diagnostics) {
	value, err := json.Marshal(kept)
	if err != nil {
		diags.AddError("Cannot write the private state", err.Error())
		return
	}
	if string(value) == "{}" {
		value = nil
	}
	diags.Append(to.SetKey(ctx, stateKey, value)...)
}
