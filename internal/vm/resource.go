package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*vmResource)(nil)
	_ resource.ResourceWithIdentity    = (*vmResource)(nil)
	_ resource.ResourceWithImportState = (*vmResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*vmResource)(nil)
)

type vmResource struct {
	data *tfkit.ProviderData
}

// NewResource returns the resource cloudserver_vm.
func NewResource() resource.Resource {
	return &vmResource{}
}

func (r *vmResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vm"
}

func (r *vmResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &r.data, &resp.Diagnostics)
}

// save writes state and identity together: the framework requires both from
// every operation, on a CLI without identity, too. Nothing in a state may be
// unknown, so what nobody reported is null.
func save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	reported := m
	reported.fromAPI(&cloudserver.VirtualMachine{ID: m.numericID()})
	m.fill(&reported, nil, diags)
	m.set(ctx, &state.Raw, diags)
	m.identity().Save(ctx, identity, diags)
}

// identity is what never changes of a machine: the id.
func (m model) identity() tfkit.Identity {
	if m.ID.IsNull() {
		return nil
	}
	return tfkit.Identity{"id": m.ID}
}
