package group

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machinesNamed is how many machines an error lists.
const machinesNamed = 10

var attributePath = tfkit.AttributesOf(map[string]string{"name": "name"})

// addCreateError reports a group that was not created: the account does not
// exist, or the name is taken, perhaps by the group that the user means.
func (r *groupResource) addCreateError(ctx context.Context, plan model, err error, diags *diag.Diagnostics) {
	summary, account := "Cannot create "+plan.title(), plan.Account.ValueString()
	importIt := fmt.Sprintf("import it:\n\nimport {\n  to = cloudserver_group.NAME # the address of this resource\n  id = %q\n}",
		account+"/"+plan.Name.ValueString())
	if _, taken := errors.AsType[*cloudserver.NameTaken](err); taken {
		diags.AddAttributeError(path.Root("name"), summary, tfkit.Detail(err,
			"A group of this name exists already, and Terraform does not track it as this resource. If it is the group that you mean, "+importIt+
				"\n\nIf it is the old group of a replacement with create_before_destroy, the new one needs another name. If another change of this configuration frees the name, run apply again. Otherwise choose another name. Nothing was created."))
		return
	}
	if _, ambiguous := errors.AsType[*cloudserver.AmbiguousError](err); ambiguous {
		tfkit.AddError(diags, summary, err, nil, "If the group was created after all, the next apply fails because the name is taken. Look at the group, and if it is yours, "+importIt)
		return
	}
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("account"), summary, tfkit.Detail(err, tfkit.NoSuchAccount(ctx, r.Data.Directory, account)+" Nothing was created."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, "Nothing was created.")
}

func addRenameError(state, plan model, err error, diags *diag.Diagnostics) {
	advice := "The group keeps its name."
	switch {
	case isNameTaken(err):
		advice = "The group keeps its name. If another change of this configuration frees the name, run apply again. " +
			"Two groups cannot exchange their names in one apply: give one of them a free name first."
	case cloudserver.IsAmbiguous(err):
		advice = "It is unknown whether the group was renamed: run plan to see its name."
	case cloudserver.IsNotFound(err):
		advice = "Run plan to see whether the group still exists."
	}
	tfkit.AddError(diags, fmt.Sprintf("Cannot rename %s to %q", state.title(), plan.Name.ValueString()), err, attributePath, advice)
}

// addDeleteError reports a group that could not be deleted, and the machines that
// are in the way.
func addDeleteError(state model, machines []cloudserver.VirtualMachine, err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + state.title()
	if len(machines) > 0 {
		diags.AddError(summary, inTheWay(machines))
		return
	}
	tfkit.AddUnproved(diags, summary, "the group", err, attributePath)
}

// inTheWay says which machines keep a group from being empty, and what to do
// about each kind.
func inTheWay(machines []cloudserver.VirtualMachine) string {
	var there, deleted []string
	for _, vm := range machines {
		name := fmt.Sprintf("%s (id %d)", vm.Name, vm.ID)
		if vm.Deleted {
			deleted = append(deleted, name)
		} else {
			there = append(there, name)
		}
	}
	text := "Only an empty group can be deleted."
	if len(there) > 0 {
		text += fmt.Sprintf("\n\nIt still has %s: %s. Destroy or move them first. A cloudserver_vm whose group or group_id refers to this resource is destroyed before it. "+
			"One that the same plan moves to another group is moved only afterwards: keep this group, apply the move, and remove the group then; or set create_before_destroy on the group.",
			counted(len(there), "virtual machine"), shortened(there))
	}
	if len(deleted) > 0 {
		text += fmt.Sprintf("\n\nIt still has %s: %s. Soft-deleted machines count until they are purged, by the action cloudserver_vm_purge (Terraform 1.14 and newer) or outside of Terraform. "+
			"With purge_on_destroy = true, the default, a cloudserver_vm is purged when it is destroyed.",
			counted(len(deleted), "soft-deleted virtual machine"), shortened(deleted))
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func shortened(names []string) string {
	if len(names) <= machinesNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:machinesNamed], ", "), len(names)-machinesNamed)
}
