package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Identity holds the attributes of a resource identity.
type Identity map[string]attr.Value

// Save writes the state and the identity of a resource. The framework requires both from every create, read and update,
// even for a CLI that does not support identities.
func Save(
	ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, model any, values Identity,
	diags *diag.Diagnostics,
) {
	diags.Append(state.Set(ctx, model)...)
	values.Save(ctx, identity, diags)
}

// Save writes the identity alone. A read that ends early needs it.
func (i Identity) Save(ctx context.Context, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	for name, value := range i {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}
