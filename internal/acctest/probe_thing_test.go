package acctest_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// thing is the probe's resource.
type thing struct{ world *world }

type thingModel struct {
	ID       types.String `tfsdk:"id"`
	Version  types.Int64  `tfsdk:"version"`
	Name     types.String `tfsdk:"name"`
	Zone     types.String `tfsdk:"zone"`
	Size     types.Int64  `tfsdk:"size"`
	SecretWO types.String `tfsdk:"secret_wo"`
	Disc     types.List   `tfsdk:"disc"`
	Image    types.Object `tfsdk:"image"`
}

func (r *thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "probe_thing"
}

func (r *thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":      schema.StringAttribute{Computed: true, PlanModifiers: keep},
			"version": schema.Int64Attribute{Computed: true},
			"name":    schema.StringAttribute{Required: true},
			"zone": schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: []planmodifier.String{
				stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
			}},
			"size":      schema.Int64Attribute{Optional: true, Computed: true},
			"secret_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
		},
		Blocks: map[string]schema.Block{
			"disc": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"label": schema.StringAttribute{Required: true},
					"grade": schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keep},
					"id":    schema.StringAttribute{Computed: true, PlanModifiers: keep},
				},
			}},
			"image": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"name":        schema.StringAttribute{Optional: true},
				"password_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
			}},
		},
	}
}

func (r *thing) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true},
	}}
}

func (r *thing) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && r.world.fault("destroy refused"):
		resp.Diagnostics.AddError("Protected", "It may not be destroyed.")
	case req.Plan.Raw.IsNull():
	case r.world.fault("plan drops blocks"):
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("disc"), types.ListValueMust(discType, nil))...)
	}
	resp.Diagnostics.AddAttributeWarning(path.Root("name"), "Planned", "")
}
