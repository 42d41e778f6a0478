package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// refuse reports what must not or cannot be done, before anything is done.
func (u *updatePlan) refuse(ctx context.Context, r *vmResource, diags *diag.Diagnostics) {
	u.change.image.refuseUnknown(&u.state, &u.plan, diags)
	tfkit.RefuseDigits(u.state.Name, u.plan.Name, path.Root("name"), "virtual machine", diags)
	refuseContradiction(&u.state, &u.config, &u.plan, diags)
	r.refuseTwoGroups(ctx, &u.state, &u.config, &u.plan, diags)
	u.refuseThirdPlace(r.data.Account, diags)
	if len(u.replace) > 0 {
		u.refuseReplacement(ctx, r, diags)
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

// withWayOut adds to each refusal that a destroy goes through: Terraform plans
// normally before it plans a destroy, unless it is told not to refresh.
func (u *updatePlan) withWayOut(refusals diag.Diagnostics) diag.Diagnostics {
	if u.state.DeletionProtection.ValueBool() {
		return refusals
	}
	for i, refusal := range refusals {
		at, ok := refusal.(diag.DiagnosticWithPath)
		if ok && refusal.Severity() == diag.SeverityError {
			refusals[i] = diag.NewAttributeErrorDiagnostic(at.Path(), refusal.Summary(),
				refusal.Detail()+"\n\nTo destroy the machine as it is, run terraform destroy -refresh=false.")
		}
	}
	return refusals
}

// refuseLoss keeps deletion_protection: it protects data, not only the machine.
func (u *updatePlan) refuseLoss(diags *diag.Diagnostics) {
	if !u.state.DeletionProtection.ValueBool() && !u.plan.DeletionProtection.ValueBool() {
		return
	}
	const advice = "deletion_protection is true for this machine. Revert the change; or apply deletion_protection = false alone first."
	for _, disc := range u.change.discs.purge {
		diags.AddAttributeError(path.Root("disc"), fmt.Sprintf("Cannot purge disc %q of %s", disc.Label.ValueString(), u.state.title()),
			fmt.Sprintf("The configuration has no disc %q, so its data and backups would be lost. %s", disc.Label.ValueString(), advice))
	}
	if u.change.image.install {
		diags.AddAttributeError(path.Root("reimage"), "Cannot reimage "+u.state.title(), "Everything on its boot disc would be lost. "+advice)
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
	diags.AddAttributeError(path.Root("deletion_protection"), "Cannot destroy "+m.title(),
		"deletion_protection is true for this machine. To destroy it, apply deletion_protection = false first. "+
			"If the machine is tainted, run terraform untaint before that, because Terraform would replace it instead.")
}
