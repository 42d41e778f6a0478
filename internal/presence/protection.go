package presence

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// RefuseLoss reports an error if deletion_protection forbids an operation. It is called, in plans of resources and
// actions, for everything that loses data: destroying or replacing a machine, purging a disc, installing an image,
// restoring a backup, and purging a soft-deleted machine. operation is a verb and its object. lost is what is lost, and
// perhaps how to avoid that, without the last full stop.
func RefuseLoss(protection run.Protection, at path.Path, operation, lost string, diags *diag.Diagnostics) {
	const existing = "deletion_protection is true for the existing machine"
	summary := "Cannot " + operation
	allTheSame := "To " + operation + " all the same, "
	first := allTheSame + "apply deletion_protection = false first, alone."
	switch {
	case !protection.Holds():
	case protection.State && protection.Plan:
		tfkit.AddGuard(diags, at, summary, lost+". "+existing+", or this plan sets it. "+first)
	case protection.State:
		tfkit.AddGuard(diags, at, summary, lost+". "+existing+". "+first)
	default:
		tfkit.AddGuard(diags, at, summary, lost+". This plan sets deletion_protection, or may set it. "+
			allTheSame+"leave deletion_protection out of this apply, and set it in the next one.")
	}
}
