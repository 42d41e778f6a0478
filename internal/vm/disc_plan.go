// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discFacts is what a decision about a machine's discs depends on.
type discFacts struct {
	machine     string      // its title in messages
	prior       []discModel // of the state; the first is the boot disc
	blocks      []discModel // of the configuration
	labelsKnown bool        // the list of blocks and all their labels are known
	private     private
	shown       []cloudserver.Disc // by the machine; nil: it was not asked, or has not answered
}

// discFacts returns what the plan of an update knows of the discs.
func (p *proposal) discFacts(shown []cloudserver.Disc) discFacts {
	return discFacts{
		machine: p.state.title(), prior: p.state.discs(), blocks: p.config.discs(), labelsKnown: p.config.knowsDiscs(),
		private: p.private, shown: shown,
	}
}

// discDecision is what a plan shows of a machine's discs, and what becomes of each.
type discDecision struct {
	discFacts
	planned   []discModel // the disc of each block
	change    discChange  // nothing while a label is unknown
	undecided []discModel // the apply decides whether they are purged, because a label is unknown
	regraded  bool        // a block has another grade than its disc in the state
	refused   diag.Diagnostics
	warned    diag.Diagnostics
}

// needsMachine reports whether the decision depends on what the machine shows: the service's label of a disc that would
// be purged, or its grade of a disc.
func (d *discDecision) needsMachine() bool { return len(d.change.purge) > 0 || d.regraded }

// decideDiscs decides which disc each block means, and what becomes of the discs that none means.
func decideDiscs(facts discFacts) discDecision {
	d := discDecision{discFacts: facts}
	means := matchLabels(d.prior, d.blocks, d.labelsKnown)
	appeared, vanished := d.rename(means)
	for i, block := range d.blocks {
		d.planned = append(d.planned, d.plan(i, block, means[i]))
	}
	if d.labelsKnown {
		d.change = changeDiscs(d.prior, d.planned, d.private)
		d.refuseOtherBootDisc(means)
		if !d.refuseWantedLabels() {
			d.refuseRename(appeared, vanished)
		}
	} else {
		d.undecided = without(d.prior, d.planned)
	}
	d.warn()
	return d
}

// none is the position of a disc that is not in the state.
const none = -1

// matchLabels returns for each block the position in the state of the disc with its label, or none. Exact labels match
// first, and then those that differ in case only, unless an unknown label may still turn out to be one of them.
func matchLabels(prior, blocks []discModel, labelsKnown bool) []int {
	means := slices.Repeat([]int{none}, len(blocks))
	match := func(like func(a, b types.String) bool) {
		for i, block := range blocks {
			at := slices.IndexFunc(prior, func(had discModel) bool { return like(had.Label, block.Label) })
			if means[i] == none && at >= 0 && !slices.Contains(means, at) {
				means[i] = at
			}
		}
	}
	match(func(a, b types.String) bool { return a.Equal(b) })
	if labelsKnown {
		match(sameLabel)
	}
	return means
}

// fits reports whether the block can mean the disc: a rename never costs data, so the grade must be the same, and the size
// not smaller. An unknown value fits.
func (d discModel) fits(had discModel) bool {
	sameGrade := !tfkit.Given(d.StorageGrade) || d.StorageGrade.Equal(had.StorageGrade)
	return sameGrade && (d.Size.IsUnknown() || d.Size.ValueInt64() >= had.Size.ValueInt64())
}

// rename lets each block whose label is new mean the disc at its own position, if that is all that has changed: the
// number of blocks is the same, every other label is where it was, and each disc fits. Otherwise a disc whose label has
// vanished may be meant to have one of the new labels, and is not purged for it.
//
// It returns the positions of the other blocks whose labels have appeared, and of the discs whose labels have vanished.
func (d *discDecision) rename(means []int) (appeared, vanished []int) {
	if !d.labelsKnown { // the unknown label may turn out to be that of the disc
		return nil, nil
	}
	for i := range d.blocks {
		if _, isUnmanaged := d.unmanagedWith(d.blocks[i].Label); means[i] == none && !isUnmanaged {
			appeared = append(appeared, i)
		}
	}
	for at, had := range d.prior {
		if tfkit.Given(had.ID) && !slices.Contains(means, at) { // one without an ID is not there any more
			vanished = append(vanished, at)
		}
	}
	d.refuseAmbiguousAdoption(means, vanished)
	if !d.isPlainRename(means, appeared, vanished) {
		return appeared, vanished
	}
	for _, i := range appeared {
		means[i] = i
	}
	return nil, nil
}

