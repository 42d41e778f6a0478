package vm

import (
	"context"
	"fmt"
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
			fmt.Sprintf("Disc %q (ID %s) was moved to virtual machine %s. No empty disc is added instead. Move it back, as the guide Backups and restore shows; or remove this block, and adopt the disc on the other machine with a block of the same label.",
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
	undecided := slices.DeleteFunc(slices.Clone(u.discs.state), func(d discModel) bool {
		_, kept := discWithID(u.discs.planned, d.ID)
		return kept
	})
	if !u.discs.known && len(undecided) > 0 {
		diags.AddAttributeWarning(path.Root("disc"), "The discs of "+u.state.title()+" are not known yet",
			fmt.Sprintf("Which discs the configuration wants depends on something that is not applied yet. The apply keeps those that it wants and purges the others, and their data and backups are lost: it decides about %s. "+
				"To see what happens before it does, apply what the discs depend on first, with -target.", tfkit.Quoted(labels(undecided))))
	}
}

func (u *updatePlan) warnDiscs(diags *diag.Diagnostics) {
	for _, disc := range u.change.discs.purge {
		diags.AddAttributeWarning(path.Root("disc"), fmt.Sprintf("Disc %q of %s will be purged", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The configuration has no disc %q, so the disc (ID %s, %d megabytes, %s) is purged, and its data and backups are lost. The other discs stay. "+
				"To keep it, add a block for it. To rename a disc, change only its label, at the same position.",
				disc.Label.ValueString(), disc.ID.ValueString(), disc.Size.ValueInt64(), disc.StorageGrade.ValueString()))
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
