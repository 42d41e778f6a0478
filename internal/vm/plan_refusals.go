package vm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuse reports what must not or cannot be done, before anything is done.
func (u *updatePlan) refuse(ctx context.Context, r *vmResource, diags *diag.Diagnostics) {
	u.change.image.refuseUnknown(&u.state, &u.plan, diags)
	place.RefuseDigits(u.state.Name, u.plan.Name, path.Root("name"), "virtual machine", diags)
	refuseContradiction(&u.state, &u.config, &u.plan, diags)
	r.refuseTwoGroups(ctx, &u.state, &u.config, &u.plan, diags)
	u.refuseThirdPlace(r.Data.Account, diags)
	if len(u.replace) > 0 {
		u.refuseReplacement(r, diags)
		return
	}
	diags.Append(u.discs.refused...)
	u.refuseLoss(diags)
	u.refuseStop(diags)
}

// refuseThirdPlace refuses to move a machine that somebody has moved to another
// account to a group there that merely has the configured name.
func (u *updatePlan) refuseThirdPlace(account types.String, diags *diag.Diagnostics) {
	if !u.config.Account.IsNull() || !tfkit.Given(u.config.Group) || u.config.Group.Equal(u.state.Group) ||
		!tfkit.Given(account) || !tfkit.Given(u.state.Account) || account.Equal(u.state.Account) {
		return
	}
	diags.AddAttributeError(path.Root("account"), "Missing account of "+u.state.title(),
		fmt.Sprintf("The machine is in %s of account %s now, the provider's account is %s, and only the group %s is configured. "+
			"Set account = %[2]s to move the machine to that group of the account where it is, or account = %[3]s to move it to the provider's.",
			u.state.groupTitle(), u.state.Account, account, u.config.Group))
}

// withWayOut adds to the first refusal of a run that a destroy goes through: Terraform
// plans normally before it plans a destroy, unless it is told not to refresh.
func (u *updatePlan) withWayOut(r *vmResource, refusals diag.Diagnostics) diag.Diagnostics {
	if u.state.DeletionProtection.ValueBool() {
		return refusals
	}
	for i, refusal := range refusals {
		at, ok := refusal.(diag.DiagnosticWithPath)
		if ok && refusal.Severity() == diag.SeverityError {
			refusals[i] = diag.NewAttributeErrorDiagnostic(at.Path(), refusal.Summary(),
				r.Data.Noted.Explain(refusal.Detail(), "If you ran terraform destroy, run terraform destroy -refresh=false: it ignores this."))
		}
	}
	return refusals
}

// refuseLoss keeps deletion_protection: it protects data, not only the machine.
func (u *updatePlan) refuseLoss(diags *diag.Diagnostics) {
	if !u.state.DeletionProtection.ValueBool() && !u.plan.DeletionProtection.ValueBool() {
		return
	}
	for _, disc := range u.change.discs.purge {
		addProtected(diags, path.Root("disc"), fmt.Sprintf("Cannot purge disc %s of %s", disc.Label, u.state.title()),
			fmt.Sprintf("The configuration has no disc %s, so its data and backups would be lost", disc.Label))
	}
	if u.change.image.install {
		addProtected(diags, path.Root("reimage"), "Cannot reimage "+u.state.title(), "Everything on its boot disc would be lost")
	}
}

// refuseStop keeps allow_stopping_for_update = false. An image that is installed
// in place stops the machine anyway.
func (u *updatePlan) refuseStop(diags *diag.Diagnostics) {
	allowed := u.plan.AllowStoppingForUpdate
	if allowed.ValueBool() || allowed.IsUnknown() || u.change.image.install || !u.change.restarts() {
		return
	}
	for _, name := range u.change.offFor {
		diags.AddAttributeError(path.Root(name), "Cannot change "+name+" of "+u.state.title()+" without a restart",
			"The change is made while the machine is off, and the machine is on. "+
				"Set allow_stopping_for_update = true (default: false) to let this update stop and start it, or stop it yourself first. "+
				"If nobody changed the configuration, somebody changed the machine: to keep that, put its present value into the configuration.")
	}
}

// refuseDeletion keeps deletion_protection for a destroy.
func (m *model) refuseDeletion(diags *diag.Diagnostics) {
	addProtected(diags, path.Root("deletion_protection"), "Cannot destroy "+m.title(),
		"The machine would be destroyed with its discs. If the machine is tainted, run terraform untaint first of all, because Terraform would replace it instead")
}

// refuseUnknown asks for the value that decides between keeping and
// replacing the machine.
func (c imageChange) refuseUnknown(state, plan *model, diags *diag.Diagnostics) {
	if !c.unknown {
		return
	}
	at := path.Root("reimage")
	if block, ok := blockOf[reimageModel](plan.Reimage); ok && !block.Distribution.IsUnknown() {
		at = at.AtName("on_change")
	}
	addUnknown(diags, at, "Cannot plan the image of "+state.title(), "It decides whether the machine is kept, reimaged or replaced")
}

// refuseReplacement reports why the machine cannot, or must not, be replaced.
// Terraform plans the new machine without sight of the old one, so whatever the
// configuration leaves out is chosen again.
func (u *updatePlan) refuseReplacement(r *vmResource, diags *diag.Diagnostics) {
	because := "A change of " + listPaths(u.replace) + " needs a new machine"
	switch {
	case u.state.DeletionProtection.ValueBool() || u.plan.DeletionProtection.ValueBool():
		u.state.refuseProtected(u.replace[0], because+". ", diags)
		return
	case u.plan.DeletionProtection.IsUnknown():
		addUnknown(diags, path.Root("deletion_protection"), "Cannot replace "+u.state.title(), because+", and deletion_protection may forbid it")
		return
	}
	u.private.of(&u.state, &u.plan).refuseKeptName(&u.plan, u.replace[0], because+", and ", diags)
	if lines := u.missingPlace(r); len(lines) > 0 {
		diags.AddAttributeError(u.replace[0], "Cannot replace "+u.state.title()+" where it is",
			fmt.Sprintf("%s, and Terraform plans it from the configuration alone, which would put it elsewhere. To create it in the same place, add:\n\n%s", because, strings.Join(lines, "\n")))
	}
}

