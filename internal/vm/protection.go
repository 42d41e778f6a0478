package vm

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// protects returns the planned deletion_protection: what is configured, or else the provider's default.
func (r *vmResource) protects(config, plan *model) types.Bool {
	if config.DeletionProtection.IsNull() {
		return r.Data.DefaultProtection()
	}
	return plan.DeletionProtection
}

// protection returns whether the state or a plan protects the machine. A value that is not known yet counts as true.
func (m *model) protection(plan *model) run.Protection {
	state := m.DeletionProtection.ValueBool()
	return run.Protection{State: state, Plan: !state && (plan.DeletionProtection.ValueBool() || plan.DeletionProtection.IsUnknown())}
}

// refuseLoss enforces deletion_protection, which protects data and not only the machine.
func (d *decision) refuseLoss(diags *diag.Diagnostics) {
	protection := d.state.protection(&d.plan)
	for _, disc := range d.change.discs.purge {
		presence.RefuseLoss(protection, path.Root("disc"), fmt.Sprintf("purge disc %s of %s", disc.Label, d.state.title()),
			fmt.Sprintf("The configuration has no disc %s, so its data and backups would be lost. "+
				"To move it to another machine, do not go on: put its block back, and move the disc first %s. %s",
				disc.Label, d.withAction("disc_move"), howToRename), diags)
	}
	if d.change.image.install {
		presence.RefuseLoss(protection, path.Root("reimage"), "reimage "+d.state.title(), "Everything on its boot disc would be lost", diags)
	}
}

// refuseDeletion enforces deletion_protection for a destroy.
func (r *vmResource) refuseDeletion(m *model, diags *diag.Diagnostics) {
	lost := "The machine would be destroyed with its discs"
	if !m.mayPurge() {
		lost = fmt.Sprintf("The machine (ID %s) would be soft-deleted, and until the service purges it, it could be undeleted %s",
			m.ID.ValueString(), r.byAction("undelete", m.ID.ValueString()))
	}
	presence.RefuseLoss(m.protection(m), path.Root("deletion_protection"), "destroy "+m.title(),
		lost+". If you moved or renamed its resource, add a block moved. "+
			"If you removed its block, write a block removed with destroy = false to keep the machine, "+
			"or put the block back with deletion_protection = false. "+
			"If the machine is tainted, run terraform untaint first of all, because Terraform would replace it instead", diags)
}

// refuseTaint enforces a deletion_protection that the plan of a replacement sets. Terraform replaces a tainted machine
// without asking the provider.
func (m *model) refuseTaint(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("deletion_protection"), "Cannot destroy "+m.title(),
		"The machine is tainted, so this apply would replace it and destroy its discs, "+
			"and the same apply sets deletion_protection, or may set it. "+tfkit.NothingDeleted+". "+
			"To keep the machine, run `terraform untaint` with its address, and apply. To replace it, apply without deletion_protection first.")
}

// refuseProtected enforces deletion_protection even if Terraform replaces the machine without asking: with -replace or
// replace_triggered_by. kept means that the old machine would be soft-deleted.
func (m *model) refuseProtected(protection run.Protection, kept bool, at path.Path, because string, diags *diag.Diagnostics) {
	lost := "Replacing the machine destroys all its discs and their backups"
	if kept {
		lost = "Replacing the machine soft-deletes it, with its discs and their backups"
	}
	presence.RefuseLoss(protection, at, "replace "+m.title(), because+lost, diags)
}

// ObserveState implements tfkit.Observed.
func (r *vmResource) ObserveState(memory *run.Memory, state tfkit.RawState) run.Object {
	var m struct {
		ID                 string `json:"id"`
		DeletionProtection bool   `json:"deletion_protection"`
		Name               string `json:"name"`
		Group              string `json:"group"`
		Account            string `json:"account"`
		Hostname           string `json:"hostname"`
		Disc               []struct {
			ID    string `json:"id"`
			Label string `json:"label"`
		} `json:"disc"`
	}
	state.Fill(&m)
	machine := run.ObjectWithID(run.VirtualMachine, tfkit.IDOf(types.StringValue(m.ID)))
	discs := map[string]string{}
	for _, disc := range m.Disc {
		discs[disc.ID] = fmt.Sprintf("%q of virtual machine %q", disc.Label, m.Name)
	}
	memory.Note(machine, func(k *run.Known) {
		k.Title, k.Discs, k.Account, k.Protection.State = strconv.Quote(m.Name), discs, m.Account, m.DeletionProtection
		k.Domain = origin.Domain(m.Hostname, []origin.Place{{Group: m.Group, Account: m.Account}}, m.Name)
	})
	return machine
}

// rememberProtection lets the actions of this process know whether the state or a plan protects a machine.
func (r *vmResource) rememberProtection(state, plan *model) {
	if state.numericID() > 0 {
		r.Data.Memory.Note(state.object(), func(k *run.Known) { k.Protection = state.protection(plan) })
	}
}

// mayPurge reports whether deleting the machine destroys it permanently.
func (m *model) mayPurge() bool { return !m.PurgeOnDestroy.Equal(types.BoolValue(false)) }
