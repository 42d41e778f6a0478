package presence

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// RefuseLoss reports an error where deletion_protection forbids an operation. Whatever
// loses data is asked about here: destroying or replacing a machine, purging a disc,
// installing an image, restoring a backup, purging a soft-deleted machine; in plans of
// resources and of actions. Lost is a sentence about what would be lost, without a full
// stop.
func RefuseLoss(protection run.Protection, at path.Path, summary, lost string, diags *diag.Diagnostics) {
	const (
		existing = "deletion_protection is true for the existing machine"
		first    = "To go on, apply deletion_protection = false first, alone."
	)
	switch {
	case !protection.Holds():
	case protection.State && protection.Plan:
		diags.AddAttributeError(at, summary, lost+". "+existing+", or this plan sets it. "+first)
	case protection.State:
		diags.AddAttributeError(at, summary, lost+". "+existing+". "+first)
	default:
		diags.AddAttributeError(at, summary, lost+". This plan sets deletion_protection. To go on, do this first, and set deletion_protection in the next apply.")
	}
}
