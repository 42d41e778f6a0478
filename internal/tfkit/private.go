package tfkit

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The keys of the private state.
const (
	privateKey   = "kept"      // what a resource keeps
	formerKey    = "machine"   // what a machine kept in the first edition: it is read, and written under the key above
	importingKey = "importing" // from an import until the read that follows it
	plannedKey   = "planned"   // from a plan: the ID of the object that it changes
)

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
	if len(value) == 0 {
		value, d = from.GetKey(ctx, formerKey)
		diags.Append(d...)
	}
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		return *new(P)
	}
	return kept
}

// SavePrivate stores what has no place in the state itself. A zero value is removed, so that plans without changes stay
// fast.
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
	diags.Append(to.SetKey(ctx, formerKey, nil)...)
}

// BeginImport marks a private state as that of an import, for the read that follows.
func BeginImport(ctx context.Context, to PrivateWriter, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, importingKey, []byte("true"))...)
}

// EndImport removes the mark, and reports whether it was set.
func EndImport(ctx context.Context, private interface {
	PrivateReader
	PrivateWriter
}, diags *diag.Diagnostics,
) bool {
	mark, d := private.GetKey(ctx, importingKey)
	diags.Append(d...)
	diags.Append(private.SetKey(ctx, importingKey, nil)...)
	return len(mark) > 0
}

// BeginPlan marks the private state of a plan with the ID of the object that it changes. A replacement that a user
// forces (-replace, replace_triggered_by) is planned twice, the second time without a state but with the private state
// of the first plan.
func BeginPlan(ctx context.Context, to PrivateWriter, id string, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, plannedKey, []byte(strconv.Quote(id)))...)
}

// PlannedID returns the ID of the object that a new one replaces, or "" if it is unknown.
func PlannedID(ctx context.Context, from PrivateReader, diags *diag.Diagnostics) (id string) {
	value, d := from.GetKey(ctx, plannedKey)
	diags.Append(d...)
	if len(value) > 0 {
		_ = json.Unmarshal(value, &id) // invalid JSON is ignored
	}
	return id
}

// EndPlan removes the mark of a plan, which must not get into a state.
func EndPlan(ctx context.Context, to PrivateWriter, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, plannedKey, nil)...)
}
