package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discPlan is what a plan shows of a machine's discs, and what it refuses. What
// an update does follows from the planned ids alone (update_discs.go).
type discPlan struct {
	state   []discModel
	private private
	known   bool // which discs are wanted is known
	planned []discModel
	refused diag.Diagnostics
}

// planDiscs matches the configured discs with those of the machine.
func planDiscs(state, config model, p private, diags *diag.Diagnostics) discPlan {
	before, _ := discsFrom(state.Disc, diags)
	wanted, ok := discsFrom(config.Disc, diags)
	plan := discPlan{state: before, private: p}
	if !ok {
		return plan
	}
	if plan.known = labelsKnown(wanted); plan.known {
		plan.match(wanted)
	} else {
		plan.planned = newDiscs(wanted)
	}
	return plan
}

// match decides which disc each block means: one in the state, a foreign one
// that the block adopts, or a new one.
func (p *discPlan) match(wanted []discModel) {
	matched := p.matchState(wanted)
	for i, disc := range wanted {
		from, inState := matched[i]
		foreign, isForeign := p.private.foreign(disc)
		moved, isMoved := p.private.Moved[disc.Label.ValueString()]
		switch {
		case inState:
			p.keep(i, p.state[from], disc)
		case isForeign:
			p.refuseAmbiguousAdoption(i, wanted, matched)
			p.keep(i, foreign, disc)
		case isMoved:
			p.refused.AddAttributeError(path.Root("disc").AtListIndex(i).AtName("label"), fmt.Sprintf("Disc %q is on another machine", disc.Label.ValueString()),
				fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No blank disc takes its place. Move it back, or remove this block and adopt the disc on the other machine with a block of the same label.",
					disc.Label.ValueString(), moved.ID, moved.Machine))
			p.planned = append(p.planned, disc.new())
		default:
			refuseDigits(i, types.StringNull(), disc, &p.refused)
			p.planned = append(p.planned, disc.new())
		}
	}
	p.refuseOtherBootDisc(wanted, matched)
	p.refuseTooMany(wanted)
}

// refuseTooMany counts the discs that stay although no block describes them.
func (p *discPlan) refuseTooMany(wanted []discModel) {
	added, others := -1, private{Foreign: maps.Clone(p.private.Foreign)}
	for i, disc := range p.planned {
		delete(others.Foreign, disc.ID.ValueString())
		if disc.ID.IsUnknown() {
			added = i
		}
	}
	count := len(p.planned) + len(others.Foreign)
	if added < 0 || count <= maxDiscs {
		return
	}
	label := wanted[added].Label.ValueString()
	p.refused.AddAttributeError(path.Root("disc").AtListIndex(added), fmt.Sprintf("Cannot add disc %q", label),
		fmt.Sprintf("A machine has at most %d discs, and this one would have %d: the %d of the configuration, and those that no configuration manages: %s. "+
			"Remove the block of %q or another one; or move or purge a disc that no configuration manages.",
			maxDiscs, count, len(p.planned), tfkit.Quoted(others.foreignLabels()), label))
}

// matchState maps positions in the configuration to positions in the state: by
// the label, and one renamed disc by its position. A label that was changed
// elsewhere counts as it reads now where the configuration has it too, as with
// ignore_changes = [disc], and as it was configured otherwise. One that the
// service merely normalised is the same, unless another block has it exactly.
func (p *discPlan) matchState(wanted []discModel) map[int]int {
	matched, taken := map[int]int{}, map[int]bool{}
	configured := func(from int) string { return p.private.configuredLabel(p.state[from]) }
	reads := func(from int) string { return p.state[from].Label.ValueString() }
	for _, same := range []func(i, from int) bool{
		func(i, from int) bool { return i == from && reads(from) == wanted[i].Label.ValueString() },
		func(i, from int) bool { return configured(from) == wanted[i].Label.ValueString() },
		func(i, from int) bool { return cloudserver.SameLabel(configured(from), wanted[i].Label.ValueString()) },
		func(i, from int) bool { return cloudserver.SameLabel(reads(from), wanted[i].Label.ValueString()) },
	} {
		for i := range wanted {
			if _, ok := matched[i]; ok {
				continue
			}
			for from := range p.state {
				if !taken[from] && same(i, from) {
					matched[i], taken[from] = from, true
					break
				}
			}
		}
	}
	if i, ok := p.renamed(wanted, matched, taken); ok {
		matched[i] = i
	}
	return matched
}

