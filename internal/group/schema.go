package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a group of virtual machines in an account. Only an empty group can be destroyed: machines whose `group` or `group_id` refers to this resource are destroyed first.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the group.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"account": schema.StringAttribute{
				MarkdownDescription: "Name of the account that the group belongs to. Default: the provider's `account`.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.NotEmpty, tfkit.PathName},
				PlanModifiers: []planmodifier.String{
					stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplaceIfConfigured(),
				},
			},
			"account_id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the account, or null if the service does not report it.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the group, unique in its account. A new name must not consist of digits only.",
				Required:            true,
				Validators:          []validator.String{tfkit.NotEmpty, tfkit.PathName},
			},
		},
	}
}
