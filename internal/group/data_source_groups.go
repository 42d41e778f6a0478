package group

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
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

// NewGroupsDataSource returns the data source cloudserver_groups.
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
		MarkdownDescription: "Lists the groups of an account, sorted by name.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Name of the account. Default: the provider's `account`.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.NotEmpty, tfkit.PathName},
			},
			"groups": schema.ListNestedAttribute{
				MarkdownDescription: "The groups.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":   schema.StringAttribute{MarkdownDescription: "Numeric ID of the group.", Computed: true},
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
	if m.Account = d.data.KnownAccountOr(m.Account, "the groups", &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	groups := listGroups(ctx, d.data, m.Account.ValueString(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	m.Groups = groupModels(sortedGroups(groups))
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// listGroups reads the groups of an account, and reports why that failed.
func listGroups(ctx context.Context, data *tfkit.ProviderData, account string, diags *diag.Diagnostics) []cloudserver.Group {
	summary := fmt.Sprintf("Cannot list the groups of account %q", account)
	err := data.Directory.CheckAccount(ctx, account)
	var groups []cloudserver.Group
	if err == nil {
		groups, err = data.Client.Groups(ctx, account)
	}
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), summary, tfkit.NoSuchAccount(ctx, data.Directory, account))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	}
	return groups
}

// sortedGroups returns groups by name, and then by ID.
func sortedGroups(groups []cloudserver.Group) []cloudserver.Group {
	return slices.SortedFunc(slices.Values(groups), func(a, b cloudserver.Group) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

func groupModels(groups []cloudserver.Group) []groupModel {
	models := make([]groupModel, len(groups))
	for i, group := range groups {
		models[i] = groupModel{ID: types.StringValue(cloudserver.IDText(group.ID)), Name: types.StringValue(group.Name)}
	}
	return models
}
