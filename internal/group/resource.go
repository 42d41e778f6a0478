package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*groupResource)(nil)
	_ resource.ResourceWithIdentity    = (*groupResource)(nil)
	_ resource.ResourceWithImportState = (*groupResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*groupResource)(nil)
)

type groupResource struct {
	data *tfkit.ProviderData
}

// NewResource gives the resource cloudserver_group.
func NewResource() resource.Resource {
	return &groupResource{}
}

func (r *groupResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_group"
}

func (r *groupResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &r.data, &resp.Diagnostics)
}

// ModifyPlan fills the account of a new group from the provider.
func (r *groupResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !req.State.Raw.IsNull() || req.Plan.Raw.IsNull() {
		return
	}
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	account := r.data.AccountOr(config.Account, "the group", &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("account"), account)...)
}

// Create makes the group, once whatever gets lost on the way.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	group, err := r.data.Client.CreateGroup(ctx, plan.Account.ValueString(), plan.Name.ValueString())
	if err != nil {
		r.addCreateError(ctx, plan, err, &resp.Diagnostics)
		return
	}
	plan.readPlanned(group)
	save(ctx, &resp.State, resp.Identity, plan, &resp.Diagnostics)
}

// Read asks by numeric id, so that a rename elsewhere is drift and not a loss.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.Ready() {
		return
	}
	group, err := r.data.Client.GroupAlone(ctx, state.Account.ValueString(), state.ID.ValueString())
	switch {
	case cloudserver.IsNotFound(err):
		setIdentity(ctx, resp.Identity, state, &resp.Diagnostics)
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, "Cannot read "+state.title(), err, attributePath, "The state is left as it was.")
		return
	}
	state.read(group)
	save(ctx, &resp.State, resp.Identity, state, &resp.Diagnostics)
}

// Update renames the group: nothing else can change in place.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("rename "+state.title(), &resp.Diagnostics) {
		return
	}
	group, err := r.data.Client.RenameGroup(ctx, state.Account.ValueString(), state.ID.ValueString(), plan.Name.ValueString())
	if err != nil {
		tfkit.AddError(&resp.Diagnostics, "Cannot rename "+state.title(), err, attributePath, "The group keeps its name.")
		return
	}
	plan.readPlanned(group)
	save(ctx, &resp.State, resp.Identity, plan, &resp.Diagnostics)
}

// Delete deletes the group, which has to be empty. One that is gone is no error.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	err := r.data.Client.DeleteGroup(ctx, state.Account.ValueString(), state.ID.ValueString())
	if err != nil && !cloudserver.IsNotFound(err) {
		r.addDeleteError(ctx, state, err, &resp.Diagnostics)
	}
}

// save writes state and identity together: the framework wants both from every
// operation, on a CLI without identity too.
func save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	diags.Append(state.Set(ctx, m)...)
	setIdentity(ctx, identity, m, diags)
}

func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.SetAttribute(ctx, path.Root("id"), m.ID)...)
	}
}
