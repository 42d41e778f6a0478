package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ datasource.DataSourceWithConfigure        = (*groupDataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*groupDataSource)(nil)
)

type groupDataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource gives the data source cloudserver_group.
func NewDataSource() datasource.DataSource {
	return &groupDataSource{}
}

func (d *groupDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_group"
}

func (d *groupDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *groupDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Looks a group up by its name or its id. The machines in it are told by the data source `cloudserver_vms`.",
		Attributes: map[string]schema.Attribute{
			"id":      tfkit.LookedUpBy("Numeric id of the group. Give this or `name`."),
			"name":    tfkit.LookedUpBy("Name of the group. Give this or `id`."),
			"account": tfkit.LookedUpBy("Account of the group, by name or numeric id. Default: the provider's `account`; a group that is looked up by `id` is looked for in the session's other accounts too, unless this is set."),
			"account_id": schema.Int64Attribute{
				MarkdownDescription: "Numeric id of the account, or null where the service does not tell.",
				Computed:            true,
			},
		},
	}
}

func (d *groupDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name"))}
}

func (d *groupDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("look up a group", &resp.Diagnostics) {
		return
	}
	if m.ID.IsNull() {
		d.readByName(ctx, &m, resp)
	} else {
		d.readByID(ctx, &m, resp)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
	}
}

func (d *groupDataSource) readByName(ctx context.Context, m *model, resp *datasource.ReadResponse) {
	if m.Account = d.data.AccountOr(m.Account, "the group", &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	group, err := byName(ctx, d.data.Client, m.Account.ValueString(), m.Name.ValueString())
	if err != nil {
		addNotFound(ctx, d.data.Client, *m, "Cannot find "+m.title(), err, &resp.Diagnostics)
		return
	}
	m.read(group)
}

// readByID looks in one account only where the configuration names one.
func (d *groupDataSource) readByID(ctx context.Context, m *model, resp *datasource.ReadResponse) {
	id, summary := m.ID.ValueString(), fmt.Sprintf("Cannot find group %s", m.ID.ValueString())
	if !isID(id) {
		resp.Diagnostics.AddAttributeError(path.Root("id"), summary, fmt.Sprintf("%q is no numeric id. A group's name goes into name.", id))
		return
	}
	if !m.Account.IsNull() {
		group, err := d.data.Client.GroupAlone(ctx, m.Account.ValueString(), id)
		if err != nil {
			m.Name = m.ID
			addNotFound(ctx, d.data.Client, *m, summary, err, &resp.Diagnostics)
			return
		}
		m.read(group)
		return
	}
	account, group, err := byID(ctx, d.data.Client, d.data.Account, id)
	if err != nil {
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "Check the id, or look the group up by its name.")
		return
	}
	m.Account = account
	m.read(group)
}