// isPlainRename reports whether only labels have changed.
func (d *discDecision) isPlainRename(means, appeared, vanished []int) bool {
	if len(d.blocks) != len(d.prior) || !slices.Equal(appeared, vanished) {
		return false
	}
	for i, at := range means {
		if at != i && (at != none || slices.Contains(appeared, i) && !d.blocks[i].fits(d.prior[i])) {
			return false
		}
	}
	return true
}

// refuseRename refuses a plan in which a disc would be purged that a new block may mean. The discs of an imported machine
// are not purged.
func (d *discDecision) refuseRename(appeared, vanished []int) {
	if d.private.From == imported {
		return
	}
	for _, i := range appeared {
		for _, at := range vanished {
			if !d.blocks[i].fits(d.prior[at]) {
				continue
			}
			d.refused.AddAttributeError(discPath(i, "label"),
				fmt.Sprintf("Cannot tell whether disc %s of %s is renamed or purged", d.prior[at].Label, d.machine),
				fmt.Sprintf("The configuration has no disc %s any more, and the block %s could be that disc under another "+
					"label, or a new one. To rename the disc, change its label alone, in an apply of its own. "+
					"To replace it by an empty disc, remove its block in one apply, and add the new block in the next.",
					d.prior[at].Label, d.blocks[i].Label))
			return
		}
	}
}

// unmanagedWith returns the unmanaged disc that a block with this label adopts: the one with exactly this label or, if
// no label is unknown, with one that differs in case only.
func (d *discDecision) unmanagedWith(label types.String) (found discModel, ok bool) {
	unmanaged := d.private.unmanaged()
	found, ok = firstDisc(unmanaged, func(u discModel) bool { return u.Label.Equal(label) })
	if !ok && d.labelsKnown {
		found, ok = firstDisc(unmanaged, func(u discModel) bool { return sameLabel(u.Label, label) })
	}
	return found, ok
}

// plan returns the disc of a block: one of the state, an unmanaged one that the block adopts, or a new one.
func (d *discDecision) plan(i int, block discModel, at int) discModel {
	if at != none && tfkit.Given(d.prior[at].ID) {
		return d.keep(i, d.prior[at], block)
	}
	if unmanaged, ok := d.unmanagedWith(block.Label); ok {
		return d.keep(i, unmanaged, block)
	}
	tfkit.RefuseDigits(types.StringNull(), block.Label, discPath(i, "label"), "disc", &d.refused)
	return block.asNew()
}

// keep returns the block with what is known about its disc, which stays.
func (d *discDecision) keep(i int, had, block discModel) discModel {
	block.ID = had.ID
	if block.StorageGrade.IsNull() {
		block.StorageGrade = had.StorageGrade
	}
	d.refuseGrade(i, had, block)
	d.refuseShrinking(i, had, block)
	tfkit.RefuseDigits(had.Label, block.Label, discPath(i, "label"), "disc", &d.refused)
	return block
}

