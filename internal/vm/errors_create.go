package vm

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// addCreateError reports a vm_create that failed (service.md §4.1).
func (r *vmResource) addCreateError(ctx context.Context, m model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + m.place()
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok {
		addNameTaken(summary, taken, diags)
		return
	}
	if _, unsure := errors.AsType[*cloudserver.UnsureError](err); unsure {
		tfkit.AddError(diags, summary, err, m.attributePath, "If the machine has come into being, the next apply is refused its name, and the error gives the import block that tracks it.")
		return
	}
	if cloudserver.IsNotFound(err) {
		at, why := r.noSuchPlace(ctx, m)
		diags.AddAttributeError(at, summary, tfkit.Detail(err, why+" Nothing was created."))
		return
	}
	tfkit.AddError(diags, summary, err, m.attributePath, "Nothing was created.")
}

// accept judges a machine that was found by its name after the answer to
// vm_create was lost. One that was there before the request is somebody's own;
// any other is taken for the new one, and the user is told.
func (r *vmResource) accept(m model, found *cloudserver.VirtualMachine, diags *diag.Diagnostics) error {
	account, group := m.Account.ValueString(), m.Group.ValueString()
	if r.data.Fleet.WasThere(account, group, found.ID, r.data.Fleet.Now()) {
		return &cloudserver.NameTaken{Account: account, Group: group, Name: found.Name, ID: found.ID}
	}
	diags.AddWarning("The answer to the creation of "+m.title()+" was lost",
		fmt.Sprintf("The service has a machine of that name with the specification that was asked for (id %d), so it is taken for the new one, and the state tracks it. "+
			"If somebody else was creating a machine of the same name and specification in this moment, it may be theirs.", found.ID))
	return nil
}

// noSuchPlace finds out whether the account or the group is not known.
func (r *vmResource) noSuchPlace(ctx context.Context, m model) (at path.Path, why string) {
	client, account := r.data.Client, m.Account.ValueString()
	if _, err := client.AccountAlone(ctx, account); cloudserver.IsNotFound(err) {
		return path.Root("account"), tfkit.NoSuchAccount(ctx, client, account)
	}
	return path.Root("group"), tfkit.NoSuchGroup(ctx, client, account, m.Group.ValueString())
}

// addNameTaken says what to do about the machine that has the name: it may be
// the user's own.
func addNameTaken(summary string, taken *cloudserver.NameTaken, diags *diag.Diagnostics) {
	if taken.Deleted {
		diags.AddAttributeError(path.Root("name"), summary, fmt.Sprintf(
			"A soft-deleted machine still holds the name %q in this group%s. Purge it at the service to free the name (DELETE with purge=true), "+
				"or undelete it (PUT with deleted: false) and import it by its id, or choose another name.%s", taken.Name, withID(taken.ID), quoted(taken)))
		return
	}
	diags.AddAttributeError(path.Root("name"), summary, fmt.Sprintf(
		"A machine with the name %q exists in this group already%s, and this configuration does not track it. "+
			"If it is the machine that you mean, import it:\n\n%s\n\nOtherwise choose another name.%s", taken.Name, withID(taken.ID), importBlock(taken.Account, taken.Group, taken.Name), quoted(taken)))
}

// quoted is the call that found the name taken.
func quoted(taken *cloudserver.NameTaken) string {
	if taken.Err == nil {
		return ""
	}
	return "\n\n" + taken.Err.Error() + "."
}

func withID(id int64) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" (id %d)", id)
}

// importBlock is what a user pastes to track a machine that exists.
func importBlock(account, group, name string) string {
	return fmt.Sprintf("import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = %q\n}", account+"/"+group+"/"+name)
}
