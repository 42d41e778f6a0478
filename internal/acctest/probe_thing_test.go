package acctest_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
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
	Tags     types.Map    `tfsdk:"tags"`
	Rules    types.Set    `tfsdk:"rules"`
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
			"tags":      schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"rules": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{
					"port": schema.Int64Attribute{Required: true},
					"id":   schema.StringAttribute{Computed: true, PlanModifiers: keep},
				},
			}},
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
	case r.world.fault("plan invents a tag"):
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("tags"), map[string]string{"invented": "yes"})...)
	case r.world.fault("plan drops blocks"):
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("disc"), types.ListValueMust(discType, nil))...)
	case r.world.fault("plan changes the name"):
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("name"), "other")...)
	}
	resp.Diagnostics.AddAttributeWarning(path.Root("name"), "Planned", "")
}

func (r *thing) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}

// echo is the probe's data source.
type echo struct{}

func (echo) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "probe_echo"
}

func (echo) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"say":   dataschema.StringAttribute{Required: true},
		"heard": dataschema.StringAttribute{Computed: true},
	}}
}

func (echo) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var say types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("say"), &say)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("say"), say)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("heard"), say)...)
}