// asNew returns a configured disc in the form in which the plan of its creation shows it.
func (d discModel) asNew() discModel {
	d.ID = types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

// refuseGrade refuses another grade than the disc has, in the state and at the service.
func (d *discDecision) refuseGrade(i int, had, block discModel) {
	if !differs(had.StorageGrade, block.StorageGrade) {
		return
	}
	d.regraded = true
	if now := findDisc(had, d.shown); now != nil && reportedGrade(*now) == block.StorageGrade.ValueString() {
		return
	}
	d.refused.AddAttributeError(discPath(i, "storage_grade"),
		"Cannot change the storage grade of disc "+had.Label.String(),
		fmt.Sprintf("The disc has the grade %s, the configuration asks for %s, "+
			"and the service cannot change the grade of a disc. ", had.StorageGrade, block.StorageGrade)+
			d.insteadOf(i, "storage_grade = "+had.StorageGrade.String()))
}

// refuseShrinking refuses a smaller size than the disc has, unless somebody else has grown it.
func (d *discDecision) refuseShrinking(i int, had, block discModel) {
	if !tfkit.Given(block.Size) || block.Size.ValueInt64() >= had.Size.ValueInt64() {
		return
	}
	if before, isGrown := d.private.Grown[had.ID.ValueString()]; isGrown && block.Size.ValueInt64() >= before {
		d.warned.AddAttributeWarning(discPath(i, "size"), fmt.Sprintf("Disc %s of %s was grown", had.Label, d.machine),
			fmt.Sprintf("The disc has %s megabytes, and the configuration asks for %s. The service cannot shrink a disc, "+
				"so nothing is sent. Set:\n\n  size = %[1]s", had.Size, block.Size))
		return
	}
	d.refused.AddAttributeError(discPath(i, "size"), "Cannot shrink disc "+had.Label.String(),
		fmt.Sprintf("The disc has %s megabytes, the configuration asks for %s, "+
			"and the service cannot shrink a disc. ", had.Size, block.Size)+
			d.insteadOf(i, "size = "+had.Size.String()))
}

// insteadOf explains what to do about a size or grade that a disc cannot get: write the line that it has, or get
// another disc. The blocks of a machine that was just imported may be wrong altogether.
func (d *discDecision) insteadOf(i int, line string) string {
	if d.private.From == imported {
		return fmt.Sprintf("The machine was imported with these discs: %s. "+
			"Correct the disc blocks so that each describes one of them: label, size and storage_grade.",
			listDiscs(d.prior))
	}
	text := fmt.Sprintf("Set:\n\n  %s\n\nOr ", line)
	if i > 0 {
		text += "add a disc with another label, copy the data, and then remove this disc; or "
	}
	return text + createAgain
}

// createAgain explains how to replace a machine whose plan is an error. -replace does not help, because Terraform plans
// the change first, and the change is the error.
const createAgain = "create the machine again, which loses all its discs and their backups: " +
	"`terraform destroy -refresh=false -target=ADDRESS`, where ADDRESS is that of this resource, and apply."

// refuseAmbiguousAdoption refuses to guess whether a block renames the disc at its position, or adopts an unmanaged one
// while the other would be purged.
func (d *discDecision) refuseAmbiguousAdoption(means, vanished []int) {
	for _, i := range vanished {
		if i >= len(d.blocks) || means[i] != none || !d.blocks[i].fits(d.prior[i]) {
			continue
		}
		label, had := d.blocks[i].Label, d.prior[i].Label
		if _, isUnmanaged := d.unmanagedWith(label); isUnmanaged {
			d.refused.AddAttributeError(discPath(i, "label"),
				fmt.Sprintf("Cannot distinguish disc %s from disc %s", label, had),
				fmt.Sprintf("The machine has an unmanaged disc %s. "+
					"The block may be meant to adopt it, or to rename disc %s. "+
					"To adopt disc %[1]s, first add a block for it below the others. "+
					"To rename disc %[2]s, choose another label.", label, had))
		}
	}
}

// refuseWantedLabels refuses to purge a disc that the service calls by the label of a block: somebody has renamed it,
// and the configuration may have followed.
func (d *discDecision) refuseWantedLabels() (refused bool) {
	for _, lost := range d.change.purge {
		now := findDisc(lost, d.shown)
		if now == nil {
			continue
		}
		at := slices.IndexFunc(d.planned, func(p discModel) bool {
			return cloudserver.SameLabel(now.Label, p.Label.ValueString())
		})
		if at < 0 {
			continue
		}
		d.refused.AddAttributeError(discPath(at, "label"),
			fmt.Sprintf("Cannot purge disc %s of %s", lost.Label, d.machine),
			fmt.Sprintf("The configuration has no disc %q, so disc %s would be purged. "+
				"But the service calls that disc %q now, and a block has this label. "+
				"To purge the disc all the same, first apply another label for that block, alone.",
				lost.Label.ValueString(), lost.ID.ValueString(), now.Label))
		refused = true
	}
	return refused
}

// refuseOtherBootDisc keeps the machine bootable: its first disc must stay first.
func (d *discDecision) refuseOtherBootDisc(means []int) {
	switch {
	case len(means) > 0 && means[0] == 0:
		return
	case len(d.prior) == 0 && (len(means) == 0 || d.private.From == imported):
		return
	case len(d.prior) == 0:
		d.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc",
			"The "+d.machine+" has no disc any more, and a new one would be empty. Move the disc back, or "+createAgain)
		return
	}
	boot := d.prior[0]
	if d.private.From == imported {
		d.refused.AddAttributeError(path.Root("disc"), "Cannot plan the discs of "+d.machine,
			fmt.Sprintf("The machine boots from its first disc, so the first block must describe it. Add:\n\n%s\n\n"+
				"Its discs are %s. Those without a block are left alone.", boot.block(), listDiscs(d.prior)))
		return
	}
	d.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc",
		fmt.Sprintf("The machine boots from its first disc, %s, and the configuration does not begin with it. "+
			"Put %[1]s first. Or ", boot.Label)+createAgain)
}

