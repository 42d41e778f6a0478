package vm

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// readDiscs brings the discs up to date, and looks for those that have left.
func (r *vmResource) readDiscs(ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) private {
	discs := state.discs()
	if vm.Discs == nil {
		return p
	}
	if p.Adopted && len(discs) == 0 { // just imported
		state.Disc = importedDiscs(vm.Discs)
		return p
	}
	discs, p, missing := readDiscs(discs, p, vm.Discs)
	for _, disc := range missing {
		found, err := r.Data.Client.Disc(ctx, disc.numericID())
		switch {
		case err == nil && found.VirtualMachineID != 0 && found.VirtualMachineID != vm.ID:
			p.Moved[disc.Label.ValueString()] = movedDisc{ID: disc.ID.ValueString(), Machine: cloudserver.IDText(found.VirtualMachineID)}
		case err != nil && !cloudserver.IsNotFound(err):
			state.addError(diags, "read the discs of", err, "The state is unchanged. "+tfkit.Again(err))
			return p
		case err != nil:
			diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is gone", disc.Label.ValueString(), state.title()),
				fmt.Sprintf("The disc (ID %s) was purged outside of Terraform, and its data and backups are lost. If the configuration has a block for it, an empty disc is added.", disc.ID.ValueString()))
		}
	}
	state.Disc = discList(discs)
	return p
}

// readDiscs brings the discs of the state up to date, in the state's order: an
// order of the service's own is not drift. A disc is the one with its id, and its
// label and grade stay as configured, whatever they read now. Discs that the state
// does not have are foreign. missing are those of the state that the machine no
// longer has.
func readDiscs(state []discModel, p private, reported []cloudserver.Disc) (discs []discModel, now private, missing []discModel) {
	now = p
	now.Foreign = map[string]foreignDisc{}
	for _, disc := range reported {
		now.Foreign[cloudserver.IDText(disc.ID)] = foreignDisc{Label: disc.Label, Size: disc.Size, Grade: reportedGrade(disc)}
	}
	for _, known := range state {
		found := findDisc(known, reported)
		if found == nil {
			missing = append(missing, known)
			continue
		}
		delete(now.Foreign, cloudserver.IDText(found.ID))
		if found.Size != 0 { // reported
			known.Size = types.Int64Value(found.Size)
		}
		if !tfkit.Given(known.StorageGrade) {
			known.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
		}
		known.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
		discs = append(discs, known)
	}
	now.Moved = map[string]movedDisc{}
	maps.Copy(now.Moved, p.Moved)
	maps.DeleteFunc(now.Moved, func(_ string, m movedDisc) bool { // it is back
		return slices.ContainsFunc(reported, func(d cloudserver.Disc) bool { return cloudserver.IDText(d.ID) == m.ID })
	})
	return discs, now, missing
}

// importedDiscs returns the discs of a machine that was just imported.
func importedDiscs(reported []cloudserver.Disc) types.List {
	return discList(bootFirst(mapped(reported, discFromAPI)))
}

// bootFirst puts the boot disc of an imported machine first, wherever the service
// lists it: the one that its label says, or else the one that was created first.
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

// foreign finds the foreign disc that a block with the label adopts: the one with
// exactly this label, or else, among known labels, one that the service may have
// normalised.
func (p private) foreign(label types.String, normalised bool) (found discModel, ok bool) {
	discs := p.foreignDiscs()
	found, ok = firstDisc(discs, func(d discModel) bool { return d.Label.Equal(label) })
	if !ok && normalised {
		found, ok = firstDisc(discs, func(d discModel) bool { return sameLabel(d.Label, label) })
	}
	return found, ok
}

// foreignDiscs returns the discs that no configuration manages, by ID.
func (p private) foreignDiscs() []discModel {
	var discs []discModel
	for _, id := range slices.Sorted(maps.Keys(p.Foreign)) {
		f := p.Foreign[id]
		discs = append(discs, discModel{ID: types.StringValue(id), Label: types.StringValue(f.Label), Size: types.Int64Value(f.Size), StorageGrade: tfkit.StringOrNull(f.Grade)})
	}
	return discs
}

// warnForeign names the discs that no configuration manages.
func (p private) warnForeign(m *model, diags *diag.Diagnostics) {
	lost := "Destroying or replacing the machine destroys it as well, with its backups."
	if !m.mayPurge() {
		lost = "Destroying or replacing the machine soft-deletes it with the machine."
	}
	for _, disc := range p.foreignDiscs() {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("The machine has a disc %s that no configuration manages", disc.Label),
			fmt.Sprintf("Disc %s (ID %s, %d megabytes, %s) of %s is left alone. %s To manage it, add a disc block with this label and size.",
				disc.Label, disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString(), m.title(), lost))
	}
}
