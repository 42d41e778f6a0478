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
		if state.DeletionProtection.ValueBool() {
			state.refuseReplacement(c.replace, diags)
		}
		return
	}
	for _, r := range c.discs.refusals {
		diags.AddAttributeError(r.at, r.summary, r.detail)
	}
	c.refuseStop(state, plan, diags)
}

// refuseStop keeps allow_stopping_for_update = false.
func (c change) refuseStop(state, plan model, diags *diag.Diagnostics) {
	if plan.AllowStoppingForUpdate.ValueBool() || plan.AllowStoppingForUpdate.IsUnknown() || !c.restarts(state) {
		return
	}
	for _, name := range c.stopsFor() {
		diags.AddAttributeError(path.Root(name), "The change needs "+state.title()+" to be off",
			fmt.Sprintf("The service changes %s only while the machine is off, the machine is on, and allow_stopping_for_update is false. "+
				"Set allow_stopping_for_update = true to let this update stop and start it, or stop it yourself first.", name))
	}
}

// refuseDeletion keeps deletion_protection for a destroy.
func (m model) refuseDeletion(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("deletion_protection"), "Destroying "+m.title()+" is refused",
		"deletion_protection is true for this machine. To destroy it, set deletion_protection = false, apply that, and destroy it then.")
}

func (m model) refuseReplacement(because []path.Path, diags *diag.Diagnostics) {
	names := make([]string, len(because))
	for i, at := range because {
		names[i] = at.String()
	}
	diags.AddAttributeError(because[0], "Replacing "+m.title()+" is refused",
		fmt.Sprintf("A change of %s needs a new machine in place of this one, and deletion_protection is true. "+
			"Take the change back; or set deletion_protection = false, apply that alone, and then replace the machine, which destroys all its discs.", strings.Join(names, ", ")))
}
