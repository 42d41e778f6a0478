package vm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// parseImportID parses an id, group/name or account/group/name.
func parseImportID(text string) (tfkit.ImportID, error) {
	wanted, err := tfkit.ParseImportID(text, "account", "group", "name")
	if err == nil && wanted.ID == 0 && wanted.Names["group"] == "" {
		err = fmt.Errorf("%q is not a numeric ID, and has no group before the name", text)
	}
	return wanted, err
}

// ImportState finds the machine. The read that follows fills the state.
func (r *vmResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !r.Data.RequireReady("import a virtual machine", &resp.Diagnostics) {
		return
	}
	wanted, err := parseImportID(tfkit.ImportText(ctx, req, "id", &resp.Diagnostics))
	if err != nil {
		resp.Diagnostics.AddError("Cannot import a virtual machine", fmt.Sprintf(
			"%s. Use the machine's ID (1234), group/name (default/web1), or account/group/name (demo/default/web1).", err))
		return
	}
	r.locate(ctx, &wanted, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	id := tfkit.IDOrNull(wanted.ID)
	if !r.Data.ImportOnce(fmt.Sprintf("virtual machine %d", wanted.ID), &resp.Diagnostics) { // Terraform compares only the text of IDs
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, private{Adopted: true}, &resp.Diagnostics)
	for name, value := range importedState(id, wanted.Names["account"], wanted.Names["group"]) {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	tfkit.Identity{"id": id}.Save(ctx, resp.Identity, &resp.Diagnostics)
}

// locate finds the id of a machine that is given by its name.
func (r *vmResource) locate(ctx context.Context, wanted *tfkit.ImportID, diags *diag.Diagnostics) {
	if wanted.ID != 0 {
		return
	}
	group, name := wanted.Names["group"], wanted.Names["name"]
	account := cmp.Or(wanted.Names["account"], r.Data.Account.ValueString())
	if account == "" {
		diags.AddError(fmt.Sprintf("Cannot import virtual machine %q", name),
			"The import ID has no account, and the provider has no default. Use account/group/name, or set account in the provider block.")
		return
	}
	summary := fmt.Sprintf("Cannot import virtual machine %q of group %q of account %q", name, group, account)
	vm, err := r.Data.Client.VirtualMachineByName(ctx, account, group, name)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddError(summary, tfkit.Detail(err, "No such machine is visible to these credentials: check account, group and name. A soft-deleted machine has to be undeleted first: the page of cloudserver_vm_undelete shows how."))
	case err != nil:
		diags.AddError(summary, tfkit.Detail(err, "Nothing was imported. Run the same command again."))
	default:
		wanted.ID, wanted.Names["account"] = vm.ID, account
	}
}

// importedState returns what an imported machine starts with: where it is, and the
// defaults of the switches that only the provider knows, so that a configuration
// without them plans no change.
func importedState(id types.String, account, group string) map[string]any {
	return map[string]any{
		"id":                        id,
		"account":                   tfkit.StringOrNull(account),
		"group":                     tfkit.StringOrNull(group),
		"allow_stopping_for_update": types.BoolValue(false),
		"shutdown_timeout":          types.StringValue(operation.DefaultShutdownTimeout),
		"shutdown_before_destroy":   types.BoolValue(false),
		"deletion_protection":       types.BoolValue(false),
		"purge_on_destroy":          types.BoolValue(true),
	}
}

var _ tfkit.ArgumentChooser = (*vmResource)(nil)

// ChooseArguments chooses what a replacement needs and what describes the machine.
// The switches have their defaults in every state that was just imported.
func (r *vmResource) ChooseArguments(ctx context.Context, state tfsdk.State) []string {
	paths := []string{
		"name", "account", "group", "cores", "memory", "hardware_profile", "zone_name", "cdrom_url",
		"disc", "disc.label", "disc.size", "disc.storage_grade", "reimage", "reimage.distribution",
	}
	var m model
	m.get(ctx, state.Raw)
	for name, written := range map[string]bool{
		"group_id":                m.Group.IsNull(),
		"hardware_profile_locked": m.HardwareProfileLocked.ValueBool(),
		"keymap":                  m.Keymap.ValueString() != "",
		"power_on":                !m.PowerOn.ValueBool() && !m.aboutToStart(),
		"autoreboot_on":           m.PowerOn.ValueBool() && !m.AutorebootOn.ValueBool(),
	} {
		if written {
			paths = append(paths, name)
		}
	}
	return paths
}
