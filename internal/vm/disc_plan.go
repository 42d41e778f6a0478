package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discPlan is what a plan shows of a machine's discs, and what it refuses. What
// an update does follows from the planned ids alone (change.go).
type discPlan struct {
	state   []discModel
	private private
	known   bool // which discs are wanted is known
	planned []discModel
	refused diag.Diagnostics
}

// planDiscs decides which disc each block means: one in the state, a foreign one
// that the block adopts, or a new one. What the service calls a disc, and its grade, is
// in the private state since the last look: a request could fail now, and the plan that
// the apply makes would decide otherwise.
func planDiscs(state, config *model, p private) discPlan {
	wanted := config.discs()
	plan := discPlan{state: state.discs(), private: p, known: config.knowsDiscs()}
	matched := plan.match(wanted)
	for i, disc := range wanted {
		plan.planned = append(plan.planned, plan.block(i, disc, matched))
	}
	if plan.known { // else by the plan that the apply makes
		plan.refuseOtherBootDisc(matched)
		plan.refuseTooMany()
		plan.refuseUncompared(state)
		plan.refuseWantedLabels(state)
	}
	return plan
}

// block plans the disc of one block.
func (p *discPlan) block(i int, disc discModel, matched map[int]int) discModel {
	label := disc.Label.ValueString()
	if from, ok := matched[i]; ok {
		p.refuseMoved(i, p.state[from], disc)
		return p.keep(i, p.state[from], disc)
	}
	if foreign, ok := p.private.foreign(disc.Label, p.known); ok {
		return p.keep(i, foreign, disc)
	}
	refuseDigits(i, types.StringNull(), disc, &p.refused)
	if owner, ok := p.managedAs(disc.Label); ok && p.known {
		p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is already managed as %q", label, owner.Label.ValueString()),
			fmt.Sprintf("The disc that the service calls %q (ID %s) is the one of the block with the label %q: it was renamed outside of Terraform. "+
				"Change the label of that block to %q, and remove this one; or choose another label for this one.", label, owner.ID.ValueString(), owner.Label.ValueString(), label))
	}
	return disc.new()
}

// refuseMoved refuses a block whose disc is on another machine: no empty disc takes its
// place, and no other one that has its label here, as after an exchange.
func (p *discPlan) refuseMoved(i int, had, wanted discModel) {
	moved, ok := p.private.movedTo(had)
	if !ok {
		return
	}
	other := ""
	if foreign, ok := p.private.foreign(wanted.Label, p.known); ok {
		other = fmt.Sprintf(" The disc with this label that is on the machine now (ID %s) is another one.", foreign.ID.ValueString())
	}
	p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is on another machine", had.Label.ValueString()),
		fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No empty disc is added instead.%s Move it back, as the guide Backups and restore shows. "+
			"Or remove this block, and adopt the disc on the other machine with a block of the same label; after that apply a new disc can have this label here.",
			had.Label.ValueString(), moved.ID, moved.Machine, other))
}

// match maps positions in the configuration to positions in the state: by the
// label; by a label that the service may have normalised; by the label that the
// disc has now; and one renamed disc by its position. While a label is unknown, it
// may turn out to be any other, so only equal labels count.
func (p *discPlan) match(wanted []discModel) map[int]int {
	same := []func(had, disc discModel) bool{
		func(had, disc discModel) bool { return had.Label.Equal(disc.Label) },
		func(had, disc discModel) bool { return sameLabel(had.Label, disc.Label) },
		func(had, disc discModel) bool {
			owner, ok := p.managedAs(disc.Label)
			return ok && owner.ID.Equal(had.ID)
		},
	}
	if !p.known {
		same = same[:1]
	}
	matched, taken := map[int]int{}, make([]bool, len(p.state))
	for _, same := range same {
		for i, disc := range wanted {
			for from, had := range p.state {
				if _, done := matched[i]; !done && !taken[from] && same(had, disc) {
					matched[i], taken[from] = from, true
				}
			}
		}
	}
	if i, ok := p.renamed(wanted, matched, taken); ok {
		matched[i] = i
	}
	return matched
}

// managedAs returns the disc of the state that the service has under the label,
// because somebody else gave it that label.
func (p *discPlan) managedAs(label types.String) (owner discModel, ok bool) {
	if _, foreign := p.private.foreign(label, p.known); foreign {
		return discModel{}, false
	}
	return firstDisc(p.state, func(d discModel) bool {
		return cloudserver.SameLabel(p.private.reported(d).Label, label.ValueString()) && !sameLabel(d.Label, label)
	})
}

