// SPDX-License-Identifier: MPL-2.0

package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the group by its ID, by its name, or by account/name. The read that follows fills the state.
func (r *groupResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	diags := &resp.Diagnostics
	if !r.Data.RequireReady("import a group", diags) {
		return
	}
	wanted, err := tfkit.ParseImportID(tfkit.ImportText(ctx, req, "id", diags), "account", "name")
	if diags.HasError() {
		return
	}
	if err != nil {
		diags.AddError("Invalid import ID of a group",
			tfkit.Detail(err, "Use the group's numeric ID (12), its name (production), or account/name (demo/production)."))
		return
	}
	found := model{ID: tfkit.IDOrNull(wanted.ID)}
	if wanted.ID == 0 {
		found.Name, found.Account = types.StringValue(wanted.Names["name"]), tfkit.StringOrNull(wanted.Names["account"])
		found.Account = r.Data.KnownAccountOr(found.Account, found.title(), diags)
	}
	if diags.HasError() {
		return
	}
	if found.lookUp(ctx, r.Data, "import", diags); diags.HasError() {
		return
	}
	diags.Append(resp.State.SetAttribute(ctx, path.Root("id"), found.ID)...)
	diags.Append(resp.State.SetAttribute(ctx, path.Root("account"), found.Account)...)
	diags.Append(resp.State.SetAttribute(ctx, path.Root("account_id"), found.AccountID)...)
	found.identity().Save(ctx, resp.Identity, diags)
}

// lookUp completes a model that has an ID or a name, for imports and data sources. verb completes "Cannot … group".
func (m *model) lookUp(ctx context.Context, d *tfkit.ProviderData, verb string, diags *diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot %s %s", verb, m.title())
	if m.ID.IsNull() {
		m.lookUpName(ctx, d, summary, diags)
		return
	}
	group, err := d.Inventory.GroupByID(ctx, tfkit.IDOf(m.ID), m.Account.ValueString(), d.Account.ValueString())
	switch {
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	case group == nil, !m.Account.IsNull() && group.Account != m.Account.ValueString():
		diags.AddAttributeError(path.Root("id"), summary, "No group with this ID is visible to these credentials. "+
			"A group whose name is a number is found by account/name.")
	default:
		m.found(group)
	}
}

// lookUpName completes a model that has an account and a name.
func (m *model) lookUpName(ctx context.Context, d *tfkit.ProviderData, summary string, diags *diag.Diagnostics) {
	account, name := m.Account.ValueString(), m.Name.ValueString()
	group, err := d.Inventory.GroupNamed(ctx, account, name)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("name"), summary, d.NoSuchGroup(ctx, account, name))
	case err != nil:
		tfkit.AddError(diags, summary, err, nil, "")
	default:
		m.found(group)
	}
}

func (m *model) found(group *inventory.Group) {
	m.Account = types.StringValue(group.Account)
	m.fromAPI(&group.Group)
}