// block returns the block that describes a disc as it is.
func (d discModel) block() string {
	return fmt.Sprintf("disc {\n  label         = %q\n  size          = %d\n  storage_grade = %q\n}",
		d.Label.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString())
}

// warn names the discs that are or may be purged, and those that enter or leave the state without a request.
func (d *discDecision) warn() {
	for _, of := range []struct {
		discs         []discModel
		what, explain string
	}{
		{
			d.undecided, "Discs of " + d.machine + " may be purged",
			"A label is known only after apply. The apply purges those of these discs of %s that the configuration " +
				"then has no block for, with their data and backups: %s. To see what happens before it does, apply " +
				"first what the labels depend on, with -target.",
		},
		{
			d.change.purge, "Discs of " + d.machine + " will be purged",
			"The configuration of %s has no block for these discs, " +
				"so they are purged, and their data and backups are lost: %s. " +
				"To keep one, add a block for it. To rename one, change its label only, at the same position.",
		},
		{
			d.change.released, "Discs of the machine are left alone",
			"The %s was imported, and the configuration has no block for these discs: %s. They stay on the machine " +
				"and leave the state. To manage one, add a disc block with its label and size.",
		},
		{
			d.newlyManaged(), "Discs of the machine are managed from now on",
			"These discs were put on %s outside of this configuration, which has blocks for them now: %s. " +
				"Their data stays.",
		},
	} {
		if len(of.discs) > 0 {
			d.warned.AddAttributeWarning(path.Root("disc"), tfkit.Summary(of.what, tfkit.Quoted(labels(of.discs))),
				fmt.Sprintf(of.explain, d.machine, listDiscs(of.discs)))
		}
	}
}

// newlyManaged returns the adopted discs but for those that have taken the place of another: the refresh tells of them.
func (d *discDecision) newlyManaged() []discModel {
	return slices.DeleteFunc(slices.Clone(d.change.adopted), func(adopted discModel) bool {
		return slices.ContainsFunc(d.prior, func(had discModel) bool {
			return !tfkit.Given(had.ID) && sameLabel(had.Label, adopted.Label)
		})
	})
}

// warnBootDisc warns if the first disc becomes the boot disc although another one has a typical label of a boot disc.
func warnBootDisc(plan *model, diags *diag.Diagnostics) {
	discs := plan.discs()
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 1 || discs[0].Label.IsUnknown() {
		return
	}
	diags.AddAttributeWarning(discPath(0, "label"), "Another disc than the first has the label of a boot disc",
		fmt.Sprintf("The first disc block is the boot disc, on which the image is installed. "+
			"The configuration of %s puts %s first, and %s further down. "+
			"If %[3]s is meant to be the boot disc, put its block first.",
			plan.title(), discs[0].Label, discs[boot].Label))
}
