package tfkit

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The keys of a private state.
const (
	privateKey   = "kept"      // what a resource keeps
	importingKey = "importing" // of an import, until its read
	plannedKey   = "planned"   // of a plan: the ID of the object that it changes
)

// PrivateReader is a private state that is read.
type PrivateReader interface {
	// GetKey returns the value of a key, nil if there is none.
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter is a private state that is written.
type PrivateWriter interface {
	// SetKey sets the value of a key; nil removes it.
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadPrivate returns what SavePrivate has put into a private state. Nothing, or
// what was written by hand, is the zero value.
func LoadPrivate[P any](ctx context.Context, from PrivateReader, diags *diag.Diagnostics) (kept P) {
	value, d := from.GetKey(ctx, privateKey)
	diags.Append(d...)
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		return *new(P)
	}
	return kept
}

// SavePrivate puts what a state has no other place for into its private part. What
// is empty is removed, so that a plan without changes stays cheap.
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

// BeginImport marks a private state as that of an import, so that its read is known.
func BeginImport(ctx context.Context, to PrivateWriter, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, importingKey, []byte("true"))...)
}

// EndImport takes the mark away, and reports whether there was one.
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

// BeginPlan marks the private state of a plan with the ID of the object that it changes.
// Terraform plans a replacement that a user forces (-replace, replace_triggered_by)
// twice, the second time without a state, but with the private state of the first plan.
func BeginPlan(ctx context.Context, to PrivateWriter, id string, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, plannedKey, []byte(strconv.Quote(id)))...)
}

// PlannedID returns the ID of the object that a new one replaces, "" if it is not known.
func PlannedID(ctx context.Context, from PrivateReader, diags *diag.Diagnostics) (id string) {
	value, d := from.GetKey(ctx, plannedKey)
	diags.Append(d...)
	if len(value) > 0 {
		_ = json.Unmarshal(value, &id) // what was written by hand is nothing
	}
	return id
}

// EndPlan takes away the mark of a plan, which must not get into a state.
func EndPlan(ctx context.Context, to PrivateWriter, diags *diag.Diagnostics) {
	diags.Append(to.SetKey(ctx, plannedKey, nil)...)
}
