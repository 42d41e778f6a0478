package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refreshDiscs updates the discs, returns what it saw of them, and looks for those that have left the machine. A disc
// leaves the state only if it is known to be gone. One that is on another machine stays until its block is removed from
// the configuration, so that no empty disc takes its place.
func (r *vmResource) refreshDiscs(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) observedDiscs {
	if vm.Discs == nil {
		return p.Discs
	}
	if p.From == imported && len(state.discs()) == 0 { // just imported
		state.Disc = importedDiscs(vm.Discs)
		return observe(state.discs(), vm.Discs).compact(state.discs())
	}
	discs, missing := readDiscs(state.discs(), vm.Discs)
	seen := observe(discs, vm.Discs)
	var gone []discModel
	for _, disc := range missing {
		found, err := r.findDisc(ctx, state, disc)
		switch {
		case presence.IsGone(err):
			discs = slices.DeleteFunc(discs, func(d discModel) bool { return d.ID.Equal(disc.ID) })
			gone = append(gone, disc)
		case presence.IsHidden(err):
			presence.AddUnknown(diags, "Cannot read the discs of "+state.title(), fmt.Sprintf("disc %s", disc.ID.ValueString()), err, nil)
			return p.Discs
		case err != nil:
			state.addError(diags, "read the discs of", err, "The state is unchanged. "+tfkit.Again(err))
			return p.Discs
		case found.VirtualMachineID == 0:
			diags.AddAttributeWarning(path.Root("disc"), "The machine of a disc is not known",
				fmt.Sprintf("The service does not list disc %q (ID %s) among the discs of %s, and does not say which machine has it. "+
					"The state keeps it.", disc.Label.ValueString(), disc.ID.ValueString(), state.title()))
		case found.VirtualMachineID == vm.ID: // shown without it
			fillFound(discs, *found)
		default:
			seen[disc.ID.ValueString()] = observedDisc{Machine: cloudserver.IDText(found.VirtualMachineID)}
		}
	}
	if len(gone) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary(DiscsGone, tfkit.Quoted(labels(gone))),
			fmt.Sprintf("The service no longer has these discs of %s: %s. "+
				"They were purged outside of Terraform, or by a run that did not see the answer, "+
				"and their data and backups are lost, unless somebody has only detached them: "+
				"if in doubt, ask the operator before you apply. %s", state.title(),
				listDiscs(gone, seen.describe), insteadOfGone(state.discs(), discs, gone)))
	}
	state.Disc = discList(discs)
	return seen.compact(discs)
}

// insteadOfGone explains what takes the place of discs that are gone: empty ones, but not for a boot disc beside others.
func insteadOfGone(had, left, gone []discModel) string {
	const others = "that the configuration has a block for, an empty disc is added."
	if len(had) == 0 || len(left) == 0 || !had[0].ID.Equal(gone[0].ID) {
		return "For each " + others
	}
	text := fmt.Sprintf("%s was the boot disc: the plan is an error until the block of disc %s is the first.", had[0].Label, left[0].Label)
	if len(gone) > 1 {
		text += " For each other one " + others
	}
	return text
}

// findDisc reads a disc that is missing from the machine's answer. [presence.IsGone] reports true for the error only if
// that is proved.
func (r *vmResource) findDisc(ctx context.Context, state *model, disc discModel) (*cloudserver.Disc, error) {
	if disc.numericID() == 0 { // it cannot be requested
		return &cloudserver.Disc{VirtualMachineID: state.numericID()}, nil
	}
	return presence.Find(ctx, r.Data.Fleet, &r.Data.Memory, state.Account.ValueString(), func(ctx context.Context) (*cloudserver.Disc, error) {
		return r.Data.Client.Disc(ctx, disc.numericID())
	})
}

// readDiscs updates the discs of the state in the state's order, because the service's order is not drift. A disc is
// identified by its ID, and keeps its configured label and grade, whatever they are now. missing are the discs that the
// machine no longer has.
func readDiscs(state []discModel, shown []cloudserver.Disc) (discs, missing []discModel) {
	for _, disc := range state {
		found := findDisc(disc, shown)
		if found == nil {
			discs, missing = append(discs, disc), append(missing, disc)
			continue
		}
		if found.Size != 0 { // reported
			disc.Size = types.Int64Value(found.Size)
		}
		if !tfkit.Given(disc.StorageGrade) {
			disc.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
		}
		disc.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
		discs = append(discs, disc)
	}
	return discs, missing
}

// fillFound completes a disc that was looked up.
func fillFound(discs []discModel, found cloudserver.Disc) {
	for i := range discs {
		if discs[i].numericID() == found.ID && found.Size != 0 {
			discs[i].Size = types.Int64Value(found.Size)
			if discs[i].StorageGrade.IsNull() {
				discs[i].StorageGrade = tfkit.StringOrNull(reportedGrade(found))
			}
		}
	}
}

// importedDiscs returns the discs of a machine that was just imported.
func importedDiscs(reported []cloudserver.Disc) types.List {
	return discList(bootFirst(mapped(reported, discFromAPI)))
}

// bootFirst puts the boot disc of an imported machine first, wherever the service lists it: the disc with a typical
// label, or else the one that was created first.
func bootFirst(discs []discModel) []discModel {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	for i, d := range discs {
		if boot < 0 || !discs[boot].isBootByLabel() && d.numericID() < discs[boot].numericID() {
			boot = i
		}
	}
	if boot > 0 {
		return slices.Insert(slices.Delete(slices.Clone(discs), boot, boot+1), 0, discs[boot])
	}
	return discs
}