// renamed returns the position at which only the label has changed: one label of
// the state is gone, and one is new among as many blocks. Others may follow. The
// grade is the same and the size not smaller, because a rename never costs data.
func (p *discPlan) renamed(wanted []discModel, matched map[int]int, taken []bool) (index int, ok bool) {
	changed, count := -1, 0
	for i := range min(len(wanted), len(p.state)) {
		if _, ok := matched[i]; !ok {
			changed, count = i, count+1
		}
	}
	if !p.known || count != 1 || len(matched) != len(p.state)-1 || taken[changed] {
		return 0, false
	}
	had, disc := p.state[changed], wanted[changed]
	sameGrade := disc.StorageGrade.IsNull() || disc.StorageGrade.Equal(had.StorageGrade)
	if !sameGrade || !tfkit.Given(disc.Size) || disc.Size.ValueInt64() < had.Size.ValueInt64() {
		return 0, false
	}
	if _, foreign := p.private.foreign(disc.Label, p.known); foreign {
		p.refuseAmbiguousAdoption(changed, disc.Label, had.Label)
		return 0, false
	}
	return changed, true
}

// keep carries over what is known of a disc that stays.
func (p *discPlan) keep(i int, had, wanted discModel) discModel {
	wanted.ID = had.ID
	if wanted.StorageGrade.IsNull() {
		wanted.StorageGrade = had.StorageGrade
	}
	at := path.Root("disc").AtListIndex(i)
	if grade := p.private.reported(had).Grade; differs(had.StorageGrade, wanted.StorageGrade) && grade != wanted.StorageGrade.ValueString() {
		p.refused.AddAttributeError(at.AtName("storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. Set storage_grade = %q again. %s",
				had.Label.ValueString(), grade, wanted.StorageGrade.ValueString(), had.StorageGrade.ValueString(), instead(i)))
	}
	if tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() < had.Size.ValueInt64() {
		p.refused.AddAttributeError(at.AtName("size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. The service cannot shrink a disc. Set size to at least %d. %s",
				had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(), had.Size.ValueInt64(), instead(i)))
	}
	refuseDigits(i, had.Label, wanted, &p.refused)
	return wanted
}

// new returns a configured disc as the plan of its creation shows it.
func (d discModel) new() discModel {
	d.ID = types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

// refuseAmbiguousAdoption refuses to guess where one block may mean a rename of
// a disc, or a foreign disc in place of one that would then be purged.
func (p *discPlan) refuseAmbiguousAdoption(i int, label, gone types.String) {
	p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %s cannot be distinguished from disc %s", label, gone),
		fmt.Sprintf("The machine has a disc %s that no configuration managed until now. The block with this label may be meant to adopt it, which would purge disc %s, or to rename disc %[2]s, which the service refuses while the label is taken. "+
			"To adopt disc %[1]s, first add a block for it below the others. To rename disc %[2]s, choose a free label.", label, gone))
}

// refuseTooMany counts the discs that stay although no block describes them.
func (p *discPlan) refuseTooMany() {
	others := slices.DeleteFunc(p.private.foreignDiscs(), func(d discModel) bool {
		_, adopted := discWithID(p.planned, d.ID)
		return adopted
	})
	added := slices.IndexFunc(p.planned, func(d discModel) bool { return d.ID.IsUnknown() })
	count := len(p.planned) + len(others)
	if added < 0 || count <= maxDiscs {
		return
	}
	label := p.planned[added].Label.ValueString()
	p.refused.AddAttributeError(path.Root("disc").AtListIndex(added), fmt.Sprintf("Cannot add disc %q", label),
		fmt.Sprintf("A machine has at most %d discs, and this one would have %d: the %d of the configuration, and those that no configuration manages: %s. "+
			"Remove the block of %q or another one; or move or purge a disc that no configuration manages.",
			maxDiscs, count, len(p.planned), tfkit.Quoted(labels(others)), label))
}

// present returns the discs of the state that are not on another machine.
func (p *discPlan) present() []discModel {
	return slices.DeleteFunc(slices.Clone(p.state), func(d discModel) bool {
		_, moved := p.private.movedTo(d)
		return moved
	})
}

// lost returns those that no block means.
func (p *discPlan) lost() []discModel {
	return slices.DeleteFunc(p.present(), func(d discModel) bool {
		_, kept := discWithID(p.planned, d.ID)
		return kept
	})
}

