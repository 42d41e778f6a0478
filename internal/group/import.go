package group

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// importID is what a user types to import: a numeric id, a name, or
// account/name. Account is empty where the provider's default is meant.
type importID struct {
	id, account, name string
}

func parseImportID(text string) (importID, error) {
	parts := strings.Split(text, "/")
	for _, part := range parts {
		if part == "" || strings.TrimSpace(part) != part {
			return importID{}, fmt.Errorf("%q has an empty part or stray blanks", text)
		}
	}
	switch {
	case len(parts) == 1 && isID(text):
		return importID{id: text}, nil
	case len(parts) == 1:
		return importID{name: text}, nil
	case len(parts) == 2:
		return importID{account: parts[0], name: parts[1]}, nil
	}
	return importID{}, fmt.Errorf("%q has more than two parts", text)
}

// ImportState finds the group; the read that follows fills the state.
func (r *groupResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !r.data.RequireReady("import a group", &resp.Diagnostics) {
		return
	}
	wanted, err := parseImportID(tfkit.ImportText(ctx, req, "id", &resp.Diagnostics))
	if err != nil {
		resp.Diagnostics.AddError("Cannot import a group", fmt.Sprintf(
			"%s. Give the group's numeric id (12), its name (production), or account/name (demo/production).", err))
		return
	}
	found := r.locate(ctx, wanted, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), found.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("account"), found.Account)...)
	setIdentity(ctx, resp.Identity, found, &resp.Diagnostics)
}

// locate asks for the id and the account of a group that was named.
func (r *groupResource) locate(ctx context.Context, wanted importID, diags *diag.Diagnostics) (found model) {
	var group *cloudserver.Group
	var err error
	if wanted.id != "" {
		found.Account, group, err = byID(ctx, r.data.Client, r.data.Account, wanted.id)
		if err != nil {
			diags.AddError(fmt.Sprintf("Cannot import group %s", wanted.id), tfkit.Detail(err, "Check the id: it is not the id of an account or a machine."))
			return found
		}
		found.ID = types.StringValue(idText(group.ID))
		return found
	}
	found.Account, found.Name = types.StringValue(wanted.account), types.StringValue(wanted.name)
	if wanted.account == "" {
		found.Account = r.data.Account
	}
	if found.Account.ValueString() == "" {
		diags.AddError(fmt.Sprintf("Cannot import group %q", wanted.name),
			"The id names no account, and the provider has no default. Give account/name, or set account in the provider block.")
		return found
	}
	group, err = byName(ctx, r.data.Client, found.Account.ValueString(), wanted.name)
	if err != nil {
		addNotFound(ctx, r.data.Client, found, "Cannot import "+found.title(), err, diags)
		return found
	}
	found.ID = types.StringValue(idText(group.ID))
	return found
}

// addNotFound reports a group that could not be looked up by its name.
func addNotFound(ctx context.Context, client *cloudserver.Client, m model, summary string, err error, diags *diag.Diagnostics) {
	if cloudserver.IsNotFound(err) {
		diags.AddError(summary, tfkit.NoSuchGroup(ctx, client, m.Account.ValueString(), m.Name.ValueString()))
		return
	}
	tfkit.AddError(diags, summary, err, nil, "")
}
