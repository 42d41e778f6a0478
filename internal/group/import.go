package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the group; the read that follows fills the state.
func (r *groupResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !r.data.RequireReady("import a group", &resp.Diagnostics) {
		return
	}
	wanted, err := tfkit.ParseImportID(tfkit.ImportText(ctx, req, "id", &resp.Diagnostics), "account", "name")
	if err != nil {
		resp.Diagnostics.AddError("Invalid import ID of a group",
			tfkit.Detail(err, "Use the group's numeric ID (12), its name (production), or account/name (demo/production)."))
		return
	}
	var found model
	if wanted.ID != 0 {
		found = r.locateID(ctx, wanted.ID, &resp.Diagnostics)
	} else {
		found = r.locateName(ctx, wanted.Names["account"], wanted.Names["name"], &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.data.ImportOnce("group "+found.ID.ValueString(), &resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), found.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("account"), found.Account)...)
	found.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

func (r *groupResource) locateID(ctx context.Context, id int64, diags *diag.Diagnostics) model {
	account, group, err := byID(ctx, r.data, r.data.Account, id)
	if err != nil {
		diags.AddError(fmt.Sprintf("Cannot import group %d", id), tfkit.Detail(err, unknownID(id)))
		return model{}
	}
	found := model{Account: account}
	found.read(group)
	return found
}

const checkID = "Check the ID: it must be that of a group, not of an account or a machine."

// unknownID describes what to do about an ID that no group has.
func unknownID(id int64) string {
	return fmt.Sprintf("%s A group that is named %q is given as account/name.", checkID, cloudserver.IDText(id))
}

func (r *groupResource) locateName(ctx context.Context, account, name string, diags *diag.Diagnostics) model {
	if account == "" {
		account = r.data.Account.ValueString()
	}
	found := model{Account: types.StringValue(account), Name: types.StringValue(name)}
	if account == "" {
		diags.AddError(fmt.Sprintf("Cannot import group %q", name),
			"The ID contains no account, and the provider has no default. Use account/name, or set account in the provider block.")
		return found
	}
	group, err := byName(ctx, r.data, account, name)
	if err != nil {
		addNotFound(ctx, r.data, found, "Cannot import "+found.title(), err, diags)
		return found
	}
	found.read(group)
	return found
}

// addNotFound reports a group that could not be looked up by its name.
func addNotFound(ctx context.Context, data *tfkit.ProviderData, m model, summary string, err error, diags *diag.Diagnostics) {
	if cloudserver.IsNotFound(err) {
		diags.AddError(summary, tfkit.NoSuchGroup(ctx, data.Directory, m.Account.ValueString(), m.Name.ValueString()))
		return
	}
	tfkit.AddError(diags, summary, err, nil, "")
}