// refuseUncompared refuses to guess where several labels have changed and nobody has
// looked what the service calls the discs: they may be the same discs under other labels,
// and would be purged.
func (p *discPlan) refuseUncompared(state *model) {
	added, lost := firstNew(p.planned), p.lost()
	if p.private.Compared || p.private.Adopted || len(p.state) < twoLabels || added < 0 || len(lost) == 0 {
		return
	}
	p.refused.AddAttributeError(discPath(added, "label"), "Cannot tell the discs of "+state.title()+" apart",
		fmt.Sprintf("The configuration has a new disc %q, and no block for %s. Whether these are the same discs under other labels is not known: no refresh has compared the state with the service. Run plan without -refresh=false.",
			p.planned[added].Label.ValueString(), tfkit.Quoted(labels(lost))))
}

// firstNew returns the index of the first disc that is added, -1 if none is.
func firstNew(planned []discModel) int {
	return slices.IndexFunc(planned, func(d discModel) bool { return d.ID.IsUnknown() })
}

// refuseWantedLabels refuses to purge a disc that the service calls as a block of the
// configuration is labelled, because two discs have exchanged their labels.
func (p *discPlan) refuseWantedLabels(state *model) {
	if p.private.Adopted { // nothing is purged
		return
	}
	for _, d := range p.lost() {
		if why := labelWanted(d, p.private.reported(d).Label, p.planned); why != "" {
			p.refused.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", d.Label.ValueString(), state.title()), why)
		}
	}
}

// labelWanted returns why a disc is not purged that the service calls as a planned one is
// labelled, "" if none is.
func labelWanted(purged discModel, label string, planned []discModel) string {
	wanted, ok := firstDisc(planned, func(d discModel) bool { return cloudserver.SameLabel(label, d.Label.ValueString()) })
	if !ok {
		return ""
	}
	means := "a new disc"
	if tfkit.Given(wanted.ID) {
		means = "disc " + wanted.ID.ValueString()
	}
	return fmt.Sprintf("The configuration has no disc %q, so disc %s would be purged. But the service calls that disc %q now, because it was renamed outside of Terraform. "+
		"The configuration has a block with this label, which means %s, and may be meant for either. To purge disc %[2]s all the same, apply another label for that block first, alone.",
		purged.Label.ValueString(), purged.ID.ValueString(), label, means)
}

// refuseOtherBootDisc keeps the machine bootable: its first disc stays first.
func (p *discPlan) refuseOtherBootDisc(matched map[int]int) {
	if from, ok := matched[0]; len(p.state) == 0 || ok && from == 0 {
		return
	}
	boot := p.state[0].Label.ValueString()
	if p.private.Adopted {
		p.refused.AddAttributeError(path.Root("disc"), "The imported machine has discs that the configuration lacks",
			fmt.Sprintf("The machine boots from its first disc, %q, so the first disc block must describe it. Add these blocks:\n\n%s\n\nA disc other than the first that has no block is left alone.", boot, discBlocks(p.state)))
		return
	}
	p.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc",
		fmt.Sprintf("The machine boots from its first disc, %q, and the configuration does not begin with it. Put %[1]q first again. To create the machine again with the other disc, and lose all its discs and their backups, %[2]s.", boot, anew))
}

// discBlocks returns the blocks that describe the discs as they are.
func discBlocks(discs []discModel) string {
	return strings.Join(mapped(discs, func(d discModel) string {
		return fmt.Sprintf("disc {\n  label         = %q\n  size          = %d\n  storage_grade = %q\n}", d.Label.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString())
	}), "\n")
}

// instead names the way to another size or grade. Only for the boot disc, which no
// other disc can replace, it loses data.
func instead(i int) string {
	if i == 0 {
		return "To create the machine again, and lose all its discs and their backups, " + anew + "."
	}
	return "Or add a disc with another label, copy the data, and then remove this disc."
}

// anew is how to replace a machine in spite of an error: Terraform plans the change
// of the old machine also with -replace.
const anew = "destroy the machine with `terraform destroy -refresh=false -target=ADDRESS`, where ADDRESS is that of this resource, and apply"

// warnUnknown names the discs that an update may purge.
func (u *updatePlan) warnUnknown(diags *diag.Diagnostics) {
	undecided := u.discs.lost()
	if !u.discs.known && len(undecided) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The discs of "+u.state.title()+" are not known yet",
			fmt.Sprintf("Which discs the configuration wants depends on something that is not applied yet. The apply keeps those that it wants and purges the others, and their data and backups are lost: it decides about %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", tfkit.Quoted(labels(undecided))))
	}
}

