package vm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// parseImportID parses an ID, group/name or account/group/name.
func parseImportID(text string) (tfkit.ImportID, error) {
	wanted, err := tfkit.ParseImportID(text, "account", "group", "name")
	switch labels := strings.Split(text, "."); {
	case err != nil || wanted.ID != 0 || wanted.Names["group"] != "":
	case len(labels) > 3: //nolint:mnd // name, group, account, and the domain of the service
		err = fmt.Errorf("%q is a hostname, which begins with name, group and account: did you mean %q? An import takes no hostname",
			text, strings.Join([]string{labels[2], labels[1], labels[0]}, "/"))
	default:
		err = fmt.Errorf("%q is not a numeric ID, and has no group before the name", text)
	}
	return wanted, err
}

// ImportState finds the machine. The read that follows fills the state.
func (r *vmResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	if !r.Data.RequireReady("import a virtual machine", &resp.Diagnostics) {
		return
	}
	text := tfkit.ImportText(ctx, req, "id", &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	wanted, err := parseImportID(text)
	if err != nil {
		resp.Diagnostics.AddError("Cannot import a virtual machine", fmt.Sprintf(
			"%s. Use the machine's ID (1234), group/name (default/web1), or account/group/name (demo/default/web1).", err))
		return
	}
	hostname := r.locate(ctx, &wanted, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	id := tfkit.IDOrNull(wanted.ID)
	tfkit.SavePrivate(ctx, resp.Private, private{From: imported}, &resp.Diagnostics)
	for name, value := range r.importedState(id, wanted.Names["account"], wanted.Names["group"]) {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	if hostname != nil { // the read that follows admits no other machine
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("hostname"), *hostname)...)
	}
	tfkit.Identity{"id": id}.Save(ctx, resp.Identity, &resp.Diagnostics)
}

// locate finds the ID of a machine that is given by name, and returns its hostname.
func (r *vmResource) locate(ctx context.Context, wanted *tfkit.ImportID, diags *diag.Diagnostics) (hostname *string) {
	if wanted.ID != 0 {
		return nil
	}
	group, name := wanted.Names["group"], wanted.Names["name"]
	account := cmp.Or(wanted.Names["account"], r.Data.Account.ValueString())
	if account == "" {
		diags.AddError(fmt.Sprintf("Cannot import virtual machine %q", name),
			"The import ID has no account, and the provider has no default. Use account/group/name, or set account in the provider block.")
		return nil
	}
	summary := fmt.Sprintf("Cannot import virtual machine %q of group %q of account %q", name, group, account)
	vm, err := r.inGroup(ctx, account, group, name)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddError(summary, tfkit.Detail(err, r.whyNotFound(ctx, account, group, name)))
	case err != nil:
		diags.AddError(summary, tfkit.Detail(err, "Nothing was imported. "+tfkit.Again(err)))
	default:
		wanted.ID, wanted.Names["account"] = vm.ID, account
		hostname = vm.Hostname
	}
	return hostname
}

// whyNotFound explains that a machine to import was not found: what is missing, with the closest names.
func (r *vmResource) whyNotFound(ctx context.Context, account, group, name string) string {
	machines, err := location.ListGroup(ctx, location.SourceOf(r.Data), account, group)
	if cloudserver.IsNotFound(err) {
		return location.NoSuchGroup(ctx, r.Data.Defaults, r.Data.Fleet.Directory, account, group)
	}
	names := mapped(machines, func(vm cloudserver.VirtualMachine) string { return vm.Name })
	found := "No such machine is visible to these credentials. "
	switch {
	case err != nil:
	case len(names) == 0:
		found = "The group has no machine, or these credentials see none. "
	default:
		found += tfkit.SuggestVisible(name, names) + " "
	}
	return found + "Undelete a soft-deleted machine first, " + r.Data.WithAction("vm_undelete") + "."
}

// inGroup finds a machine by its name in a group. A number is the ID of a group, or a group's name if no group has that
// ID.
func (r *vmResource) inGroup(ctx context.Context, account, group, name string) (*cloudserver.VirtualMachine, error) {
	if err := r.Data.Fleet.Directory.CheckAccount(ctx, account); err != nil {
		return nil, err
	}
	element, named, id := group, group, int64(0)
	if cloudserver.IsDigits(group) {
		if parsed, err := cloudserver.ParseID(group); err == nil {
			found, err := r.Data.Fleet.Directory.GroupWithID(ctx, account, parsed)
			if err != nil {
				return nil, err
			}
			if found != nil {
				id, named = found.ID, ""
			}
		}
		var err error
		if element, err = r.Data.Fleet.Directory.Element(ctx, account, named, id); err != nil {
			return nil, err
		}
	}
	vm, err := r.Data.Client.VirtualMachineByName(ctx, account, element, name)
	if err == nil && id != 0 && vm.GroupID != 0 && vm.GroupID != id {
		return nil, fmt.Errorf("the service answered with virtual machine %d of the group with the ID %d", vm.ID, vm.GroupID)
	}
	return vm, err
}

// importedState returns the initial state of an imported machine: its location, and the defaults of the switches that
// only the provider knows, so that a configuration without them plans no change.
func (r *vmResource) importedState(id types.String, account, group string) map[string]any {
	protection := r.Data.DefaultProtection()
	return map[string]any{
		"id":                        id,
		"account":                   tfkit.StringOrNull(account),
		"group":                     tfkit.StringOrNull(group),
		"allow_stopping_for_update": types.BoolValue(false),
		"shutdown_timeout":          types.StringValue(operation.DefaultShutdownTimeout),
		"shutdown_before_destroy":   types.BoolValue(false),
		"deletion_protection":       types.BoolValue(protection.ValueBool()),
		"purge_on_destroy":          types.BoolValue(true),
	}
}

// isImport reports whether the state contains only what an import has put there.
func (m *model) isImport() bool { return m.Name.IsNull() }

// importBlock returns the import block for an existing machine.
func importBlock(id int64) string {
	return fmt.Sprintf("import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = %q\n}", cloudserver.IDText(id))
}

// warnRecorded explains a plan that shows a change but sends nothing, such as the first one after an import.
func (d *decision) warnRecorded(diags *diag.Diagnostics) {
	var recorded []string
	if image := d.change.image; !image.install && !image.replace {
		for _, name := range image.recorded {
			recorded = append(recorded, "reimage."+name)
		}
	}
	if key := "reimage.ssh_public_key"; d.private.From != imported && len(recorded) == 1 && recorded[0] == key {
		diags.AddAttributeWarning(path.Root("reimage").AtName("ssh_public_key"), "The new key waits for the next image",
			fmt.Sprintf("ssh_public_key is only written to the state: "+
				"%s keeps its present keys until an image is installed, for example because revision changes.", d.state.title()))
		return
	}
	for name, values := range map[string][2]attr.Value{"timeouts": {d.state.Timeouts, d.plan.Timeouts}, "ready": {d.state.Ready, d.plan.Ready}} {
		if d.private.From == imported && values[0].IsNull() && !values[1].IsNull() {
			recorded = append(recorded, name)
		}
	}
	if len(recorded) > 0 {
		at, _, _ := strings.Cut(recorded[0], ".")
		diags.AddAttributeWarning(path.Root(at), "Settings of the machine are only recorded",
			fmt.Sprintf("Settings of %s are only written to the state: %s. "+
				"The machine is neither reimaged nor replaced, and nothing else happens.", d.state.title(), strings.Join(slices.Sorted(slices.Values(recorded)), ", ")))
	}
}
