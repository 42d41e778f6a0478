// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refreshDiscs updates the discs of the state and the unmanaged ones, and warns of those that nobody manages and of
// those that have left the machine. Discs are identified by their IDs: the service's order is not drift, and label and
// grade stay those of the last apply.
func (r *vmResource) refreshDiscs(
	ctx context.Context, state *model, p *private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) {
	if vm.Discs == nil {
		return
	}
	had := state.discs()
	strangers := unmanagedDiscs(had, vm.Discs)
	var discs, exchanged []discModel
	for i, disc := range had {
		found := findDisc(disc, vm.Discs)
		other, hasOther := withLabel(strangers, disc.Label)
		elsewhere := ""
		if found == nil {
			elsewhere = r.findElsewhere(ctx, disc, vm.ID)
		}
		switch {
		case found != nil && tfkit.Given(disc.ID) && hasOther && !cloudserver.SameLabel(found.Label, other.Label):
			warnOtherLabel(state, disc, found, other, diags)
		case elsewhere != "" && hasOther:
			warnExchanged(state, disc, elsewhere, other, diags)
			disc.ID = types.StringNull() // the plan adopts the other one in its place
			exchanged = append(exchanged, other.block())
		case elsewhere != "":
			warnDiscLeft(state, i, disc, elsewhere, diags)
			continue
		}
		p.noteSize(disc, found)
		discs = append(discs, disc.refreshed(found))
	}
	if !reflect.DeepEqual(had, discs) {
		state.Disc = discList(discs)
		state.DiscIDs = state.discIDs()
	}
	p.Discs, p.Backups = unmanagedDiscs(discs, vm.Discs), countBackups(vm.Discs)
	warnUnmanaged(state, without(p.unmanaged(), exchanged), diags)
}

// withLabel returns the disc with the label.
func withLabel(discs []unmanagedDisc, label types.String) (found unmanagedDisc, ok bool) {
	i := slices.IndexFunc(discs, func(d unmanagedDisc) bool { return cloudserver.SameLabel(d.Label, label.ValueString()) })
	if i < 0 {
		return found, false
	}
	return discs[i], true
}

// noteSize remembers the size of a disc before somebody else has grown it, for the first time since the last update.
func (p *private) noteSize(disc discModel, found *cloudserver.Disc) {
	if found == nil || !tfkit.Given(disc.ID) || found.Size <= disc.Size.ValueInt64() {
		return
	}
	if _, isNoted := p.Grown[disc.ID.ValueString()]; isNoted {
		return
	}
	if p.Grown == nil {
		p.Grown = map[string]int64{}
	}
	p.Grown[disc.ID.ValueString()] = disc.Size.ValueInt64()
}

func warnUnmanaged(state *model, unmanaged []discModel, diags *diag.Diagnostics) {
	if len(unmanaged) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Unmanaged discs", tfkit.Quoted(labels(unmanaged))),
			fmt.Sprintf("The %s has discs that are not in the state: %s. "+
				"Updates leave those without a block alone; a destroy or a replacement destroys them, with their backups. "+
				"To manage one, add a disc block with its label and size.",
				state.title(), listDiscs(unmanaged)))
	}
}

// warnExchanged warns that another disc has the label of one that is gone, as after a restore beside Terraform.
func warnExchanged(state *model, disc discModel, elsewhere string, other unmanagedDisc, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("disc"),
		fmt.Sprintf("Disc %s of %s is another one now", disc.Label, state.title()),
		fmt.Sprintf("The machine has disc %s. The disc of the state (ID %s) is no longer on the machine. %s "+
			"The next apply manages the disc that is there, with its data. Until then, a destroy names it as unmanaged.",
			other.block().describe(), disc.ID.ValueString(), elsewhere))
}

// warnOtherLabel warns that somebody has renamed a disc, and given its label to another one.
func warnOtherLabel(
	state *model, disc discModel, found *cloudserver.Disc, other unmanagedDisc, diags *diag.Diagnostics,
) {
	diags.AddAttributeWarning(path.Root("disc"),
		fmt.Sprintf("Disc %s of %s has another label now", disc.Label, state.title()),
		fmt.Sprintf("The service calls disc %s %q, and has given the label %s to disc %d. "+
			"This resource goes on managing disc %[1]s. To manage disc %[4]d in its place, remove the resource from the "+
			"state with `terraform state rm`, and import the machine.",
			disc.ID.ValueString(), cloudserver.Shown(found.Label), disc.Label, other.ID))
}

// refreshed returns the disc with the size that the service reports. found is nil if it does not show the disc.
func (d discModel) refreshed(found *cloudserver.Disc) discModel {
	if found == nil {
		return d
	}
	if found.Size != 0 {
		d.Size = types.Int64Value(found.Size)
	}
	if d.StorageGrade.IsNull() {
		d.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
	}
	d.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
	return d
}

// findElsewhere looks up a disc that its machine does not show. It returns where the disc is now, or "" if it may still
// be on the machine.
func (r *vmResource) findElsewhere(ctx context.Context, disc discModel, machine int64) string {
	if !tfkit.Given(disc.ID) {
		return "It was never seen there."
	}
	found, err := r.Data.Client.Disc(ctx, disc.numericID())
	switch {
	case cloudserver.IsNotFound(err):
		return "It was purged outside of Terraform, or by an apply that did not see the answer, " +
			"and its data and backups are lost."
	case err != nil, found.VirtualMachineID == 0, found.VirtualMachineID == machine:
		return ""
	}
	return fmt.Sprintf("It was moved to virtual machine %d, with its data.", found.VirtualMachineID)
}

// warnDiscLeft warns that a disc is removed from the state.
func warnDiscLeft(state *model, index int, disc discModel, where string, diags *diag.Diagnostics) {
	next := "If its block stays in the configuration, the apply adds an empty disc. To prevent that, remove the block."
	if index == 0 {
		next = "It was the boot disc: the plan is an error while its block is in the configuration."
	}
	diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("A disc of %s is gone: %s", state.title(), disc.Label),
		fmt.Sprintf("Disc %s is no longer on %s. %s It is removed from the state. %s",
			disc.describe(), state.title(), where, next))
}
