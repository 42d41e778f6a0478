package vm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refreshDiscs updates the discs, and looks for those that have left the machine. A disc leaves the state only if it is
// known to be gone. One that is on another machine stays until its block is removed from the configuration, so that no
// empty disc takes its place.
func (r *vmResource) refreshDiscs(
	ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics,
) private {
	if vm.Discs == nil {
		return p
	}
	if p.Adopted && len(state.discs()) == 0 { // just imported
		state.Disc = importedDiscs(vm.Discs)
		return p.compare(state.discs(), vm.Discs)
	}
	discs, now, missing := readDiscs(append(state.discs(), p.movedOnly(state.discs(), vm.Discs)...), p, vm.Discs)
	now.Moved = map[string]movedDisc{}
	var gone []discModel
	for _, disc := range missing {
		found, err := r.findDisc(ctx, state, disc)
		switch {
		case presence.IsGone(err):
			discs = slices.DeleteFunc(discs, func(d discModel) bool { return d.ID.Equal(disc.ID) })
			gone = append(gone, disc)
		case presence.IsHidden(err):
			presence.AddUnknown(diags, "Cannot read the discs of "+state.title(), fmt.Sprintf("disc %s", disc.ID.ValueString()), err, nil)
			return p
		case err != nil:
			state.addError(diags, "read the discs of", err, "The state is unchanged. "+tfkit.Again(err))
			return p
		case found.VirtualMachineID == 0:
			diags.AddAttributeWarning(path.Root("disc"), "The machine of a disc is not known",
				fmt.Sprintf("The service does not list disc %q (ID %s) among the discs of %s, and does not say which machine has it. "+
					"The state keeps it.", disc.Label.ValueString(), disc.ID.ValueString(), state.title()))
		case found.VirtualMachineID == vm.ID: // shown without it
			fillFound(discs, *found, func(discModel) bool { return found.Size != 0 })
		default:
			fillFound(discs, *found, func(d discModel) bool { return d.Size.IsNull() })
			now.Moved[disc.Label.ValueString()] = movedDisc{
				ID: disc.ID.ValueString(), Machine: cloudserver.IDText(found.VirtualMachineID),
			}
		}
	}
	if len(gone) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Discs are gone", tfkit.Quoted(labels(gone))),
			fmt.Sprintf("The service no longer has these discs of %s: %s. "+
				"They were purged outside of Terraform, or by a run that did not see the answer, "+
				"and their data and backups are lost, unless somebody has only detached them: "+
				"if in doubt, ask the operator before you apply. %s", state.title(),
				listDiscs(gone, now.describe), insteadOfGone(state.discs(), discs, gone)))
	}
	state.Disc = discList(discs)
	return now
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
	return presence.Find(ctx, r.Data, state.Account.ValueString(), func(ctx context.Context) (*cloudserver.Disc, error) {
		return r.Data.Client.Disc(ctx, disc.numericID())
	})
}

// readDiscs updates the discs of the state in the state's order, because the service's order is not drift. A disc is
// identified by its ID, and keeps its configured label and grade, whatever they are now. Discs that are not in the
// state are foreign. missing are those of the state that the machine no longer has.
func readDiscs(
	state []discModel, p private, reported []cloudserver.Disc,
) (discs []discModel, now private, missing []discModel) {
	now = p
	now.Foreign = map[string]foreignDisc{}
	for _, disc := range reported {
		now.Foreign[cloudserver.IDText(disc.ID)] = foreignDisc{
			Label: disc.Label, Size: disc.Size, Grade: reportedGrade(disc),
		}
	}
	for _, disc := range state {
		found := findDisc(disc, reported)
		if found == nil {
			discs, missing = append(discs, disc), append(missing, disc)
			continue
		}
		delete(now.Foreign, cloudserver.IDText(found.ID))
		if found.Size != 0 { // reported
			disc.Size = types.Int64Value(found.Size)
		}
		if !tfkit.Given(disc.StorageGrade) {
			disc.StorageGrade = tfkit.StringOrNull(reportedGrade(*found))
		}
		disc.ID = tfkit.IDOrNull(found.ID) // it may have been found by its label
		discs = append(discs, disc)
	}
	return discs, now.compare(discs, reported), missing
}

// twoLabels is the smallest number of discs of which two can change their labels at the same time: the boot disc stays,
// and a single changed label is a rename.
const twoLabels = 3

// compare records the current labels and grades of managed discs where they differ from the state. Compared
// distinguishes "equal" from "never compared". If only one label can change, that makes no difference, and it stays
// false.
func (p private) compare(discs []discModel, reported []cloudserver.Disc) private {
	p.Reported, p.Compared = map[string]reportedDisc{}, len(discs) >= twoLabels
	for _, d := range discs {
		found := findDisc(d, reported)
		if found == nil {
			continue
		}
		now := reportedDisc{Label: cmp.Or(found.Label, d.Label.ValueString()), Grade: reportedGrade(*found)}
		if !cloudserver.SameLabel(now.Label, d.Label.ValueString()) ||
			now.Grade != "" && now.Grade != d.StorageGrade.ValueString() {
			p.Reported[cloudserver.IDText(found.ID)] = now
		}
	}
	return p
}

