package group

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the group; the read that follows fills the state.
func (r *groupResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !r.Data.RequireReady("import a group", &resp.Diagnostics) {
		return
	}
	wanted, err := tfkit.ParseImportID(tfkit.ImportText(ctx, req, "id", &resp.Diagnostics), "account", "name")
	if err != nil {
		resp.Diagnostics.AddError("Invalid import ID of a group",
			tfkit.Detail(err, "Use the group's numeric ID (12), its name (production), or account/name (demo/production)."))
		return
	}
	found := model{ID: tfkit.IDOrNull(wanted.ID)}
	if wanted.ID == 0 {
		found.Name, found.Account = types.StringValue(wanted.Names["name"]), tfkit.StringOrNull(wanted.Names["account"])
		if found.Account.IsNull() {
			found.Account = r.Data.Account
		}
		if !tfkit.Given(found.Account) {
			resp.Diagnostics.AddError("Cannot import "+found.title(),
				"The ID contains no account, and the provider has no default. Use account/name, or set account in the provider block.")
			return
		}
	}
	found.lookUp(ctx, r.Data, "import", fmt.Sprintf("A group that is named %q is given as account/name.", cloudserver.IDText(wanted.ID)), &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.ImportOnce(found.object(), &resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), found.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("account"), found.Account)...)
	found.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}
