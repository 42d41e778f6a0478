// SPDX-License-Identifier: MPL-2.0

package group

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDataSource returns the data source cloudserver_group.
func NewDataSource() datasource.DataSource {
	return &tfkit.DataSource[model]{
		Name: typeName, What: "look up a group", Find: findOne,
		Description: "Provides information about a group, found by its name or its ID.",
		Attributes: map[string]schema.Attribute{
			"id":   tfkit.LookedUpByID("Numeric ID of the group. Set this or `name`."),
			"name": tfkit.LookedUpBy("Name of the group. Set this or `id`."),
			"account": tfkit.LookedUpBy("Account of the group. Default: the provider's `account`. " +
				"Without one, `id` is looked up in all accounts."),
			"account_id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the account, or null.",
				Computed:            true,
			},
		},
		Validators: []datasource.ConfigValidator{
			datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
		},
	}
}

// findOne looks in the configured account, or in all accounts if there is none.
func findOne(ctx context.Context, d *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	if m.ID.IsNull() {
		m.Account = d.KnownAccountOr(m.Account, "the group", diags)
	}
	if !diags.HasError() {
		m.lookUp(ctx, d, "find", diags)
	}
}

// NewGroupsDataSource returns the data source cloudserver_groups.
func NewGroupsDataSource() datasource.DataSource {
	return &tfkit.DataSource[groupsModel]{
		Name: "_groups", What: "list groups", Find: findAll,
		Description: "Provides the groups of an account, sorted by name.",
		Attributes: map[string]schema.Attribute{
			"account": schema.StringAttribute{
				MarkdownDescription: "Name of the account. Default: the provider's `account`.",
				Optional:            true, Computed: true,
				Validators: []validator.String{tfkit.PathName},
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

// groupsModel is the groups of an account.
type groupsModel struct {
	Account types.String `tfsdk:"account"`
	Groups  []groupModel `tfsdk:"groups"`
}

type groupModel struct {
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
}

func findAll(ctx context.Context, d *tfkit.ProviderData, m *groupsModel, diags *diag.Diagnostics) {
	if m.Account = d.KnownAccountOr(m.Account, "the groups", diags); diags.HasError() {
		return
	}
	m.Groups = []groupModel{}
	for _, group := range listGroups(ctx, d, m.Account.ValueString(), diags) {
		m.Groups = append(m.Groups, groupModel{ID: types.StringValue(cloudserver.IDText(group.ID)), Name: types.StringValue(group.Name)})
	}
}

// listGroups reads the groups of an account, sorted by name and ID. It reports an error if that fails.
func listGroups(
	ctx context.Context, d *tfkit.ProviderData, account string, diags *diag.Diagnostics,
) []cloudserver.Group {
	summary := fmt.Sprintf("Cannot list the groups of account %q", account)
	groups, err := d.Client.Groups(ctx, account)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), summary, d.NoSuchAccount(ctx, account))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	}
	slices.SortFunc(groups, func(a, b cloudserver.Group) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return groups
}
