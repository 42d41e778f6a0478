package vm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuseManaged refuses a new disc with the label that somebody else has given another disc of the state.
func (d *discDecision) refuseManaged(i int) {
	label := d.blocks[i].Label.ValueString()
	if owner, ok := d.calledNow(d.blocks[i].Label); ok && d.labelsKnown {
		d.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is already managed as %q", label, owner.Label.ValueString()),
			fmt.Sprintf("The disc that the service calls %q (ID %s) is the one of the block with the label %q: it was renamed outside of Terraform. "+
				"Change the label of that block to %[1]q, and remove this one; or choose another label for this one.",
				label, owner.ID.ValueString(), owner.Label.ValueString()))
	}
}

// refuseMoved refuses a block whose disc is on another machine. Neither an empty disc takes its place, nor another disc
// that now has its label here, as after discs were swapped.
func (d *discDecision) refuseMoved(i int, had discModel) {
	to := d.seen.movedTo(had)
	if to == "" {
		return
	}
	label, id, other := had.Label.ValueString(), had.ID.ValueString(), ""
	if foreign, ok := d.foreignWith(d.blocks[i].Label); ok {
		other = fmt.Sprintf(" The disc with this label that is on the machine now (ID %s) is another one.", foreign.ID.ValueString())
	}
	d.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is on another machine", label),
		fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No empty disc is added instead.%s Move it back %s. The next refresh finds it. "+
			"Or remove this block, and adopt the disc on the other machine with a block of the same label; after that apply a new disc can have this label here.",
			label, id, to, other, d.withAction("disc_move", "virtual_machine_id="+to, "disc_id="+id, "to="+d.machine.ID)))
}

// refuseGrade refuses another grade than the disc has, in the state or at the service.
func (d *discDecision) refuseGrade(i int, had, block discModel) {
	if _, grade := d.seen.now(had); differs(had.StorageGrade, block.StorageGrade) && grade != block.StorageGrade.ValueString() {
		d.refused.AddAttributeError(discPath(i, "storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. %s",
				had.Label.ValueString(), grade, block.StorageGrade.ValueString(),
				d.insteadOf(i, fmt.Sprintf("Set storage_grade = %q again.", had.StorageGrade.ValueString()))))
	}
}

// refuseShrinking refuses a smaller size than the disc has.
func (d *discDecision) refuseShrinking(i int, had, block discModel) {
	if tfkit.Given(block.Size) && block.Size.ValueInt64() < had.Size.ValueInt64() {
		d.refused.AddAttributeError(discPath(i, "size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. %s", had.Label.ValueString(), had.Size.ValueInt64(), block.Size.ValueInt64(),
				cmp.Or(d.swapped(had), inGigabytes(block.Size.ValueInt64())+"The service cannot shrink a disc. "+d.insteadOf(i,
					fmt.Sprintf("Set size to at least %d.", had.Size.ValueInt64())))))
	}
}

// swapped returns what to do about a disc whose label was changed outside of Terraform, or "". A configuration that
// follows the labels gets the sizes wrong.
func (d *discDecision) swapped(had discModel) string {
	label, _ := d.seen.now(had)
	if cloudserver.SameLabel(label, had.Label.ValueString()) {
		return ""
	}
	return fmt.Sprintf("The label of this disc (ID %s) was changed outside of Terraform: "+
		"the service calls it %q now, and the block %q still means it. Leave the sizes of the blocks as they were.",
		had.ID.ValueString(), label, had.Label.ValueString())
}

// refuseAmbiguousAdoption refuses to guess whether a block renames a disc, or adopts a foreign disc while the other one
// would be purged.
func (d *discDecision) refuseAmbiguousAdoption(i int) {
	label, gone := d.blocks[i].Label, d.prior[i].Label
	d.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %s cannot be distinguished from disc %s", label, gone),
		fmt.Sprintf("The machine has a disc %s that no configuration managed until now. "+
			"The block with this label may be meant to adopt it, which would purge disc %s, or to rename disc %[2]s, "+
			"which the service refuses while the label is taken. "+
			"To adopt disc %[1]s, first add a block for it below the others. To rename disc %[2]s, choose a free label.", label, gone))
}

// refuseTooMany refuses more than eight discs, including those that stay without a block.
func (d *discDecision) refuseTooMany() {
	others := d.unclaimed()
	added := firstNew(d.planned)
	count := len(d.planned) + len(others)
	if added < 0 || count <= maxDiscs {
		return
	}
	label := d.planned[added].Label.ValueString()
	d.refused.AddAttributeError(discPath(added, ""), fmt.Sprintf("Cannot add disc %q", label),
		fmt.Sprintf("A machine has at most %d discs, and this one would have %d: the %d of the configuration, and those that no configuration manages: %s. "+
			"Remove the block of %q or another one; or move or purge a disc that no configuration manages.",
			maxDiscs, count, len(d.planned), tfkit.Quoted(labels(others)), label))
}

