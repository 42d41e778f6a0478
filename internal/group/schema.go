package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A group of virtual machines in an account. Only an empty group can be destroyed: machines that Terraform manages in it are destroyed first when their `group` refers to this resource.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric id of the group at the service.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"account": schema.StringAttribute{
				MarkdownDescription: "Account that the group belongs to, by name or numeric id. Default: the provider's `account`. Changing it replaces the group.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.NotEmpty{}},
				PlanModifiers: []planmodifier.String{
					stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplaceIfConfigured(),
				},
			},
			"account_id": schema.Int64Attribute{
				MarkdownDescription: "Numeric id of the account, or null where the service does not tell.",
				Computed:            true,
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the group, unique in its account. Changing it renames the group in place, and the host names of its machines follow.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty{}},
			},
		},
	}
}

// IdentitySchema holds only what never changes: the numeric id.
func (r *groupResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{
				Description:       "Numeric id of the group at the service.",
				RequiredForImport: true,
			},
		},
	}
}
