package group

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var _ datasource.DataSourceWithConfigure = (*groupsDataSource)(nil)

type groupsDataSource struct {
	data *tfkit.ProviderData
}

// NewGroupsDataSource gives the data source cloudserver_groups.
func NewGroupsDataSource() datasource.DataSource {
	return &groupsDataSource{}
}

// groupsModel is the groups of an account.
type groupsModel struct {
	Account types.String `tfsdk:"account"`
	Groups  []groupModel `tfsdk:"groups"`
}

type groupModel struct {
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
}

func (d *groupsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_groups"
}

func (d *groupsDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *groupsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The groups of an account, sorted by name, in one request.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Account, by name or numeric id. Default: the provider's `account`.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.NotEmpty{}},
			},
			"groups": schema.ListNestedAttribute{
				MarkdownDescription: "The groups.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":   schema.StringAttribute{MarkdownDescription: "Numeric id of the group.", Computed: true},
					"name": schema.StringAttribute{MarkdownDescription: "Name of the group.", Computed: true},
				}},
			},
		},
	}
}

func (d *groupsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m groupsModel
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("account"), &m.Account)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("list groups", &resp.Diagnostics) {
		return
	}
	if m.Account = d.data.AccountOr(m.Account, "the groups", &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	account := m.Account.ValueString()
	groups, err := d.data.Client.Groups(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddAttributeError(path.Root("account"), fmt.Sprintf("Cannot list the groups of account %q", account),
			tfkit.NoSuchAccount(ctx, d.data.Client, account))
		return
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, fmt.Sprintf("Cannot list the groups of account %q", account), err, nil, "")
		return
	}
	m.Groups = groupModels(sortedGroups(groups))
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// sortedGroups sorts groups by name and then by id.
func sortedGroups(groups []cloudserver.Group) []cloudserver.Group {
	return slices.SortedFunc(slices.Values(groups), func(a, b cloudserver.Group) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

func groupModels(groups []cloudserver.Group) []groupModel {
	models := make([]groupModel, len(groups))
	for i, group := range groups {
		models[i] = groupModel{ID: types.StringValue(idText(group.ID)), Name: types.StringValue(group.Name)}
	}
	return models
}
