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

// readDiscs brings the discs up to date, and looks for those that have left. A disc leaves
// the state only if it is known to be gone: one that is on another machine stays until the
// configuration gives it up, so that no empty disc takes its place.
func (r *vmResource) readDiscs(ctx context.Context, state *model, p private, vm *cloudserver.VirtualMachine, diags *diag.Diagnostics) private {
	if vm.Discs == nil {
		return p
	}
	if p.Adopted && len(state.discs()) == 0 { // just imported
		state.Disc = importedDiscs(vm.Discs)
		return p.compare(state.discs(), vm.Discs)
	}
	discs, now, missing := readDiscs(append(state.discs(), p.movedOnly(state.discs(), vm.Discs)...), p, vm.Discs)
	now.Moved = map[string]movedDisc{}
	for _, disc := range missing {
		found, err := r.findDisc(ctx, state, disc)
		switch {
		case presence.IsGone(err):
			discs = slices.DeleteFunc(discs, func(d discModel) bool { return d.ID.Equal(disc.ID) })
			diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is gone", disc.Label.ValueString(), state.title()),
				fmt.Sprintf("The disc (ID %s) was purged outside of Terraform, and its data and backups are lost. If the configuration has a block for it, an empty disc is added.", disc.ID.ValueString()))
		case presence.IsHidden(err):
			presence.AddUnknown(diags, "Cannot read the discs of "+state.title(), fmt.Sprintf("disc %s", disc.ID.ValueString()), err, nil)
			return p
		case err != nil:
			state.addError(diags, "read the discs of", err, "The state is unchanged. "+tfkit.Again(err))
			return p
		case found.VirtualMachineID == 0:
			diags.AddAttributeWarning(path.Root("disc"), "The machine of a disc is not known",
				fmt.Sprintf("The service does not list disc %q (ID %s) among the discs of %s, and does not say which machine has it. The state keeps it.", disc.Label.ValueString(), disc.ID.ValueString(), state.title()))
		case found.VirtualMachineID != vm.ID:
			fillMoved(discs, *found)
			now.Moved[disc.Label.ValueString()] = movedDisc{ID: disc.ID.ValueString(), Machine: cloudserver.IDText(found.VirtualMachineID)}
			if from := r.Data.Notes.RememberDisc(disc.object(), state.title()); from != "" {
				refuseRemembered(disc, from, state.title(), diags)
			}
		}
	}
	state.Disc = discList(discs)
	return now
}

// findDisc reads a disc that the machine's answer lacks. The error is [presence.IsGone]
// only if that is proved.
func (r *vmResource) findDisc(ctx context.Context, state *model, disc discModel) (*cloudserver.Disc, error) {
	if disc.numericID() == 0 { // nobody can ask for it
		return &cloudserver.Disc{VirtualMachineID: state.numericID()}, nil
	}
	return presence.Find(ctx, r.Data, state.Account.ValueString(), func(ctx context.Context) (*cloudserver.Disc, error) {
		return r.Data.Client.Disc(ctx, disc.numericID())
	})
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
			discs, missing = append(discs, known), append(missing, known)
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
	return discs, now.compare(discs, reported), missing
}

// twoLabels is the least number of discs of which two can change their labels at the
// same time: the boot disc stays, and a label that changes alone is a rename.
const twoLabels = 3

// compare notes what the service calls managed discs, and their grades. Equal and never
// compared are not the same; but where only one label can change, it is all the same, so
// that a plain machine needs no private state.
func (p private) compare(discs []discModel, reported []cloudserver.Disc) private {
	p.Reported, p.Compared = map[string]reportedDisc{}, len(discs) >= twoLabels
	for _, d := range discs {
		found := findDisc(d, reported)
		if found == nil {
			continue
		}
		now := reportedDisc{Label: cmp.Or(found.Label, d.Label.ValueString()), Grade: reportedGrade(*found)}
		if !cloudserver.SameLabel(now.Label, d.Label.ValueString()) || now.Grade != "" && now.Grade != d.StorageGrade.ValueString() {
			p.Reported[cloudserver.IDText(found.ID)] = now
		}
	}
	return p
}

// reported returns what the service calls a managed disc, and its grade, as the last look
// found them.
func (p private) reported(d discModel) reportedDisc {
	if now, ok := p.Reported[d.ID.ValueString()]; ok {
		return now
	}
	return reportedDisc{Label: d.Label.ValueString(), Grade: d.StorageGrade.ValueString()}
}

// asReported returns the managed discs as the last look found them.
func (p private) asReported(discs []discModel) []cloudserver.Disc {
	return mapped(append(slices.Clone(discs), p.foreignDiscs()...), func(d discModel) cloudserver.Disc {
		now := p.reported(d)
		return cloudserver.Disc{ID: d.numericID(), Label: now.Label, Size: d.Size.ValueInt64(), StorageGrade: now.Grade}
	})
}

// calledOtherwise completes a list of what is known of a disc.
func (p private) calledOtherwise(d discModel) string {
	if label := p.reported(d).Label; !cloudserver.SameLabel(label, d.Label.ValueString()) {
		return fmt.Sprintf(", which the service calls %q now", label)
	}
	return ""
}

// movedOnly returns the discs on other machines that only the private state has: earlier
// editions took them out of the state.
func (p private) movedOnly(state []discModel, reported []cloudserver.Disc) (only []discModel) {
	for _, label := range slices.Sorted(maps.Keys(p.Moved)) {
		disc := discModel{ID: types.StringValue(p.Moved[label].ID), Label: types.StringValue(label)}
		if _, inState := discWithID(state, disc.ID); !inState && findDisc(disc, reported) == nil {
			only = append(only, disc)
		}
	}
	return only
}

// fillMoved completes such a disc.
func fillMoved(discs []discModel, found cloudserver.Disc) {
	for i := range discs {
		if discs[i].numericID() == found.ID && discs[i].Size.IsNull() {
			discs[i].Size, discs[i].StorageGrade = types.Int64Value(found.Size), tfkit.StringOrNull(reportedGrade(found))
		}
	}
}

// movedTo returns where a disc of the state is that is on another machine.
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

// warnForeign names the discs that are not in the state.
func (p private) warnForeign(m *model, diags *diag.Diagnostics) {
	lost := "Destroying or replacing the machine destroys it as well, with its backups."
	if !m.mayPurge() {
		lost = "Destroying or replacing the machine soft-deletes it with the machine."
	}
	for _, disc := range p.foreignDiscs() {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("The machine has a disc %s that is not in the state", disc.Label),
			fmt.Sprintf("Terraform does not manage disc %s (ID %s, %d megabytes, %s) of %s. A disc block with this label and size adopts it; without one, it is left alone. %s",
				disc.Label, disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString(), m.title(), lost))
	}
}
