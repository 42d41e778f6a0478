package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// refuse reports what must not or cannot be done, before anything is done.
func (c change) refuse(state, plan model, diags *diag.Diagnostics) {
	if len(c.replace) > 0 {
		switch {
		case state.DeletionProtection.ValueBool():
			state.refuseReplacement(c.replace, diags)
		case state.keepsName(plan):
			state.refuseNameless(c.replace, diags)
		}
		return
	}
	for _, r := range c.discs.refusals {
		diags.AddAttributeError(r.at, r.summary, r.detail)
	}
	c.refuseStop(state, plan, diags)
	if c.reimagesInPlace() && c.reimage.noPassword {
		diags.AddAttributeError(path.Root("reimage"), "Reimaging "+state.title()+" in place needs a root password",
			fmt.Sprintf("A change of %s reimages the machine, and the service takes no reimage without a root password. Give root_password_wo with root_password_wo_version, or root_password.",
				strings.Join(c.reimage.changed, ", ")))
	}
}

// refuseStop keeps allow_stopping_for_update = false.
func (c change) refuseStop(state, plan model, diags *diag.Diagnostics) {
	if plan.AllowStoppingForUpdate.ValueBool() || plan.AllowStoppingForUpdate.IsUnknown() || !c.restarts(state) {
		return
	}
	for _, name := range c.stopsFor() {
		diags.AddAttributeError(path.Root(name), "The change needs "+state.title()+" to be off",
			fmt.Sprintf("The service makes a change of %s only while the machine is off, the machine is on, and allow_stopping_for_update is false. "+
				"Set allow_stopping_for_update = true to let this update stop and start it, or stop it yourself first.", name))
	}
}

// refuseDeletion keeps deletion_protection for a destroy.
func (m model) refuseDeletion(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("deletion_protection"), "Destroying "+m.title()+" is refused",
		"deletion_protection is true for this machine. To destroy it, set deletion_protection = false, apply that, and destroy it then. "+
			"A machine that is tainted has to be untainted for that (`terraform untaint`), because Terraform would replace it instead.")
}

func (m model) refuseReplacement(because []path.Path, diags *diag.Diagnostics) {
	diags.AddAttributeError(because[0], "Replacing "+m.title()+" is refused",
		fmt.Sprintf("A change of %s needs a new machine in place of this one, and deletion_protection is true. "+
			"Take the change back; or set deletion_protection = false, apply that alone, and then replace the machine, which destroys all its discs.", listPaths(because)))
}

// keepsName says whether the machine would still hold the name that is planned
// for the one in its place: a soft-deleted machine does (api.md §3).
func (m model) keepsName(plan model) bool {
	return !m.PurgeOnDestroy.ValueBool() && m.Name.Equal(plan.Name) && m.Group.Equal(plan.Group) && m.Account.Equal(plan.Account)
}

func (m model) refuseNameless(because []path.Path, diags *diag.Diagnostics) {
	diags.AddAttributeError(because[0], "Replacing "+m.title()+" cannot succeed",
		fmt.Sprintf("A change of %s needs a new machine in place of this one, and purge_on_destroy is false: the old machine would be soft-deleted and keep its name, so that the service would refuse the new one. "+
			"Take the change back; or give the new machine another name; or set purge_on_destroy = true, apply that alone, and then replace the machine, which destroys all its discs.", listPaths(because)))
}

func listPaths(paths []path.Path) string {
	names := make([]string, len(paths))
	for i, at := range paths {
		names[i] = at.String()
	}
	return strings.Join(names, ", ")
}
