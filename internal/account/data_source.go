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
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// NewDataSource returns the data source cloudserver_account.
func NewDataSource() datasource.DataSource {
	return &tfkit.DataSource[model]{
		Name: "_account", What: "look up an account", Find: find,
		Description: "Provides information about an account, by default the provider's own. The data source `cloudserver_groups` lists its groups.",
		Attributes: map[string]schema.Attribute{
			"id":        tfkit.LookedUpBy("Numeric ID of the account. Set this, `name`, or neither to use the provider's `account`."),
			"name":      tfkit.LookedUpBy("Name of the account. Set this, `id`, or neither."),
			"suspended": schema.BoolAttribute{MarkdownDescription: "Whether the account is suspended: it can be read, but nothing in it can be changed.", Computed: true},
		},
		Validators: []datasource.ConfigValidator{datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("name"))},
	}
}

type model struct {
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	Suspended types.Bool   `tfsdk:"suspended"`
}

func find(ctx context.Context, data *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	at, name, id := path.Root("name"), m.Name.ValueString(), m.ID.ValueString()
	if m.Name.IsNull() && m.ID.IsNull() {
		at, name = path.Empty(), data.Account.ValueString()
	}
	if name == "" && id == "" {
		diags.AddError("Missing account", "Set name or id here, or account in the provider block or in CLOUDSERVER_ACCOUNT.")
		return
	}
	if id != "" {
		findID(ctx, data, m, diags)
		return
	}
	account, err := byName(ctx, data, name)
	switch summary := fmt.Sprintf("Cannot find account %q", name); {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(at, summary, tfkit.NoSuchAccount(ctx, data.Directory, name))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	default:
		m.read(account)
	}
}

func findID(ctx context.Context, data *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	at, summary := path.Root("id"), "Cannot find account "+m.ID.ValueString()
	id, err := cloudserver.ParseID(m.ID.ValueString())
	if err != nil {
		diags.AddAttributeError(at, summary, tfkit.Detail(err, "Set name instead to find an account by its name."))
		return
	}
	account, err := byID(ctx, data.Client, id)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(at, summary, tfkit.Detail(err, "Check the ID, or the credentials: they may not be permitted to see the account."))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	default:
		m.read(account)
	}
}

// byName finds an account by its name alone: in a path, digits could mean an ID.
func byName(ctx context.Context, data *tfkit.ProviderData, name string) (*cloudserver.Account, error) {
	if err := data.Directory.CheckAccount(ctx, name); err != nil {
		return nil, err
	}
	return data.Client.Account(ctx, name)
}

// byID finds an account by its ID alone: a path could find another one that has
// this ID as its name.
func byID(ctx context.Context, client *cloudserver.Client, id int64) (*cloudserver.Account, error) {
	account, err := client.Account(ctx, cloudserver.IDText(id))
	if err != nil || account.ID == id {
		return account, err
	}
	accounts, err := client.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(accounts, func(a cloudserver.Account) bool { return a.ID == id })
	if i < 0 {
		return nil, cloudserver.NotListed("/accounts", fmt.Sprintf("no account has the ID %d", id))
	}
	return &accounts[i], nil
}

func (m *model) read(account *cloudserver.Account) {
	m.ID = types.StringValue(cloudserver.IDText(account.ID))
	m.Name = types.StringValue(account.Name)
	m.Suspended = types.BoolValue(account.Suspended)
}