// reported returns the current label and grade of a managed disc, as of the last read.
func (p private) reported(d discModel) reportedDisc {
	if now, ok := p.Reported[d.ID.ValueString()]; ok {
		return now
	}
	return reportedDisc{Label: d.Label.ValueString(), Grade: d.StorageGrade.ValueString()}
}

// asReported returns the managed and foreign discs as of the last read.
func (p private) asReported(discs []discModel) []cloudserver.Disc {
	return mapped(append(slices.Clone(discs), p.foreignDiscs()...), func(d discModel) cloudserver.Disc {
		now := p.reported(d)
		return cloudserver.Disc{ID: d.numericID(), Label: now.Label, Size: d.Size.ValueInt64(), StorageGrade: now.Grade}
	})
}

// calledOtherwise adds the current label to the description of a disc if it differs.
func (p private) calledOtherwise(d discModel) string {
	if label := p.reported(d).Label; !cloudserver.SameLabel(label, d.Label.ValueString()) {
		return fmt.Sprintf(", which the service calls %q now", label)
	}
	return ""
}

// movedOnly returns the discs on other machines that only the private state has, because earlier editions removed them
// from the state.
func (p private) movedOnly(state []discModel, reported []cloudserver.Disc) (only []discModel) {
	for _, label := range slices.Sorted(maps.Keys(p.Moved)) {
		disc := discModel{ID: types.StringValue(p.Moved[label].ID), Label: types.StringValue(label)}
		if _, inState := discWithID(state, disc.ID); !inState && findDisc(disc, reported) == nil {
			only = append(only, disc)
		}
	}
	return only
}

// fillFound completes a disc that was looked up, where it is unknown or has changed.
func fillFound(discs []discModel, found cloudserver.Disc, isOld func(discModel) bool) {
	for i := range discs {
		if discs[i].numericID() == found.ID && isOld(discs[i]) {
			discs[i].Size = types.Int64Value(found.Size)
			if discs[i].StorageGrade.IsNull() {
				discs[i].StorageGrade = tfkit.StringOrNull(reportedGrade(found))
			}
		}
	}
}

// movedTo returns the location of a disc of the state that is on another machine.
func (p private) movedTo(d discModel) (moved movedDisc, ok bool) {
	for _, m := range p.Moved {
		if m.ID == d.ID.ValueString() {
			return m, true
		}
	}
	return movedDisc{}, false
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

// foreign finds the foreign disc that a block with this label adopts: the one with exactly this label or, if normalised
// is true, with one that the service may have normalised.
func (p private) foreign(label types.String, normalised bool) (found discModel, ok bool) {
	discs := p.foreignDiscs()
	found, ok = firstDisc(discs, func(d discModel) bool { return d.Label.Equal(label) })
	if !ok && normalised {
		found, ok = firstDisc(discs, func(d discModel) bool { return sameLabel(d.Label, label) })
	}
	return found, ok
}

// foreignDiscs returns the discs that no configuration manages, sorted by ID.
func (p private) foreignDiscs() []discModel {
	var discs []discModel
	for _, id := range slices.Sorted(maps.Keys(p.Foreign)) {
		f := p.Foreign[id]
		discs = append(discs, discModel{
			ID: types.StringValue(id), Label: types.StringValue(f.Label),
			Size: types.Int64Value(f.Size), StorageGrade: tfkit.StringOrNull(f.Grade),
		})
	}
	return discs
}

// movedLabels returns the labels of those discs whose label is also that of a disc which has moved to another machine.
func (p private) movedLabels(discs []discModel) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.Moved)), func(label string) bool {
		return !slices.ContainsFunc(discs, func(d discModel) bool { return cloudserver.SameLabel(label, d.Label.ValueString()) })
	})
}

// warnForeign warns of discs that are not in the state, and that no block adopts.
func (p private) warnForeign(m *model, foreign []discModel, diags *diag.Diagnostics) {
	lost := "Destroying or replacing the machine destroys them as well, with their backups."
	if !m.mayPurge() {
		lost = "Destroying or replacing the machine soft-deletes them with it."
	}
	if len(foreign) > 0 {
		adopts := "A disc block with the label and the size of one adopts it, and the plan says so; without one, it is left alone."
		if taken := p.movedLabels(foreign); len(taken) > 0 {
			adopts = "Without a disc block, one is left alone. " +
				"No block adopts it while the state has another disc of its label, which is on another machine: " + tfkit.Quoted(taken) + "."
		}
		diags.AddAttributeWarning(path.Root("disc"), "The machine has discs that are not in the state",
			fmt.Sprintf("The state of %s lacks these discs, which are on it: %s. %s %s", m.title(), listDiscs(foreign, p.describe), adopts, lost))
	}
}
