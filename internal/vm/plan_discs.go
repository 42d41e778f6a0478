package vm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discPlan is what a plan shows of a machine's discs, and what it refuses. What
// an update does follows from the planned ids alone (update_discs.go).
type discPlan struct {
	state    []discModel
	private  private
	reported func() []cloudserver.Disc // as they are now; nothing where the plan may not ask
	known    bool                      // which discs are wanted is known
	planned  []discModel
	refused  diag.Diagnostics
}

// planDiscs decides which disc each block means: one in the state, a foreign one
// that the block adopts, or a new one.
func (r *vmResource) planDiscs(ctx context.Context, state, config model, p private, diags *diag.Diagnostics) discPlan {
	before, _ := discsFrom(state.Disc, diags)
	wanted, ok := discsFrom(config.Disc, diags)
	plan := discPlan{
		state: before, private: p, known: ok && labelsKnown(wanted),
		reported: sync.OnceValue(func() []cloudserver.Disc { return r.reportedDiscs(ctx, &state) }),
	}
	matched := plan.match(wanted)
	for i, disc := range wanted {
		plan.planned = append(plan.planned, plan.block(i, disc, matched))
	}
	if plan.known { // else by the plan that the apply makes
		plan.refuseOtherBootDisc(wanted, matched)
		plan.refuseTooMany(wanted)
	}
	return plan
}

// reportedDiscs reads the machine's discs, which a plan does only for a label or a
// grade that differs from the state's: the state has the configured ones.
func (r *vmResource) reportedDiscs(ctx context.Context, state *model) []cloudserver.Disc {
	ctx, cancel, ok := r.data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return nil
	}
	vm, err := r.data.Fleet.Read(ctx, state.address())
	if err != nil {
		return nil // as with plan_checks = false
	}
	return vm.Discs
}

// block plans the disc of one block.
func (p *discPlan) block(i int, disc discModel, matched map[int]int) discModel {
	label := disc.Label.ValueString()
	if from, ok := matched[i]; ok {
		return p.keep(i, p.state[from], disc)
	}
	if foreign, ok := p.private.foreign(disc.Label, p.known); ok {
		return p.keep(i, foreign, disc)
	}
	at := path.Root("disc").AtListIndex(i).AtName("label")
	refuseDigits(i, types.StringNull(), disc, &p.refused)
	if moved, ok := p.private.Moved[label]; ok {
		p.refused.AddAttributeError(at, fmt.Sprintf("Disc %q is on another machine", label),
			fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No blank disc takes its place. Move it back, or remove this block and adopt the disc on the other machine with a block of the same label.",
				label, moved.ID, moved.Machine))
	} else if owner, ok := p.managedAs(disc.Label); ok && p.known {
		p.refused.AddAttributeError(at, fmt.Sprintf("Disc %q is already managed as %q", label, owner.Label.ValueString()),
			fmt.Sprintf("The disc that the service calls %q (ID %s) is the one of the block with the label %q: it was renamed outside of Terraform. "+
				"Change the label of that block to %q, and remove this one; or choose another label for this one.", label, owner.ID.ValueString(), owner.Label.ValueString(), label))
	}
	return disc.new()
}

// match maps positions in the configuration to positions in the state: by the
// label; by a label that the service may have normalised; by the label that the
// disc has now; and one renamed disc by its position. While a label is unknown, it
// may turn out to be any other, so only equal labels count.
func (p *discPlan) match(wanted []discModel) map[int]int {
	matched := map[int]int{}
	p.matchBy(matched, wanted, func(had, disc discModel) bool { return had.Label.Equal(disc.Label) })
	if !p.known {
		return matched
	}
	p.matchBy(matched, wanted, func(had, disc discModel) bool { return sameLabel(had.Label, disc.Label) })
	p.matchBy(matched, wanted, func(had, disc discModel) bool {
		owner, ok := p.managedAs(disc.Label)
		return ok && owner.ID.Equal(had.ID)
	})
	if i, ok := p.renamed(wanted, matched); ok {
		matched[i] = i
	}
	return matched
}

func (p *discPlan) matchBy(matched map[int]int, wanted []discModel, same func(had, disc discModel) bool) {
	for i, disc := range wanted {
		if _, ok := matched[i]; ok {
			continue
		}
		for from, had := range p.state {
			if !isMatched(matched, from) && same(had, disc) {
				matched[i] = from
				break
			}
		}
	}
}

func isMatched(matched map[int]int, from int) bool {
	return slices.Contains(slices.Collect(maps.Values(matched)), from)
}

func sameLabel(a, b types.String) bool {
	return cloudserver.SameLabel(a.ValueString(), b.ValueString())
}

// managedAs returns the disc of the state that the service has under the label,
// because somebody else gave it that label.
func (p *discPlan) managedAs(label types.String) (owner discModel, ok bool) {
	if _, foreign := p.private.foreign(label, p.known); foreign {
		return discModel{}, false
	}
	for _, d := range p.reported() {
		if cloudserver.SameLabel(d.Label, label.ValueString()) {
			owner, ok = discWithID(p.state, tfkit.IDOrNull(d.ID))
			return owner, ok && !sameLabel(owner.Label, label)
		}
	}
	return discModel{}, false
}

