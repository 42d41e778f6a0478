// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the machine by its ID, by group/name or by account/group/name. The read that follows fills the
// state.
func (r *vmResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	diags := &resp.Diagnostics
	if !r.Data.RequireReady("import a virtual machine", diags) {
		return
	}
	text := tfkit.ImportText(ctx, req, "id", diags)
	if diags.HasError() {
		return
	}
	wanted, err := tfkit.ParseImportID(text, "account", "group", "name")
	if err == nil && wanted.ID == 0 && wanted.Names["group"] == "" {
		err = fmt.Errorf("%q is not a numeric ID, and has no group before the name", text)
	}
	if err != nil {
		diags.AddError("Invalid import ID of a virtual machine", fmt.Sprintf(
			"%s. Use the machine's ID (1234), group/name (default/web1), "+
				"or account/group/name (demo/default/web1).", err))
		return
	}
	if wanted.ID == 0 {
		r.locate(ctx, &wanted, diags)
	}
	if diags.HasError() {
		return
	}
	id := tfkit.IDOrNull(wanted.ID)
	tfkit.SavePrivate(ctx, resp.Private, private{From: imported}, diags)
	diags.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	diags.Append(resp.State.SetAttribute(ctx, path.Root("account"), tfkit.StringOrNull(wanted.Names["account"]))...)
	tfkit.ResourceIdentity{"id": id}.Save(ctx, resp.Identity, diags)
}

// locate finds the ID of a machine that is given by its name. It fills in the account.
func (r *vmResource) locate(ctx context.Context, wanted *tfkit.ImportID, diags *diag.Diagnostics) {
	name, groupName := wanted.Names["name"], wanted.Names["group"]
	account := cmp.Or(wanted.Names["account"], r.Data.Account.ValueString())
	if account == "" {
		diags.AddError(fmt.Sprintf("Cannot import virtual machine %q", name),
			"The import ID has no account, and the provider has no default. Use account/group/name, "+
				"or set account in the provider block.")
		return
	}
	summary := fmt.Sprintf("Cannot import virtual machine %q of group %q of account %q", name, groupName, account)
	vm, _, err := findByName(ctx, r.Data, account, groupName, name)
	if missing, ok := errors.AsType[*tfkit.AttributeError](err); ok {
		diags.AddError(summary, missing.Detail+" If this configuration is to create it, remove the import block.")
		return
	}
	if err != nil {
		tfkit.AddError(diags, summary, err, nil, "Nothing was imported.")
		return
	}
	wanted.ID, wanted.Names["account"] = vm.ID, account
}

// isImport reports whether the state contains only what an import has put there.
func (m *model) isImport() bool { return m.Name.IsNull() }

// readImported fills the state of a machine that was just imported, or reports why it cannot be imported.
func (r *vmResource) readImported(
	ctx context.Context, state *model, vm *cloudserver.VirtualMachine, err error, resp *resource.ReadResponse,
) {
	diags := &resp.Diagnostics
	summary := "Cannot import " + state.title()
	switch {
	case inventory.IsGone(err):
		diags.AddError(summary, tfkit.Detail(err, "No machine with this ID is visible to these credentials. "+
			"Check the ID, or import by account/group/name."))
		return
	case errors.Is(err, cloudserver.ErrNotDescribed):
		diags.AddError(summary, "The machine is still being created, and the service cannot describe it yet. "+
			"Run the same command again in a minute.")
		return
	case err != nil:
		state.addError(diags, "import", err, "")
		return
	case vm.Deleted:
		diags.AddError(summary, fmt.Sprintf("The machine %q is soft-deleted. Undelete it %s, and import it then.",
			cloudserver.Shown(vm.Name), r.byAction("undelete", state.ID.ValueString())))
		return
	}
	before := *state
	state.fromAPI(vm)
	r.readLocation(ctx, state, &before, vm, diags)
	discs, err := state.operations(r.Data, state.shutdown()).Discs(ctx, vm)
	if err != nil {
		state.addError(diags, "import the discs of", err, "")
	}
	if r.Data.Inventory.PlanImport(vm.ID) {
		state.refuseImportAndDestroy(diags)
	}
	if diags.HasError() {
		return
	}
	state.fillImported(discs)
	state.save(ctx, &resp.State, resp.Identity, diags)
}

// refuseImportAndDestroy refuses to import a machine that the same plan destroys under another address, as after a key of
// for_each was changed beside an import block.
func (m *model) refuseImportAndDestroy(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("id"), "Cannot import and destroy "+m.title()+" in one plan",
		"The plan imports it under one address, and destroys it under another. "+
			"If its address has changed, write a block moved, and remove the import block.")
}

// fillImported completes the state of an imported machine by what a configuration that describes it says.
func (m *model) fillImported(discs []cloudserver.Disc) {
	if m.aboutToStart() { // otherwise a configuration generated from the state would contradict itself
		m.PowerOn = types.BoolNull()
	}
	m.Reimage = importedImage(m.LastImagedWith)
	m.Disc = discList(bootFirst(mapped(discs, discFromAPI)))
	m.DiscIDs = m.discIDs()
}

// bootFirst puts the boot disc of an imported machine first, wherever the service lists it: the disc with a typical
// label, or else the one that was created first.
func bootFirst(discs []discModel) []discModel {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 0 {
		for i, d := range discs {
			if boot < 0 || d.numericID() < discs[boot].numericID() {
				boot = i
			}
		}
	}
	if boot > 0 {
		return slices.Insert(slices.Delete(slices.Clone(discs), boot, boot+1), 0, discs[boot])
	}
	return discs
}

// ChooseArguments chooses the arguments that a replacement needs, and those that describe the machine.
func (r *vmResource) ChooseArguments(ctx context.Context, state tfsdk.State) []string {
	paths := []string{
		"name", "account", "group", "zone_name",
		"disc", "disc.label", "disc.size", "disc.storage_grade", "reimage", "reimage.distribution",
	}
	var m model
	state.Get(ctx, &m)
	if !m.PowerOn.ValueBool() && !m.aboutToStart() {
		paths = append(paths, "power_on")
	}
	if m.PowerOn.ValueBool() && !m.AutorebootOn.ValueBool() {
		paths = append(paths, "autoreboot_on")
	}
	for _, s := range settings {
		if value := s.value(&m.common); !value.Equal(types.StringValue("")) && !value.Equal(types.BoolValue(false)) {
			paths = append(paths, s.name)
		}
	}
	return paths
}
