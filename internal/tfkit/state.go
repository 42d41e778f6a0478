package tfkit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Identity is the attributes of a resource identity.
type Identity map[string]attr.Value

// Save writes the state and the identity of a resource. The framework requires
// both from every create, read and update, on a CLI without identities, too.
func Save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, model any, values Identity, diags *diag.Diagnostics) {
	diags.Append(state.Set(ctx, model)...)
	values.Save(ctx, identity, diags)
}

// Save writes the identity alone: a read that ends early has to, as well.
func (i Identity) Save(ctx context.Context, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	for name, value := range i {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// privateKey is the one key of a private state.
const privateKey = "kept"

// LoadPrivate returns what SavePrivate has put into a private state. Nothing, or
// what was written by hand, is the zero value.
func LoadPrivate[P any](ctx context.Context, from interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}, diags *diag.Diagnostics,
) (kept P) {
	value, d := from.GetKey(ctx, privateKey)
	diags.Append(d...)
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		return *new(P)
	}
	return kept
}

// SavePrivate puts what a state has no other place for into its private part. What
// is empty is removed, so that a plan without changes stays cheap.
func SavePrivate(ctx context.Context, to interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}, kept any, diags *diag.Diagnostics,
) {
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
