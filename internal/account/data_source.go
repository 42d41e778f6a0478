// SPDX-License-Identifier: MPL-2.0

// Package account provides information about accounts (API.md §5): the data source
// cloudserver_account. The service cannot create accounts.
package account

import (
	"context"
	"fmt"

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
		Description: "Provides information about an account, by default the provider's own.",
		Attributes: map[string]schema.Attribute{
			"id":   tfkit.LookedUpByID("Numeric ID of the account. Set this, `name`, or neither to use the provider's `account`."),
			"name": tfkit.LookedUpBy("Name of the account."),
			"suspended": schema.BoolAttribute{
				MarkdownDescription: "Whether the account is suspended: it can be read, but nothing in it can be changed.", Computed: true,
			},
		},
		Validators: []datasource.ConfigValidator{
			datasourcevalidator.Conflicting(path.MatchRoot("id"), path.MatchRoot("name")),
		},
	}
}

type model struct {
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	Suspended types.Bool   `tfsdk:"suspended"`
}

// find searches the accounts that the service lists. A read by path could take a name for an ID, or the other way
// round.
func find(ctx context.Context, p *tfkit.ProviderData, m *model, diags *diag.Diagnostics) {
	at, name, id := path.Root("name"), m.Name.ValueString(), m.ID.ValueString()
	if m.Name.IsNull() && m.ID.IsNull() {
		at, name = path.Empty(), p.Account.ValueString()
	}
	what := fmt.Sprintf("account %q", name)
	if id != "" {
		at, what = path.Root("id"), "account "+id
	}
	switch {
	case name != "" || id != "":
	case p.Account.IsUnknown():
		diags.AddError("Unknown account", "The provider's account is not known yet. Set name or id here.")
		return
	default:
		diags.AddError("Missing account", "Set name or id here, or account in the provider block or in CLOUDSERVER_ACCOUNT.")
		return
	}
	accounts, err := p.Inventory.Accounts(ctx)
	if err != nil {
		tfkit.AddError(diags, "Cannot find "+what, err, nil, "")
		return
	}
	for _, account := range accounts {
		if found := cloudserver.IDText(account.ID); found == id || id == "" && account.Name == name {
			*m = model{types.StringValue(found), types.StringValue(account.Name), types.BoolValue(account.Suspended)}
			return
		}
	}
	if id != "" {
		diags.AddAttributeError(at, "Cannot find "+what, "No account with this ID is visible to these credentials.")
		return
	}
	diags.AddAttributeError(at, "Cannot find "+what, p.NoSuchAccount(ctx, name))
}
