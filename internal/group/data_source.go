package group

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ datasource.DataSourceWithConfigure        = (*groupDataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*groupDataSource)(nil)
)

type groupDataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource returns the data source cloudserver_group.
func NewDataSource() datasource.DataSource {
	return &groupDataSource{}
}

func (d *groupDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + typeName
}

func (d *groupDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *groupDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Provides information about a group, found by its name or its ID. The data source `cloudserver_vms` lists the machines in it.",
		Attributes: map[string]schema.Attribute{
			"id":      tfkit.LookedUpBy("Numeric ID of the group. Set this or `name`."),
			"name":    tfkit.LookedUpBy("Name of the group. Set this or `id`."),
			"account": tfkit.LookedUpBy("Name of the account of the group. Default: the provider's `account`. Without it, a group is looked up by `id` in all accounts that the credentials can see."),
			"account_id": schema.StringAttribute{
				MarkdownDescription: "Numeric ID of the account, or null if the service does not report it.",
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
	if m.Account = d.data.KnownAccountOr(m.Account, "the group", &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	group, err := byName(ctx, d.data, m.Account.ValueString(), m.Name.ValueString())
	if err != nil {
		addNotFound(ctx, d.data, *m, "Cannot find "+m.title(), err, &resp.Diagnostics)
		return
	}
	m.read(group)
}

// readByID looks only in the configured account, if there is one.
func (d *groupDataSource) readByID(ctx context.Context, m *model, resp *datasource.ReadResponse) {
	summary := "Cannot find " + m.title()
	id, err := cloudserver.ParseID(m.ID.ValueString())
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("id"), summary, tfkit.Detail(err, "Set name instead to find a group by its name."))
		return
	}
	var group *cloudserver.Group
	if m.Account.IsNull() {
		m.Account, group, err = byID(ctx, d.data, d.data.Account, id)
	} else {
		group, err = byIDIn(ctx, d.data, m.Account.ValueString(), id)
	}
	switch {
	case err != nil && m.Account.ValueString() != "" && cloudserver.IsNotFound(d.data.Directory.Visible(ctx, m.Account.ValueString())):
		resp.Diagnostics.AddAttributeError(path.Root("account"), summary, tfkit.NoSuchAccount(ctx, d.data.Directory, m.Account.ValueString()))
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddAttributeError(path.Root("id"), summary, tfkit.Detail(err, checkID+" To find a group by its name, use name."))
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, checkID)
	default:
		m.read(group)
	}
}
