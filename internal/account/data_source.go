// Package account is what Terraform knows about an account (API.md §5): the
// data source cloudserver_account. Accounts are not made through the service.
package account

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ datasource.DataSourceWithConfigure        = (*dataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*dataSource)(nil)
)

type dataSource struct {
	data *tfkit.ProviderData
}

// NewDataSource gives the data source cloudserver_account.
func NewDataSource() datasource.DataSource {
	return &dataSource{}
}

type model struct {
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	Suspended types.Bool   `tfsdk:"suspended"`
}

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_account"
}

func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &d.data, &resp.Diagnostics)
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Looks an account up, by default the provider's own. Its groups are told by the data source `cloudserver_groups`.",
		Attributes: map[string]schema.Attribute{
			"id":        tfkit.LookedUpBy("Numeric id of the account. Give this, `name`, or neither: then it is the provider's `account`."),
			"name":      tfkit.LookedUpBy("Name of the account. Give this, `id`, or neither."),
			"suspended": schema.BoolAttribute{MarkdownDescription: "Whether the account is suspended: then it can be read, but nothing in it can be changed.", Computed: true},
		},
	}
}

func (d *dataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("name"))}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.data.RequireReady("look up an account", &resp.Diagnostics) {
		return
	}
	wanted, at := d.wanted(m)
	if wanted == "" {
		resp.Diagnostics.AddError("No account to look up", "Set name or id here, or account in the provider block or in CLOUDSERVER_ACCOUNT.")
		return
	}
	summary := fmt.Sprintf("Cannot find account %q", wanted)
	account, err := d.data.Client.AccountAlone(ctx, wanted)
	switch {
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddAttributeError(at, summary, tfkit.NoSuchAccount(ctx, d.data.Client, wanted))
		return
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model{
		ID:        types.StringValue(strconv.FormatInt(account.ID, 10)),
		Name:      types.StringValue(account.Name),
		Suspended: types.BoolValue(account.Suspended),
	})...)
}

// wanted is the account that is meant, and the attribute that says so.
func (d *dataSource) wanted(m model) (string, path.Path) {
	switch {
	case !m.Name.IsNull():
		return m.Name.ValueString(), path.Root("name")
	case !m.ID.IsNull():
		return m.ID.ValueString(), path.Root("id")
	}
	return d.data.Account.ValueString(), path.Empty()
}