// renamed returns the position at which only the label has changed: one label of
// the state is gone, and one is new among as many blocks. Others may follow.
func (p *discPlan) renamed(wanted []discModel, matched map[int]int, taken map[int]bool) (index int, ok bool) {
	var unmatched []int
	for i := range min(len(wanted), len(p.state)) {
		if _, ok := matched[i]; !ok {
			unmatched = append(unmatched, i)
		}
	}
	if len(unmatched) != 1 || len(taken) != len(p.state)-1 {
		return 0, false
	}
	i := unmatched[0]
	_, foreign := p.private.foreign(wanted[i])
	return i, !taken[i] && !foreign && p.looksRenamed(i, wanted[i])
}

// looksRenamed reports whether the one new label may belong to the disc whose
// label is gone: the same grade, and not smaller. A rename never costs data.
func (p *discPlan) looksRenamed(i int, wanted discModel) bool {
	had := p.state[i]
	sameGrade := !tfkit.Given(wanted.StorageGrade) || wanted.StorageGrade.Equal(had.StorageGrade)
	return sameGrade && tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() >= had.Size.ValueInt64()
}

// keep carries over what is known of a disc that stays.
func (p *discPlan) keep(i int, had, wanted discModel) {
	wanted.ID = had.ID
	if wanted.StorageGrade.IsNull() {
		wanted.StorageGrade = had.StorageGrade
	}
	at := path.Root("disc").AtListIndex(i)
	if differs(had.StorageGrade, wanted.StorageGrade) && !wanted.StorageGrade.Equal(p.private.realGrade(had)) {
		p.refused.AddAttributeError(at.AtName("storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. %s",
				had.Label.ValueString(), p.private.realGrade(had).ValueString(), wanted.StorageGrade.ValueString(), insteadOfRegrade(i, had)))
	}
	if tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() < had.Size.ValueInt64() {
		p.refused.AddAttributeError(at.AtName("size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. The service cannot shrink a disc. Set size to at least %d%s.",
				had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(), had.Size.ValueInt64(), insteadOfShrinking(i)))
	}
	refuseDigits(i, had.Label, wanted, &p.refused)
	p.planned = append(p.planned, wanted)
}

// refuseDigits keeps new labels from being taken for the id of another disc.
func refuseDigits(i int, had types.String, wanted discModel, diags *diag.Diagnostics) {
	tfkit.RefuseDigits(had, wanted.Label, path.Root("disc").AtListIndex(i).AtName("label"), "disc", diags)
}

// byTaint is how to replace a machine in spite of an error: Terraform plans the
// change of the old machine even with -replace, but not if it is tainted.
const byTaint = "run `terraform taint` with the address of this resource, and apply"

// insteadOfRegrade names a way to another grade that loses nothing. There is
// none for the boot disc, which no other disc can replace.
func insteadOfRegrade(i int, had discModel) string {
	if i == 0 {
		return fmt.Sprintf("Set storage_grade = %q again. To create the machine again with the other grade, and lose the data of all its discs, %s.", had.StorageGrade.ValueString(), byTaint)
	}
	return "Add a disc of the other grade with another label, copy the data, and then remove this disc; or lose the data of all discs: " + byTaint + "."
}

func insteadOfShrinking(i int) string {
	if i == 0 {
		return ""
	}
	return ", or add a smaller disc with another label, copy the data, and then remove this disc"
}