// renamed returns the position at which only the label has changed: one label of
// the state is gone, and one is new among as many blocks. Others may follow. The
// grade is the same and the size not smaller, because a rename never costs data.
func (p *discPlan) renamed(wanted []discModel, matched map[int]int) (index int, ok bool) {
	changed := -1
	for i := range min(len(wanted), len(p.state)) {
		if _, ok := matched[i]; ok {
			continue
		}
		if changed >= 0 {
			return 0, false
		}
		changed = i
	}
	if changed < 0 || len(matched) != len(p.state)-1 || isMatched(matched, changed) {
		return 0, false
	}
	had, disc := p.state[changed], wanted[changed]
	sameGrade := !tfkit.Given(disc.StorageGrade) || disc.StorageGrade.Equal(had.StorageGrade)
	if !sameGrade || !tfkit.Given(disc.Size) || disc.Size.ValueInt64() < had.Size.ValueInt64() {
		return 0, false
	}
	if _, foreign := p.private.foreign(disc.Label, p.known); foreign {
		p.refuseAmbiguousAdoption(changed, disc.Label.ValueString(), had.Label.ValueString())
		return 0, false
	}
	return changed, true
}

// refuseAmbiguousAdoption refuses to guess where one block may mean a rename of
// a disc, or a foreign disc in place of one that would then be purged.
func (p *discPlan) refuseAmbiguousAdoption(i int, label, gone string) {
	p.refused.AddAttributeError(path.Root("disc").AtListIndex(i).AtName("label"), fmt.Sprintf("Disc %q cannot be distinguished from disc %q", label, gone),
		fmt.Sprintf("The machine has a disc %q that no configuration managed until now. The block with this label may be meant to adopt it, which would purge disc %q, or to rename disc %q, which the service refuses while the label is taken. "+
			"To adopt disc %q, first add a block for it below the others. To rename disc %q, choose a free label.", label, gone, gone, label, gone))
}

// keep carries over what is known of a disc that stays.
func (p *discPlan) keep(i int, had, wanted discModel) discModel {
	wanted.ID = had.ID
	if wanted.StorageGrade.IsNull() {
		wanted.StorageGrade = had.StorageGrade
	}
	at := path.Root("disc").AtListIndex(i)
	if differs(had.StorageGrade, wanted.StorageGrade) && p.grade(had) != wanted.StorageGrade.ValueString() {
		unread := ""
		if p.reported() == nil {
			unread = " Whether it has the other grade by now was not asked: with plan_checks = false, or without an answer, a plan compares with the state."
		}
		p.refused.AddAttributeError(at.AtName("storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. %s%s",
				had.Label.ValueString(), p.grade(had), wanted.StorageGrade.ValueString(), insteadOfRegrade(i, had), unread))
	}
	if tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() < had.Size.ValueInt64() {
		p.refused.AddAttributeError(at.AtName("size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. The service cannot shrink a disc. Set size to at least %d%s.",
				had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(), had.Size.ValueInt64(), insteadOfShrinking(i)))
	}
	refuseDigits(i, had.Label, wanted, &p.refused)
	return wanted
}

// grade returns the grade that the disc has, or is migrating to; as in the state
// where the plan may not ask.
func (p *discPlan) grade(had discModel) string {
	if found := findDisc(had, p.reported()); found != nil {
		return reportedGrade(*found)
	}
	return had.StorageGrade.ValueString()
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

// refuseDigits keeps new labels from being taken for the id of another disc.
func refuseDigits(i int, had types.String, wanted discModel, diags *diag.Diagnostics) {
	tfkit.RefuseDigits(had, wanted.Label, path.Root("disc").AtListIndex(i).AtName("label"), "disc", diags)
}

// anew is how to replace a machine in spite of an error: Terraform plans the change
// of the old machine also with -replace.
const anew = "destroy the machine with `terraform destroy -refresh=false -target=ADDRESS`, where ADDRESS is that of this resource, and apply"

// insteadOfRegrade names a way to another grade that loses nothing. There is
// none for the boot disc, which no other disc can replace.
func insteadOfRegrade(i int, had discModel) string {
	if i == 0 {
		return fmt.Sprintf("Set storage_grade = %q again. To create the machine again with the other grade, and lose the data of all its discs, %s.", had.StorageGrade.ValueString(), anew)
	}
	return "Add a disc of the other grade with another label, copy the data, and then remove this disc; or lose the data of all discs: " + anew + "."
}

func insteadOfShrinking(i int) string {
	if i == 0 {
		return ""
	}
	return ", or add a smaller disc with another label, copy the data, and then remove this disc"
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
		fmt.Sprintf(" Put %q first again. To create the machine again with the other disc, and lose the data of all its discs, %s.", boot, anew))
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

// foreign finds the foreign disc that a block with the label adopts: the one with
// exactly this label, or else, among known labels, one that the service may have
// normalised.
func (p private) foreign(label types.String, normalised bool) (found discModel, ok bool) {
	for _, id := range slices.Sorted(maps.Keys(p.Foreign)) {
		f := p.Foreign[id]
		exact := f.Label == label.ValueString()
		if !exact && (ok || !normalised || !cloudserver.SameLabel(f.Label, label.ValueString())) {
			continue
		}
		found, ok = discModel{
			ID: types.StringValue(id), Label: types.StringValue(f.Label), Size: types.Int64Value(f.Size),
			StorageGrade: tfkit.StringOrNull(f.Grade),
		}, true
		if exact {
			break
		}
	}
	return found, ok
}