// refuseUnseen refuses to guess if several labels have changed and no refresh has seen the discs: the blocks may mean
// the same discs under other labels, which would be purged.
func (d *discDecision) refuseUnseen() {
	added, lost := firstNew(d.planned), d.lost()
	if d.seen != nil || d.imported || len(d.prior) < twoLabels || added < 0 || len(lost) == 0 {
		return
	}
	d.refused.AddAttributeError(discPath(added, "label"), "Cannot tell the discs of "+d.machine.Title+" apart",
		fmt.Sprintf("The configuration has a new disc %q, and no block for %s. "+
			"Whether these are the same discs under other labels is not known: no refresh has compared the state with the service. "+
			"Run plan without -refresh=false.",
			d.planned[added].Label.ValueString(), tfkit.Quoted(labels(lost))))
}

// firstNew returns the index of the first disc to be added, or -1.
func firstNew(planned []discModel) int {
	return slices.IndexFunc(planned, func(disc discModel) bool { return disc.ID.IsUnknown() })
}

// refuseWantedLabels refuses to purge a disc that has, at the service, the label of a configured block, because
// somebody swapped the labels of two discs.
func (d *discDecision) refuseWantedLabels() {
	if d.imported { // nothing is purged
		return
	}
	for _, lost := range d.lost() {
		label, _ := d.seen.now(lost)
		if why := labelWanted(lost, label, d.planned); why != "" {
			d.refused.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", lost.Label.ValueString(), d.machine.Title), why)
		}
	}
}

// labelWanted returns why a disc must not be purged if its current label is that of a planned disc, or "".
func labelWanted(purged discModel, label string, planned []discModel) string {
	wanted, ok := firstDisc(
		planned, func(d discModel) bool { return cloudserver.SameLabel(label, d.Label.ValueString()) },
	)
	if !ok {
		return ""
	}
	means := "a new disc"
	if tfkit.Given(wanted.ID) {
		means = "disc " + wanted.ID.ValueString()
	}
	return fmt.Sprintf("The configuration has no disc %q, so disc %s would be purged. "+
		"But the service calls that disc %q now, because it was renamed outside of Terraform. "+
		"The configuration has a block with this label, which means %s, and may be meant for either. "+
		"To purge disc %[2]s all the same, apply another label for that block first, alone.",
		purged.Label.ValueString(), purged.ID.ValueString(), label, means)
}

// refuseOtherBootDisc keeps the machine bootable: its first disc must stay first.
func (d *discDecision) refuseOtherBootDisc(means []int) {
	if len(d.prior) == 0 || len(means) > 0 && means[0] == 0 {
		return
	}
	boot := d.prior[0].Label.ValueString()
	if d.imported {
		d.refused.AddAttributeError(path.Root("disc"), "The imported machine has discs that the configuration lacks",
			fmt.Sprintf("The machine boots from its first disc, %q, so the first disc block must describe it. Add this block:\n\n%s\n\n%s",
				boot, blockAsIs(d.prior[0]), d.leftAlone()))
		return
	}
	d.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc",
		fmt.Sprintf("The machine boots from its first disc, %q, and the configuration does not begin with it. Put %[1]q first. "+
			"To create the machine again with the other disc, and lose all its discs and their backups, %[2]s.", boot, d.replaceAdvice()))
}

// blockAsIs returns the block that describes a disc as it is.
func blockAsIs(d discModel) string {
	return fmt.Sprintf("disc {\n  label         = %q\n  size          = %d\n  storage_grade = %q\n}",
		d.Label.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString())
}

// leftAlone returns the sentence about the discs other than the first.
func (d *discDecision) leftAlone() string {
	if len(d.prior) == 1 {
		return ""
	}
	return "Its other discs are left alone until they have a block: " + listDiscs(d.prior[1:], d.seen.describe) + "."
}

// insteadOf explains what to do about a size or grade that a disc cannot get: keep the one that it has, or get another
// one by way of another disc. That loses data only for the boot disc, which no other disc can replace. The blocks of a
// machine that was just imported may be wrong, so there only the discs are listed, and nothing is lost.
func (d *discDecision) insteadOf(i int, keep string) string {
	switch {
	case d.imported:
		return fmt.Sprintf("The machine was imported with these discs: %s. "+
			"Correct the disc blocks so that each describes one of them: label, size and storage_grade.",
			listDiscs(d.prior, d.seen.describe))
	case i == 0:
		return keep + " To create the machine again, and lose all its discs and their backups, " + d.replaceAdvice() + "."
	default:
		return keep + " Or add a disc with another label, copy the data, and then remove this disc."
	}
}

