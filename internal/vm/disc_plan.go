package vm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discPlan is what a plan shows of a machine's discs, and what it refuses. What an update then does depends on the
// planned IDs alone (disc_apply.go).
type discPlan struct {
	data      *tfkit.ProviderData
	machine   string // its ID
	state     []discModel
	private   private
	protected bool // by the state, which refuses a destroy
	decided   bool // the configured list of discs and all its labels are known
	planned   []discModel
	refused   diag.Diagnostics
}

// planDiscs decides which disc each block means: one in the state, a foreign one that the block adopts, or a new one.
// Current labels and grades come from the private state, as of the last read: a request could fail now, and then the
// plan that the apply makes would decide differently.
func planDiscs(data *tfkit.ProviderData, state, config *model, p private) discPlan {
	wanted := config.discs()
	plan := discPlan{data: data, machine: state.ID.ValueString(), state: state.discs(), private: p, protected: state.DeletionProtection.ValueBool(), decided: config.knowsDiscs()}
	matched := plan.match(wanted)
	for i, disc := range wanted {
		plan.planned = append(plan.planned, plan.block(i, disc, matched))
	}
	if plan.decided { // otherwise the plan that the apply makes decides
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
	if foreign, ok := p.private.foreign(disc.Label, p.decided); ok {
		return p.keep(i, foreign, disc)
	}
	refuseDigits(i, types.StringNull(), disc, &p.refused)
	if owner, ok := p.managedAs(disc.Label); ok && p.decided {
		p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is already managed as %q", label, owner.Label.ValueString()),
			fmt.Sprintf("The disc that the service calls %q (ID %s) is the one of the block with the label %q: it was renamed outside of Terraform. "+
				"Change the label of that block to %q, and remove this one; or choose another label for this one.", label, owner.ID.ValueString(), owner.Label.ValueString(), label))
	}
	return disc.new()
}

// refuseMoved refuses a block whose disc is on another machine. Neither an empty disc takes its place, nor another disc
// that now has its label here, as after discs were swapped.
func (p *discPlan) refuseMoved(i int, had, wanted discModel) {
	moved, ok := p.private.movedTo(had)
	if !ok {
		return
	}
	other := ""
	if foreign, ok := p.private.foreign(wanted.Label, p.decided); ok {
		other = fmt.Sprintf(" The disc with this label that is on the machine now (ID %s) is another one.", foreign.ID.ValueString())
	}
	p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %q is on another machine", had.Label.ValueString()),
		fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No empty disc is added instead.%s Move it back %s. The next refresh finds it. "+
			"Or remove this block, and adopt the disc on the other machine with a block of the same label; after that apply a new disc can have this label here.",
			had.Label.ValueString(), moved.ID, moved.Machine, other,
			p.data.WithAction("disc_move", "virtual_machine_id="+moved.Machine, "disc_id="+moved.ID, "to="+p.machine)))
}