func (u *updatePlan) warnDiscs(diags *diag.Diagnostics) {
	for _, disc := range u.change.discs.purge {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s will be purged", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The configuration has no disc %q, so the disc (ID %s, %d megabytes, %s%s) is purged, and its data and backups are lost. The other discs stay. "+
				"To keep it, add a block for it. To rename a disc, change only its label, at the same position.",
				disc.Label.ValueString(), disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString(), u.private.calledOtherwise(disc)))
	}
	for _, disc := range u.change.discs.moved {
		moved, _ := u.private.movedTo(disc)
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s leaves the state", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The configuration has no disc %q, and the disc (ID %s) is on virtual machine %s. Nothing is sent, and its data stays.", disc.Label.ValueString(), moved.ID, moved.Machine))
	}
	for _, disc := range u.change.discs.released {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is left alone", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The machine was imported and the configuration has no disc %q. The disc stays on the machine and leaves the state. To manage it, add a disc block with this label and size = %d.", disc.Label.ValueString(), disc.Size.ValueInt64()))
	}
	for _, disc := range u.change.discs.adopted {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s is managed from now on", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The disc (ID %s) was put on the machine by somebody else, and the configuration now has a block for it. Its data stays.", disc.ID.ValueString()))
	}
}

// noteDiscs notes which discs an update adds and purges, for the plans of other machines:
// a disc that another machine has in its state, too, may be on its way back, and a block
// that moves to another machine does not move its disc.
func (u *updatePlan) noteDiscs(r *vmResource, diags *diag.Diagnostics) {
	machine := u.state.title()
	for _, disc := range u.change.discs.purge {
		remembered, added := r.Data.Notes.PurgeDisc(disc.object(), disc.Label.ValueString(), machine)
		if remembered != "" {
			refuseRemembered(disc, machine, remembered, diags)
		}
		r.warnMovedBlock(disc.Label.ValueString(), machine, added, diags)
	}
	for _, d := range u.change.discs.add {
		r.noteNewDisc(d.disc, machine, diags)
	}
}

// noteNewDisc notes that a plan adds a disc.
func (r *vmResource) noteNewDisc(disc discModel, machine string, diags *diag.Diagnostics) {
	if label := disc.Label.ValueString(); tfkit.Given(disc.Label) {
		r.warnMovedBlock(label, r.Data.Notes.AddDisc(label, machine), machine, diags)
	}
}

// refuseRemembered refuses to purge a disc that another machine has in its state.
func refuseRemembered(disc discModel, from, remembered string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", disc.Label.ValueString(), from),
		fmt.Sprintf("The disc (ID %s) was moved there from %s, which still has it in the state: it may be on its way back. To move it back, keep its block of %[3]s for now, and move the disc as the guide Backups and restore shows. "+
			"To purge it, first apply %[2]s without its block of the disc, with -target.", disc.ID.ValueString(), remembered, from))
}

// warnMovedBlock warns of a disc that is purged from one machine while another gets an
// empty one of the same label.
func (r *vmResource) warnMovedBlock(label, from, to string, diags *diag.Diagnostics) {
	if from != "" && to != "" {
		diags.AddAttributeWarning(path.Root("disc"), "A disc is purged, and another machine gets an empty one of the same label",
			r.Data.Notes.Explain(fmt.Sprintf("Disc %q of %s is purged, and %s gets a new disc %[1]q, which is empty.", label, from, to),
				"A block that moves to another machine does not move its disc. To move the disc with its data, leave the configuration as it was, and use the action cloudserver_disc_move first, as its page shows."))
	}
}

// warnNoDiscs: the service's public client never creates such a machine.
func warnNoDiscs(plan *model, diags *diag.Diagnostics) {
	if !plan.Disc.IsUnknown() && len(plan.Disc.Elements()) == 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The new machine has no disc",
			"The service may refuse to create "+plan.title()+" without a disc. Add a disc block.")
	}
}

// warnBootDisc warns where the first disc becomes the boot disc, and another one has
// the label of a boot disc.
func warnBootDisc(plan *model, discs []discModel, diags *diag.Diagnostics) {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 1 || discs[0].Label.IsUnknown() {
		return
	}
	diags.AddAttributeWarning(path.Root("disc").AtListIndex(0).AtName("label"), fmt.Sprintf("Disc %q becomes the boot disc of the new machine", discs[0].Label.ValueString()),
		fmt.Sprintf("The first disc block is the boot disc, on which the image is installed. The configuration of %s puts %q first, and %q further down. "+
			"If %q is meant to be the boot disc, put its block first. A dynamic block over a map is sorted by key: use a list.",
			plan.title(), discs[0].Label.ValueString(), discs[boot].Label.ValueString(), discs[boot].Label.ValueString()))
}