// replaceAdvice explains how to replace a machine whose plan is an error. -replace does not help, because Terraform
// plans the change first, and the change is the error. A protected machine needs an apply before that which lifts the
// protection. That apply must not meet the same error, so it keeps the disc blocks as they were.
func (d *discDecision) replaceAdvice() string {
	const destroy = "destroy the machine with `terraform destroy -refresh=false -target=ADDRESS`, where ADDRESS is that of this resource, and apply"
	if !d.protected {
		return destroy
	}
	return "first apply deletion_protection = false with the disc blocks as before: " +
		"after a change outside of Terraform, with `terraform apply -refresh=false`. Then " + destroy
}

// howToRename tells a rename from a purge, which look alike.
const howToRename = "To rename a disc, change only its label, at the same position, and one label in one apply"

// warn names the discs that are or may be purged, and those that enter or leave the state without a request.
func (d *discDecision) warn() {
	machine, at := d.machine.Title, path.Root("disc")
	if len(d.undecided) > 0 {
		d.warned.AddAttributeWarning(at, tfkit.Summary("Discs may be purged", tfkit.Quoted(labels(d.undecided))),
			fmt.Sprintf("Which discs the configuration wants for %s depends on something that is not applied yet. "+
				"The apply keeps those that it wants and purges the others, and their data and backups are lost: it decides about %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", machine, tfkit.Quoted(labels(d.undecided))))
	}
	if len(d.change.purge) > 0 {
		d.warned.AddAttributeWarning(at, tfkit.Summary("Discs will be purged", tfkit.Quoted(labels(d.change.purge))),
			fmt.Sprintf("The configuration of %s has no block for these discs, so they are purged, and their data and backups are lost: %s. The other discs stay. "+
				"To keep one, add a block for it. %s.", machine, listDiscs(d.change.purge, d.seen.describe), howToRename))
	}
	if len(d.change.moved) > 0 {
		d.warned.AddAttributeWarning(at, "Discs of the machine leave the state",
			fmt.Sprintf("The configuration of %s has no block for these discs, which are on other machines: %s. Nothing is sent, and their data stays.", machine,
				listDiscs(d.change.moved, func(moved discModel) string {
					return fmt.Sprintf("%q (ID %s, on virtual machine %s)", moved.Label.ValueString(), moved.ID.ValueString(), d.seen.movedTo(moved))
				})))
	}
	if len(d.change.released) > 0 {
		d.warned.AddAttributeWarning(at, "Discs of the machine are left alone",
			fmt.Sprintf("The %s was imported, and the configuration has no block for these discs: %s. "+
				"They stay on the machine and leave the state. To manage one, add a disc block with its label and size.",
				machine, listDiscs(d.change.released, d.seen.describe)))
	}
	if len(d.change.adopted) > 0 {
		d.warned.AddAttributeWarning(at, "Discs of the machine are managed from now on",
			fmt.Sprintf("These discs were put on %s outside of this configuration, and it has blocks for them now: %s. Their data stays.",
				machine, listDiscs(d.change.adopted, d.seen.describe)))
	}
}

// warnForeign warns of foreign discs that no block adopts.
func (d *discDecision) warnForeign(m *model, diags *diag.Diagnostics) {
	foreign := d.unclaimed()
	if len(foreign) == 0 {
		return
	}
	lost := "Destroying or replacing the machine destroys them as well, with their backups."
	if !m.mayPurge() {
		lost = "Destroying or replacing the machine soft-deletes them with it."
	}
	adopts := "A disc block with the label and the size of one adopts it, and the plan says so; without one, it is left alone."
	taken := slices.DeleteFunc(d.seen.moved(d.prior), func(moved discModel) bool {
		return !slices.ContainsFunc(foreign, func(disc discModel) bool { return sameLabel(moved.Label, disc.Label) })
	})
	if len(taken) > 0 {
		adopts = "Without a disc block, one is left alone. " +
			"No block adopts it while the state has another disc of its label, which is on another machine: " + tfkit.Quoted(labels(taken)) + "."
	}
	diags.AddAttributeWarning(path.Root("disc"), "The machine has discs that are not in the state",
		fmt.Sprintf("The state of %s lacks these discs, which are on it: %s. %s %s", m.title(), listDiscs(foreign, d.seen.describe), adopts, lost))
}

// listDiscs lists discs for a message.
func listDiscs(discs []discModel, describe func(discModel) string) string {
	return strings.Join(mapped(discs, describe), ", ")
}