// missingPlace returns the lines without which the new machine would get
// another group, account or zone than the old one.
func (u *updatePlan) missingPlace(r *vmResource) []string {
	var lines []string
	add := func(name string, value types.String) {
		lines = append(lines, fmt.Sprintf("  %s = %q", name, value.ValueString()))
	}
	if u.config.Account.IsNull() && !u.state.Account.Equal(r.Data.Account) {
		add("account", u.state.Account)
	}
	if u.config.Group.IsNull() && u.config.GroupID.IsNull() && !u.state.Group.Equal(r.Data.Group) {
		add("group", u.state.Group)
	}
	if u.config.ZoneName.IsNull() && u.private.Adopted && tfkit.Given(u.state.ZoneName) {
		add("zone_name", u.state.ZoneName)
	}
	return lines
}

// keptNames returns the names that stay taken when the machine is deleted.
func (m *model) keptNames() []fleet.Name {
	if m.mayPurge() {
		return nil
	}
	byGroup, _ := m.plannedName()
	byID := byGroup
	byID.Group = "id:" + m.GroupID.ValueString()
	return []fleet.Name{byGroup, byID}
}

// refuseKeptName refuses a new machine under the name of the old one where that would
// keep it: a soft-deleted machine does (API.md §3).
func (p private) refuseKeptName(plan *model, at path.Path, because string, diags *diag.Diagnostics) {
	if name, known := plan.plannedName(); known && slices.Contains(p.Kept, name) {
		diags.AddAttributeError(at, "Cannot replace "+plan.title()+" under the same name",
			because+"purge_on_destroy is false for the existing machine: it would be soft-deleted and keep its name, so the service would refuse the new one. "+
				"Give the machine another name as well; or apply purge_on_destroy = true alone, and then replace the machine, which destroys all its discs and their backups.")
	}
}

// refuseProtected keeps deletion_protection, also where Terraform replaces the machine
// without asking: -replace, or replace_triggered_by.
func (m *model) refuseProtected(at path.Path, because string, diags *diag.Diagnostics) {
	addProtected(diags, at, "Cannot replace "+m.title(), because+"Replacing the machine destroys all its discs and their backups")
}

// addProtected reports what deletion_protection forbids, and why.
func addProtected(diags *diag.Diagnostics, at path.Path, summary, why string) {
	diags.AddAttributeError(at, summary, why+". deletion_protection is true for the existing machine, or this plan sets it. To go on, apply deletion_protection = false first, alone.")
}

// addUnknown reports a value that a plan cannot do without.
func addUnknown(diags *diag.Diagnostics, at path.Path, summary, why string) {
	diags.AddAttributeError(at, summary, fmt.Sprintf("The value of %s is known only after apply. %s. Use a value that is known at plan, or apply what it depends on first, with -target.", at, why))
}

// refuseTwoGroups refuses group beside group_id if the group with that ID is known
// to have another name. Both together are what -generate-config-out writes for an
// import with a CLI that does not leave it to the provider. A group that is gone
// has no name: a destroy plans like this first.
func (r *vmResource) refuseTwoGroups(ctx context.Context, state, config, plan *model, diags *diag.Diagnostics) {
	if !tfkit.Given(config.Group) || !tfkit.Given(config.GroupID) || config.Group.Equal(state.Group) && config.GroupID.Equal(state.GroupID) {
		return
	}
	group := r.groupWithID(ctx, config.GroupID, plan.Account)
	if group == nil || group.Name == config.Group.ValueString() {
		return
	}
	diags.AddAttributeError(path.Root("group"), "Conflicting group and group_id",
		fmt.Sprintf("Both group and group_id are configured, and the group with the ID %s is %q, not %q. Remove one of the two: with group_id, a rename of the group changes nothing. An argument in ignore_changes counts as configured.",
			config.GroupID.ValueString(), group.Name, config.Group.ValueString()))
}

// refuseContradiction refuses power that the service would not keep. A machine that
// merely is off, while the service is about to start it, contradicts nothing.
func refuseContradiction(state, config, plan *model, diags *diag.Diagnostics) {
	if plan.PowerOn.Equal(state.PowerOn) && plan.AutorebootOn.Equal(state.AutorebootOn) {
		return // nothing is planned, as with ignore_changes = [power_on]
	}
	if !config.PowerOn.IsNull() && tfkit.Given(plan.PowerOn) && !plan.PowerOn.ValueBool() && plan.AutorebootOn.ValueBool() {
		diags.AddAttributeError(path.Root("autoreboot_on"), "Conflicting power settings",
			"power_on is false and autoreboot_on is true, but the service starts any machine that is off while autoreboot_on is true. "+
				"Remove autoreboot_on, or set it to false. If ignore_changes names it, remove it from ignore_changes as well: a plan keeps the machine's value of it otherwise.")
	}
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

// refuseDigits keeps new labels from being taken for the id of another disc.
func refuseDigits(i int, had types.String, wanted discModel, diags *diag.Diagnostics) {
	place.RefuseDigits(had, wanted.Label, path.Root("disc").AtListIndex(i).AtName("label"), "disc", diags)
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
