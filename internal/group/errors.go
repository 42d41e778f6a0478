package group

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machinesNamed is how many machines an error names.
const machinesNamed = 10

// attributePath finds the attribute that a problem of the service is about.
func attributePath(problem cloudserver.Problem) (path.Path, bool) {
	if problem.Attribute == "name" {
		return path.Root("name"), true
	}
	return path.Empty(), false
}

// addCreateError reports a group that could not be made: an account that is not
// known, or a name that is taken, maybe by the group that the user means.
func (r *groupResource) addCreateError(ctx context.Context, plan model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + plan.title()
	answered, ok := errors.AsType[*cloudserver.Error](err)
	switch {
	case cloudserver.IsNotFound(err):
		diags.AddAttributeError(path.Root("account"), summary, tfkit.NoSuchAccount(ctx, r.data.Client, plan.Account.ValueString()))
	case ok && answered.Has("name", "already been taken"):
		diags.AddAttributeError(path.Root("name"), summary, fmt.Sprintf(
			"The account has a group of this name already, and this configuration does not track it. If it is the group that you mean, import it:\n\n"+
				"import {\n  to = cloudserver_group.NAME # the address of this resource\n  id = %q\n}\n\nOtherwise choose another name.",
			plan.Account.ValueString()+"/"+plan.Name.ValueString()))
	default:
		tfkit.AddError(diags, summary, err, attributePath, "Nothing was created.")
	}
}

// addDeleteError reports a group that could not be deleted, and names the
// machines that are in the way.
func (r *groupResource) addDeleteError(ctx context.Context, state model, err error, diags *diag.Diagnostics) {
	summary := "Cannot delete " + state.title()
	if cloudserver.StatusCode(err) == http.StatusBadRequest {
		machines, listErr := r.data.Client.VirtualMachines(ctx, state.Account.ValueString(), state.ID.ValueString(), cloudserver.IncludeDeleted)
		if listErr == nil && len(machines) > 0 {
			diags.AddError(summary, inTheWay(machines))
			return
		}
	}
	tfkit.AddError(diags, summary, err, attributePath, "The group stays in the state: run the same command again.")
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
		text += fmt.Sprintf("\n\nIt still has %s: %s. Destroy or move what is in it first. A cloudserver_vm whose group refers to this resource is destroyed before it.",
			counted(len(there), "virtual machine"), shortened(there))
	}
	if len(deleted) > 0 {
		text += fmt.Sprintf("\n\nIt still has %s: %s. Soft-deleted machines count until they are purged (DELETE with purge=true); "+
			"with purge_on_destroy = true, the default, a cloudserver_vm is purged when it is destroyed.",
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
