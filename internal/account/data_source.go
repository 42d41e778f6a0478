// Package account provides information about accounts (API.md §5): the data source
// cloudserver_account. The service cannot create accounts.
package account

import (
	"context"
	"fmt"
	"slices"

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

// NewDataSource returns the data source cloudserver_account.
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
		MarkdownDescription: "Provides information about an account, by default the provider's own. The data source `cloudserver_groups` lists its groups.",
		Attributes: map[string]schema.Attribute{
			"id":        tfkit.LookedUpBy("Numeric ID of the account. Set this, `name`, or neither to use the provider's `account`."),
			"name":      tfkit.LookedUpBy("Name of the account. Set this, `id`, or neither."),
			"suspended": schema.BoolAttribute{MarkdownDescription: "Whether the account is suspended: it can be read, but nothing in it can be changed.", Computed: true},
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
	at, name := path.Root("name"), m.Name.ValueString()
	switch {
	case !m.ID.IsNull():
		d.readID(ctx, m.ID.ValueString(), resp)
		return
	case m.Name.IsNull():
		at, name = path.Empty(), d.data.Account.ValueString()
	}
	if name == "" {
		resp.Diagnostics.AddError("Missing account", "Set name or id here, or account in the provider block or in CLOUDSERVER_ACCOUNT.")
		return
	}
	account, err := d.byName(ctx, name)
	switch summary := fmt.Sprintf("Cannot find account %q", name); {
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddAttributeError(at, summary, tfkit.NoSuchAccount(ctx, d.data.Directory, name))
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "")
	default:
		save(ctx, account, resp)
	}
}

func (d *dataSource) readID(ctx context.Context, text string, resp *datasource.ReadResponse) {
	at, summary := path.Root("id"), "Cannot find account "+text
	id, err := cloudserver.ParseID(text)
	if err != nil {
		resp.Diagnostics.AddAttributeError(at, summary, tfkit.Detail(err, "Set name instead to find an account by its name."))
		return
	}
	account, err := d.byID(ctx, id)
	switch {
	case cloudserver.IsNotFound(err):
		resp.Diagnostics.AddAttributeError(at, summary, tfkit.Detail(err, "Check the ID, or the credentials: they may not be permitted to see the account."))
	case err != nil:
		tfkit.AddError(&resp.Diagnostics, summary, err, nil, "")
	default:
		save(ctx, account, resp)
	}
}

// byName finds an account by its name alone: in a path, digits could mean an ID.
func (d *dataSource) byName(ctx context.Context, name string) (*cloudserver.Account, error) {
	if err := d.data.Directory.CheckAccount(ctx, name); err != nil {
		return nil, err
	}
	return d.data.Client.AccountAlone(ctx, name)
}

// byID finds an account by its ID alone: a path could find another one that has
// this ID as its name.
func (d *dataSource) byID(ctx context.Context, id int64) (*cloudserver.Account, error) {
	account, err := d.data.Client.AccountAlone(ctx, cloudserver.IDText(id))
	if err != nil || account.ID == id {
		return account, err
	}
	accounts, err := d.data.Client.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return a.ID == id })
	if i < 0 {
		return nil, cloudserver.NotListed("/accounts", fmt.Sprintf("no account has the ID %d", id))
	}
	return &accounts[i], nil
}

func save(ctx context.Context, account *cloudserver.Account, resp *datasource.ReadResponse) {
	resp.Diagnostics.Append(resp.State.Set(ctx, model{
		ID:        types.StringValue(cloudserver.IDText(account.ID)),
		Name:      types.StringValue(account.Name),
		Suspended: types.BoolValue(account.Suspended),
	})...)
}
