package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// typeName is the resource, without the provider's prefix.
const typeName = "_group"

func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages a group of virtual machines in an account.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the group.",
				Computed:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"account": schema.StringAttribute{
				MarkdownDescription: "Account of the group. Default: the provider's `account`.",
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
				Validators:          []validator.String{tfkit.Filled, tfkit.PathName},
			},
		},
	}
}

// model is the resource, and the data source of one group.
type model struct {
	ID        types.String `tfsdk:"id"`
	Account   types.String `tfsdk:"account"`
	AccountID types.String `tfsdk:"account_id"`
	Name      types.String `tfsdk:"name"`
}

// read sets the values that the service reported. The account keeps its name, because the service reports only its ID.
func (m *model) read(group *cloudserver.Group) {
	m.ID = types.StringValue(cloudserver.IDText(group.ID))
	m.AccountID = tfkit.IDOrNull(group.AccountID)
	if group.Name != "" {
		m.Name = types.StringValue(group.Name)
	}
}

// readPlanned is read after a plan was carried out: planned values are kept, and the next refresh shows where the
// service differs.
func (m *model) readPlanned(group *cloudserver.Group) {
	reported := *m
	reported.read(group)
	m.ID = reported.ID
	m.AccountID = tfkit.PlannedOr(m.AccountID, reported.AccountID)
}

// identity returns the resource identity, which never changes.
func (m model) identity() tfkit.Identity { return tfkit.Identity{"id": m.ID} }

// object identifies the group for detecting a second import or a second resource.
func (m model) object() run.Object { return run.Object{Kind: run.Group, ID: m.ID.ValueString()} }

// title names the group in messages.
func (m model) title() string {
	title := fmt.Sprintf("group %q", m.Name.ValueString())
	switch {
	case m.Name.IsNull():
		title = "group " + m.ID.ValueString()
	case m.Name.IsUnknown():
		title = "a group"
	}
	if m.Account.ValueString() == "" {
		return title
	}
	return fmt.Sprintf("%s of account %q", title, m.Account.ValueString())
}