// match maps positions in the configuration to positions in the state: by the label, by a label that the service may
// have normalised, by the disc's current label, and for one renamed disc by position. While a label is unknown, it may
// turn out to be any other, so only equal labels match.
func (p *discPlan) match(wanted []discModel) map[int]int {
	same := []func(had, disc discModel) bool{
		func(had, disc discModel) bool { return had.Label.Equal(disc.Label) },
		func(had, disc discModel) bool { return sameLabel(had.Label, disc.Label) },
		func(had, disc discModel) bool {
			owner, ok := p.managedAs(disc.Label)
			return ok && owner.ID.Equal(had.ID)
		},
	}
	if !p.decided {
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

// managedAs returns the managed disc that has this label at the service, because somebody else gave it that label.
func (p *discPlan) managedAs(label types.String) (owner discModel, ok bool) {
	if _, foreign := p.private.foreign(label, p.decided); foreign {
		return discModel{}, false
	}
	return firstDisc(p.state, func(d discModel) bool {
		return cloudserver.SameLabel(p.private.reported(d).Label, label.ValueString()) && !sameLabel(d.Label, label)
	})
}

// renamed returns the position at which only the label has changed. That is so if, among the same number of blocks,
// exactly one label of the state is missing and one is new; more may be added at the end. The grade must be the same
// and the size not smaller, because a rename never costs data.
func (p *discPlan) renamed(wanted []discModel, matched map[int]int, taken []bool) (index int, ok bool) {
	changed, count := -1, 0
	for i := range min(len(wanted), len(p.state)) {
		if _, ok := matched[i]; !ok {
			changed, count = i, count+1
		}
	}
	if !p.decided || count != 1 || len(matched) != len(p.state)-1 || taken[changed] {
		return 0, false
	}
	had, disc := p.state[changed], wanted[changed]
	sameGrade := disc.StorageGrade.IsNull() || disc.StorageGrade.Equal(had.StorageGrade)
	if !sameGrade || !tfkit.Given(disc.Size) || disc.Size.ValueInt64() < had.Size.ValueInt64() {
		return 0, false
	}
	if _, foreign := p.private.foreign(disc.Label, p.decided); foreign {
		p.refuseAmbiguousAdoption(changed, disc.Label, had.Label)
		return 0, false
	}
	return changed, true
}

// keep carries over what is known about a disc that stays.
func (p *discPlan) keep(i int, had, wanted discModel) discModel {
	wanted.ID = had.ID
	if wanted.StorageGrade.IsNull() {
		wanted.StorageGrade = had.StorageGrade
	}
	at := path.Root("disc").AtListIndex(i)
	if grade := p.private.reported(had).Grade; differs(had.StorageGrade, wanted.StorageGrade) &&
		grade != wanted.StorageGrade.ValueString() {
		p.refused.AddAttributeError(at.AtName("storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. %s",
				had.Label.ValueString(), grade, wanted.StorageGrade.ValueString(),
				p.insteadOf(i, fmt.Sprintf("Set storage_grade = %q again.", had.StorageGrade.ValueString()))))
	}
	if tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() < had.Size.ValueInt64() {
		p.refused.AddAttributeError(at.AtName("size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. %s", had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(),
				cmp.Or(p.swapped(had), inGigabytes(wanted.Size.ValueInt64())+"The service cannot shrink a disc. "+p.insteadOf(i,
					fmt.Sprintf("Set size to at least %d.", had.Size.ValueInt64())))))
	}
	refuseDigits(i, had.Label, wanted, &p.refused)
	return wanted
}

// swapped returns what to do about a disc whose label was changed outside of Terraform, or "". A configuration that follows the
// labels gets the sizes wrong.
func (p *discPlan) swapped(had discModel) string {
	label := p.private.reported(had).Label
	if cloudserver.SameLabel(label, had.Label.ValueString()) {
		return ""
	}
	return fmt.Sprintf("The label of this disc (ID %s) was changed outside of Terraform: "+
		"the service calls it %q now, and the block %q still means it. Leave the sizes of the blocks as they were.",
		had.ID.ValueString(), label, had.Label.ValueString())
}

// new returns a configured disc in the form in which the plan of its creation shows it.
func (d discModel) new() discModel {
	d.ID = types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

// refuseAmbiguousAdoption refuses to guess whether a block renames a disc, or adopts a foreign disc while the other one
// would be purged.
func (p *discPlan) refuseAmbiguousAdoption(i int, label, gone types.String) {
	p.refused.AddAttributeError(discPath(i, "label"), fmt.Sprintf("Disc %s cannot be distinguished from disc %s", label, gone),
		fmt.Sprintf("The machine has a disc %s that no configuration managed until now. "+
			"The block with this label may be meant to adopt it, which would purge disc %s, or to rename disc %[2]s, "+
			"which the service refuses while the label is taken. "+
			"To adopt disc %[1]s, first add a block for it below the others. To rename disc %[2]s, choose a free label.", label, gone))
}

// refuseTooMany refuses more than eight discs, including those that stay without a block.
func (p *discPlan) refuseTooMany() {
	others := p.unclaimed()
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

// unclaimed returns the foreign discs that no block adopts.
func (p *discPlan) unclaimed() []discModel {
	return slices.DeleteFunc(p.private.foreignDiscs(), func(d discModel) bool {
		_, adopted := discWithID(p.planned, d.ID)
		return adopted
	})
}

// present returns the discs of the state that are not on another machine.
func (p *discPlan) present() []discModel {
	return slices.DeleteFunc(slices.Clone(p.state), func(d discModel) bool {
		_, moved := p.private.movedTo(d)
		return moved
	})
}

// lost returns the present discs that no block means.
func (p *discPlan) lost() []discModel {
	return slices.DeleteFunc(p.present(), func(d discModel) bool {
		_, kept := discWithID(p.planned, d.ID)
		return kept
	})
}

// refuseUncompared refuses to guess if several labels have changed and the state's labels were never compared with the
// service's: the blocks may mean the same discs under other labels, which would be purged.
func (p *discPlan) refuseUncompared(state *model) {
	added, lost := firstNew(p.planned), p.lost()
	if p.private.Compared || p.private.Adopted || len(p.state) < twoLabels || added < 0 || len(lost) == 0 {
		return
	}
	p.refused.AddAttributeError(discPath(added, "label"), "Cannot tell the discs of "+state.title()+" apart",
		fmt.Sprintf("The configuration has a new disc %q, and no block for %s. "+
			"Whether these are the same discs under other labels is not known: no refresh has compared the state with the service. "+
			"Run plan without -refresh=false.",
			p.planned[added].Label.ValueString(), tfkit.Quoted(labels(lost))))
}

// firstNew returns the index of the first disc to be added, or -1.
func firstNew(planned []discModel) int {
	return slices.IndexFunc(planned, func(d discModel) bool { return d.ID.IsUnknown() })
}

// refuseWantedLabels refuses to purge a disc that has, at the service, the label of a configured block, because
// somebody swapped the labels of two discs.
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
func (p *discPlan) refuseOtherBootDisc(matched map[int]int) {
	if from, ok := matched[0]; len(p.state) == 0 || ok && from == 0 {
		return
	}
	boot := p.state[0].Label.ValueString()
	if p.private.Adopted {
		p.refused.AddAttributeError(path.Root("disc"), "The imported machine has discs that the configuration lacks",
			fmt.Sprintf("The machine boots from its first disc, %q, so the first disc block must describe it. Add this block:\n\n%s\n\n%s",
				boot, blockAsIs(p.state[0]), p.leftAlone()))
		return
	}
	p.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc",
		fmt.Sprintf("The machine boots from its first disc, %q, and the configuration does not begin with it. Put %[1]q first. "+
			"To create the machine again with the other disc, and lose all its discs and their backups, %[2]s.", boot, p.replaceAdvice()))
}

// blockAsIs returns the block that describes a disc as it is.
func blockAsIs(d discModel) string {
	return fmt.Sprintf("disc {\n  label         = %q\n  size          = %d\n  storage_grade = %q\n}",
		d.Label.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString())
}

// leftAlone returns the sentence about the discs other than the first.
func (p *discPlan) leftAlone() string {
	if len(p.state) == 1 {
		return ""
	}
	return "Its other discs are left alone until they have a block: " + listDiscs(p.state[1:], p.private.describe) + "."
}

// insteadOf explains what to do about a size or grade that a disc cannot get: keep the one that it has, or get another
// one by way of another disc. That loses data only for the boot disc, which no other disc can replace. The blocks of a
// machine that was just imported may be wrong, so there only the discs are listed, and nothing is lost.
func (p *discPlan) insteadOf(i int, keep string) string {
	switch {
	case p.private.Adopted:
		return fmt.Sprintf("The machine was imported with these discs: %s. "+
			"Correct the disc blocks so that each describes one of them: label, size and storage_grade.",
			listDiscs(p.state, p.private.describe))
	case i == 0:
		return keep + " To create the machine again, and lose all its discs and their backups, " + p.replaceAdvice() + "."
	default:
		return keep + " Or add a disc with another label, copy the data, and then remove this disc."
	}
}

// replaceAdvice explains how to replace a machine whose plan is an error. -replace does not help, because Terraform plans the
// change first, and the change is the error. A protected machine needs an apply before that which lifts the protection. That
// apply must not meet the same error, so it keeps the disc blocks as they were.
func (p *discPlan) replaceAdvice() string {
	const destroy = "destroy the machine with `terraform destroy -refresh=false -target=ADDRESS`, where ADDRESS is that of this resource, and apply"
	if !p.protected {
		return destroy
	}
	return "first apply deletion_protection = false with the disc blocks as before: " +
		"after a change outside of Terraform, with `terraform apply -refresh=false`. Then " + destroy
}

// howToRename tells a rename from a purge, which look alike.
const howToRename = "To rename a disc, change only its label, at the same position, and one label in one apply"

// warnUnknown names the discs that an update may purge.
func (u *updatePlan) warnUnknown(diags *diag.Diagnostics) {
	undecided := u.discs.lost()
	if !u.discs.decided && len(undecided) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("Discs may be purged", tfkit.Quoted(labels(undecided))),
			fmt.Sprintf("Which discs the configuration wants for %s depends on something that is not applied yet. "+
				"The apply keeps those that it wants and purges the others, and their data and backups are lost: it decides about %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", u.state.title(), tfkit.Quoted(labels(undecided))))
	}
}

func (u *updatePlan) warnDiscs(diags *diag.Diagnostics) {
	machine, discs, at := u.state.title(), u.change.discs, path.Root("disc")
	if len(discs.purge) > 0 {
		diags.AddAttributeWarning(at, tfkit.Summary("Discs will be purged", tfkit.Quoted(labels(discs.purge))),
			fmt.Sprintf("The configuration of %s has no block for these discs, so they are purged, and their data and backups are lost: %s. The other discs stay. "+
				"To keep one, add a block for it. %s.", machine, listDiscs(discs.purge, u.private.describe), howToRename))
	}
	if len(discs.moved) > 0 {
		diags.AddAttributeWarning(at, "Discs of the machine leave the state",
			fmt.Sprintf("The configuration of %s has no block for these discs, which are on other machines: %s. Nothing is sent, and their data stays.", machine,
				listDiscs(discs.moved, func(d discModel) string {
					moved, _ := u.private.movedTo(d)
					return fmt.Sprintf("%q (ID %s, on virtual machine %s)", d.Label.ValueString(), moved.ID, moved.Machine)
				})))
	}
	if len(discs.released) > 0 {
		diags.AddAttributeWarning(at, "Discs of the machine are left alone",
			fmt.Sprintf("The %s was imported, and the configuration has no block for these discs: %s. "+
				"They stay on the machine and leave the state. To manage one, add a disc block with its label and size.",
				machine, listDiscs(discs.released, u.private.describe)))
	}
	if len(discs.adopted) > 0 {
		diags.AddAttributeWarning(at, "Discs of the machine are managed from now on",
			fmt.Sprintf("These discs were put on %s outside of this configuration, and it has blocks for them now: %s. Their data stays.",
				machine, listDiscs(discs.adopted, u.private.describe)))
	}
}

// listDiscs lists discs for a message.
func listDiscs(discs []discModel, describe func(discModel) string) string {
	return strings.Join(mapped(discs, describe), ", ")
}

// describe returns what is known about a disc.
func (p private) describe(d discModel) string {
	return fmt.Sprintf("%q (ID %s, %d megabytes, %s%s)", d.Label.ValueString(), d.ID.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString(), p.calledOtherwise(d))
}

// noteDiscs records which discs an update adds and purges, for the plans of other machines. A disc that is also in the
// state of another machine may be on its way back, or is to stay, and the added disc may be meant to be that one; and
// moving a block to another machine does not move its disc.
func (u *updatePlan) noteDiscs(r *vmResource, diags *diag.Diagnostics) {
	machine := u.state.planned()
	for _, disc := range u.change.discs.purge {
		remembered, added := r.Data.Notes.PurgeDisc(disc.object(), disc.Label.ValueString(), machine)
		if remembered != "" {
			refuseRemembered(disc, machine.Title, remembered, diags)
		}
		r.warnMovedBlock(disc.Label.ValueString(), machine.Title, added, diags)
	}
	for _, d := range u.change.discs.add {
		r.noteNewDisc(d.disc, machine, diags)
	}
	if !u.discs.decided || len(u.change.discs.add) == 0 {
		return
	}
	for _, disc := range u.discs.unclaimed() {
		if remembered := r.Data.Notes.AddBesideDisc(disc.object(), machine); remembered != "" {
			refuseEmptyDisc(disc, machine.Title, remembered, diags)
		}
	}
}

// noteNewDisc records that a plan adds a disc.
func (r *vmResource) noteNewDisc(disc discModel, machine run.Machine, diags *diag.Diagnostics) {
	if label := disc.Label.ValueString(); tfkit.Given(disc.Label) {
		r.warnMovedBlock(label, r.Data.Notes.AddDisc(label, machine), machine.Title, diags)
	}
}

// noteMoved records which discs in the state are on other machines, for the plans of those.
func (u *updatePlan) noteMoved(r *vmResource, diags *diag.Diagnostics) {
	machine := u.state.planned()
	for _, disc := range u.state.discs() {
		if _, moved := u.private.movedTo(disc); !moved {
			continue
		}
		purgedFrom, besideOn := r.Data.Notes.RememberDisc(disc.object(), machine)
		if purgedFrom != "" {
			refuseRemembered(disc, purgedFrom, machine.Title, diags)
		}
		if besideOn != "" {
			refuseEmptyDisc(disc, besideOn, machine.Title, diags)
		}
	}
}

// planned returns the machine as notes of plans have it.
func (m *machine) planned() run.Machine {
	return run.Machine{ID: m.ID.ValueString(), Title: m.title()}
}

// refuseRemembered refuses to purge a disc that is in the state of another machine.
func refuseRemembered(disc discModel, from, remembered string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", disc.Label.ValueString(), from),
		fmt.Sprintf("The disc (ID %s) was moved there from %s, which still has it in the state: it may be on its way back. "+
			"To move it back, keep its block of %[3]s for now, and move the disc as the guide \"Deleting, protecting, "+
			"getting back\" shows. "+
			"To purge it, first apply %[2]s without its block of the disc, with -target.", disc.ID.ValueString(), remembered, from))
}

