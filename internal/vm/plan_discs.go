package vm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// discPlan is what a plan shows of a machine's discs, and what it refuses. What
// an update does follows from the planned ids alone (change.go).
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
func (r *vmResource) planDiscs(ctx context.Context, state, config model, p private) discPlan {
	wanted := config.discs()
	plan := discPlan{
		state: state.discs(), private: p, known: config.knowsDiscs(),
		reported: sync.OnceValue(func() []cloudserver.Disc { return r.reportedDiscs(ctx, &state) }),
	}
	matched := plan.match(wanted)
	for i, disc := range wanted {
		plan.planned = append(plan.planned, plan.block(i, disc, matched))
	}
	if plan.known { // else by the plan that the apply makes
		plan.refuseOtherBootDisc(matched)
		plan.refuseTooMany()
	}
	return plan
}

// reportedDiscs reads the machine's discs, which a plan does only for a label or a
// grade that differs from the state's: the state has the configured ones.
func (r *vmResource) reportedDiscs(ctx context.Context, state *model) []cloudserver.Disc {
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return nil
	}
	vm, err := r.Data.Fleet.Read(ctx, state.address())
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
			fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No blank disc takes its place. Move it back, as the guide Backups and restore shows; or remove this block, and adopt the disc on the other machine with a block of the same label.",
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
	sameGrade := !tfkit.Given(disc.StorageGrade) || disc.StorageGrade.Equal(had.StorageGrade)
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
	if differs(had.StorageGrade, wanted.StorageGrade) && p.grade(had) != wanted.StorageGrade.ValueString() {
		unread := ""
		if p.reported() == nil {
			unread = " With plan_checks = false, or without an answer, a plan compares with the state."
		}
		p.refused.AddAttributeError(at.AtName("storage_grade"), fmt.Sprintf("Cannot change the storage grade of disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has the grade %q and the configuration asks for %q. The service cannot change the grade of a disc. Set storage_grade = %q again. %s%s",
				had.Label.ValueString(), p.grade(had), wanted.StorageGrade.ValueString(), had.StorageGrade.ValueString(), instead(i), unread))
	}
	if tfkit.Given(wanted.Size) && wanted.Size.ValueInt64() < had.Size.ValueInt64() {
		p.refused.AddAttributeError(at.AtName("size"), fmt.Sprintf("Cannot shrink disc %q", had.Label.ValueString()),
			fmt.Sprintf("Disc %q has %d megabytes and the configuration asks for %d. The service cannot shrink a disc. Set size to at least %d. %s",
				had.Label.ValueString(), had.Size.ValueInt64(), wanted.Size.ValueInt64(), had.Size.ValueInt64(), instead(i)))
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
