package vm

import (
	"context"
	"fmt"
	"reflect"

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
	var discs []discModel
	for i, disc := range had {
		found := findDisc(disc, vm.Discs)
		if found == nil {
			elsewhere := r.findElsewhere(ctx, disc, vm.ID)
			if elsewhere != "" {
				warnDiscLeft(state, i, disc, elsewhere, diags)
				continue
			}
		}
		discs = append(discs, disc.refreshed(found))
	}
	if !reflect.DeepEqual(had, discs) {
		state.Disc = discList(discs)
		state.DiscIDs = state.discIDs()
	}
	p.Discs = unmanagedDiscs(discs, vm.Discs)
	if unmanaged := p.unmanaged(); len(unmanaged) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Unmanaged discs", tfkit.Quoted(labels(unmanaged))),
			fmt.Sprintf("The %s has discs that are not in the state: %s. "+
				"Updates leave those without a block alone; a destroy or a replacement destroys them, with their backups. "+
				"To manage one, add a disc block with its label and size.",
				state.title(), listDiscs(unmanaged)))
	}
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
	diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("A disc is gone: %q", disc.Label.ValueString()),
		fmt.Sprintf("Disc %s is no longer on %s. %s It is removed from the state. %s",
			disc.describe(), state.title(), where, next))
}