// refuseEmptyDisc refuses to add a disc to a machine beside one that was moved there, which no block adopts.
func refuseEmptyDisc(moved discModel, machine, remembered string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("disc"), "Cannot add an empty disc to "+machine,
		fmt.Sprintf("Disc %q (ID %s) was moved to %s from %s, which still has it in the state. "+
			"No disc block of %[3]s has its label, and another block adds an empty disc. "+
			"To manage the moved disc there, give its block the label %[1]q. "+
			"To add an empty disc beside it, first apply %[4]s without its block of the disc, with -target.",
			moved.Label.ValueString(), moved.ID.ValueString(), machine, remembered))
}

// warnMovedBlock warns that a disc is purged from one machine while another gets an empty one with the same label.
func (r *vmResource) warnMovedBlock(label, from, to string, diags *diag.Diagnostics) {
	if from != "" && to != "" {
		diags.AddAttributeWarning(path.Root("disc"), tfkit.Summary("A disc is purged, and another machine gets an empty one of the same label", strconv.Quote(label)),
			fmt.Sprintf("Disc %q of %s is purged, and %s gets a new disc %[1]q, which is empty.\n\n", label, from, to)+
				"A block that moves to another machine does not move its disc. "+
				"To move the disc with its data, leave the configuration as it was, and move it first "+r.Data.WithAction("disc_move")+", as the page of cloudserver_disc_move shows.")
	}
}

// warnNoDiscs warns of a machine without discs, which the service's public client never creates.
func warnNoDiscs(plan *model, diags *diag.Diagnostics) {
	if !plan.Disc.IsUnknown() && len(plan.Disc.Elements()) == 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The new machine has no disc",
			"The service may refuse to create "+plan.title()+" without a disc. Add a disc block.")
	}
}

// warnBootDisc warns if the first disc becomes the boot disc although another one has a typical label of a boot disc.
func warnBootDisc(plan *model, discs []discModel, diags *diag.Diagnostics) {
	boot := slices.IndexFunc(discs, discModel.isBootByLabel)
	if boot < 1 || discs[0].Label.IsUnknown() {
		return
	}
	diags.AddAttributeWarning(path.Root("disc").AtListIndex(0).AtName("label"), "Another disc becomes the boot disc of the new machine than its label says",
		fmt.Sprintf("The first disc block is the boot disc, on which the image is installed. The configuration of %s puts %q first, and %q further down. "+
			"If %q is meant to be the boot disc, put its block first. A dynamic block over a map is sorted by key: use a list.",
			plan.title(), discs[0].Label.ValueString(), discs[boot].Label.ValueString(),
			discs[boot].Label.ValueString()))
}