// refuseAmbiguousAdoption refuses to guess where one block may mean a rename of
// a disc, or a foreign disc in place of one that would then be purged.
func (p *discPlan) refuseAmbiguousAdoption(i int, wanted []discModel, matched map[int]int) {
	for position, from := range matched {
		if position == i || from == i {
			return
		}
	}
	if i >= len(p.state) || len(matched) != len(p.state)-1 || !p.looksRenamed(i, wanted[i]) {
		return
	}
	label, gone := wanted[i].Label.ValueString(), p.state[i].Label.ValueString()
	p.refused.AddAttributeError(path.Root("disc").AtListIndex(i).AtName("label"), fmt.Sprintf("Disc %q cannot be distinguished from disc %q", label, gone),
		fmt.Sprintf("The machine has a disc %q that no configuration managed until now. The block with this label may be meant to adopt it, which would purge disc %q, or to rename disc %q, which the service refuses while the label is taken. "+
			"To adopt disc %q, first add a block for it below the others. To rename disc %q, choose a free label.", label, gone, gone, label, gone))
}

// refuseOtherBootDisc keeps the machine bootable: its first disc stays first.
func (p *discPlan) refuseOtherBootDisc(wanted []discModel, matched map[int]int) {
	if from, ok := matched[0]; len(p.state) == 0 || ok && from == 0 {
		return
	}
	boot := p.state[0].Label.ValueString()
	if p.private.Adopted {
		p.refused.AddAttributeError(path.Root("disc"), "The imported machine has discs that the configuration lacks",
			fmt.Sprintf("The machine boots from its first disc, %q, so the first disc block must describe it. Add these blocks:\n\n%s\n\nA disc other than the first that has no block is left alone.", boot, discBlocks(p.state)))
		return
	}
	detail := fmt.Sprintf("The machine boots from its first disc, %q, and the configuration has no disc.", boot)
	if len(wanted) > 0 {
		detail = fmt.Sprintf("The machine boots from its first disc, %q, and the configuration puts %q first.", boot, wanted[0].Label.ValueString())
	}
	p.refused.AddAttributeError(path.Root("disc"), "Cannot change the boot disc", detail+
		fmt.Sprintf(" Put %q first again. To create the machine again with the other disc, and lose the data of all its discs, %s.", boot, byTaint))
}

// discBlocks returns the blocks that describe the discs as they are.
func discBlocks(discs []discModel) string {
	blocks := make([]string, len(discs))
	for i, d := range discs {
		blocks[i] = fmt.Sprintf("disc {\n  label         = %q\n  size          = %d\n  storage_grade = %q\n}", d.Label.ValueString(), d.Size.ValueInt64(), d.StorageGrade.ValueString())
	}
	return strings.Join(blocks, "\n")
}

// new returns a configured disc as the plan of its creation shows it.
func (d discModel) new() discModel {
	d.ID = types.StringUnknown()
	if d.StorageGrade.IsNull() {
		d.StorageGrade = types.StringUnknown()
	}
	return d
}

func newDiscs(wanted []discModel) []discModel {
	planned := make([]discModel, len(wanted))
	for i, d := range wanted {
		planned[i] = d.new()
	}
	return planned
}

// foreign finds the foreign disc that the block adopts: the one with exactly its
// label, before one whose label merely looks normalised.
func (p private) foreign(wanted discModel) (found discModel, ok bool) {
	label := wanted.Label.ValueString()
	for _, id := range slices.Sorted(maps.Keys(p.Foreign)) {
		f := p.Foreign[id]
		if !cloudserver.SameLabel(f.Label, label) || ok && f.Label != label {
			continue
		}
		found, ok = discModel{
			ID: types.StringValue(id), Label: types.StringValue(f.Label), Size: types.Int64Value(f.Size),
			StorageGrade: tfkit.StringOrNull(f.Grade),
		}, true
	}
	return found, ok
}
