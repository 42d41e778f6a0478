package vm

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// addCreateError reports a vm_create that failed.
func (r *vmResource) addCreateError(ctx context.Context, m *model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + m.place()
	longer := ""
	if ctx.Err() != nil { // of the whole creation, whatever failed last
		longer = tfkit.Longer(ctx.Err(), "timeouts.create")
	}
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok {
		r.addNameTaken(summary, taken, diags)
		return
	}
	if ambiguous, ok := errors.AsType[*cloudserver.AmbiguousError](err); ok && ambiguous.Found != 0 {
		tfkit.AddError(diags, summary, err, m.attributePath, "Nobody can tell an old machine from a new one here: this process has not looked at the name before. "+
			"Look at the machine. If it is the one that you mean, import it:\n\n"+importBlock(ambiguous.Found))
		return
	} else if ok {
		tfkit.AddError(diags, summary, err, m.attributePath, "If the machine was created after all, the next apply fails because the name is taken, and the error shows the import block for it. "+longer)
		return
	}
	if cloudserver.IsNotFound(err) {
		at, why := r.missingPlace(ctx, m)
		diags.AddAttributeError(at, summary, tfkit.Detail(err, why+" Nothing was created."))
		return
	}
	tfkit.AddError(diags, summary, err, m.attributePath, "Nothing was created. "+longer)
}

// missingPlace finds out whether the account or the group does not exist.
func (r *vmResource) missingPlace(ctx context.Context, m *model) (at path.Path, why string) {
	account := m.Account.ValueString()
	if cloudserver.IsNotFound(r.data.Directory.Visible(ctx, account)) {
		return path.Root("account"), tfkit.NoSuchAccount(ctx, r.data.Directory, account)
	}
	if !tfkit.Given(m.Group) {
		return path.Root("group_id"), fmt.Sprintf("The account %q has no group with the ID %s.", account, m.GroupID.ValueString())
	}
	return path.Root("group"), tfkit.NoSuchGroup(ctx, r.data.Directory, account, m.Group.ValueString())
}

// addNameTaken explains what to do about the machine that has the name.
func (r *vmResource) addNameTaken(summary string, taken *cloudserver.NameTaken, diags *diag.Diagnostics) {
	name := fleet.Name{Account: taken.Account, Group: taken.Group, Name: taken.Name}
	detail := r.softDeletedHolder(taken.ID, name)
	if !taken.Deleted {
		detail = fmt.Sprintf("A machine with the name %q already exists in this group%s. "+
			"If it is the machine that you mean, and no other resource manages it, import it:\n\n%s\n\n"+
			"If it is the old machine of a replacement with create_before_destroy, use a name that differs for the new machine, or remove create_before_destroy. "+
			"If another change of this configuration frees the name, run apply again. Otherwise choose another name.",
			taken.Name, withID(taken.ID), importBlock(taken.ID))
	}
	if taken.Err != nil {
		detail += "\n\n" + taken.Err.Error() + "."
	}
	diags.AddAttributeError(path.Root("name"), summary, detail)
}

// softDeletedHolder explains how to get at a name that a soft-deleted machine
// holds.
func (r *vmResource) softDeletedHolder(id int64, name fleet.Name) string {
	return fmt.Sprintf("A soft-deleted machine%s still holds the name %q in this group. To use that machine, undelete it %s and import it:\n\n%s\n\n"+
		"To free the name, purge it %s: its discs and backups are then lost. Or choose another name.",
		withID(id), name.Name, r.data.WithAction("cloudserver_vm_undelete", cloudserver.IDText(id)), importBlock(id), r.data.WithAction("cloudserver_vm_purge", cloudserver.IDText(id)))
}

func withID(id int64) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" (ID %d)", id)
}

// importBlock returns what a user pastes to track a machine that exists.
func importBlock(id int64) string {
	return fmt.Sprintf("import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = %q\n}", cloudserver.IDText(id))
}

// addUnfinished reports a machine that exists but is not ready in time.
func (m *model) addUnfinished(diags *diag.Diagnostics, err error) {
	summary := "Created " + m.place() + ", but it is not ready"
	if cloudserver.IsNotFound(err) {
		diags.AddError("Created "+m.place()+", but it is gone", tfkit.Detail(err,
			fmt.Sprintf("The machine (ID %s) was deleted outside of Terraform while the provider waited for it. The next apply creates it again.", m.ID.ValueString())))
		return
	}
	until := "To keep it, wait until it is on and run `terraform untaint` with the address of this resource. To wait longer, raise timeouts.create."
	if _, on := errors.AsType[*operation.NotReadyError](err); on {
		until = "To keep it, run `terraform untaint` with the address of this resource: the next apply waits for it again. " + readyAdvice(err)
	}
	advice := fmt.Sprintf("The machine exists (ID %s) and is in the state, marked as tainted: the next apply would replace it. ", m.ID.ValueString()) + until
	if !m.mayPurge() {
		advice += " Replacing it soft-deletes it, because purge_on_destroy is false, and its name stays taken: untaint it, or purge it first."
	}
	if wait, ok := errors.AsType[*fleet.WaitError](err); ok {
		diags.AddError(summary, operation.WaitDetail(wait, "the machine to be on")+"\n\n"+advice)
		return
	}
	diags.AddError(summary, tfkit.Detail(err, advice))
}
