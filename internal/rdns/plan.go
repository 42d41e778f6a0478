// SPDX-License-Identifier: MPL-2.0

package rdns

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ModifyPlan warns of a new name that the service may refuse, and replaces the resource if its address is another one. An
// unknown address is another one only if this plan makes or moves machines: otherwise it comes from elsewhere, and is
// usually the same.
func (r *rdnsResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() || req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	var state, plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		diags.Append(req.State.Get(ctx, &state)...)
	}
	if tfkit.Given(plan.Hostname) && r.Data.PlanChecks {
		warnUnusual(strings.TrimSuffix(plan.Hostname.ValueString(), "."), diags)
	}
	if !req.State.Raw.IsNull() && tfkit.IsOther(plan.Address, state.Address, r.Data.MovesMachines.Load()) {
		resp.RequiresReplace = path.Paths{path.Root("address")}
	}
}

// warnUnusual warns of a name that the service may refuse.
func warnUnusual(name string, diags *diag.Diagnostics) {
	var why string
	switch {
	case !strings.Contains(name, "."):
		why = "It has no dot. Set a fully qualified name, such as www.example.com."
	case strings.Contains(name, "_"):
		why = "The name of a host has letters, digits and hyphens, and no underscore."
	default:
		return
	}
	diags.AddAttributeWarning(path.Root("hostname"), fmt.Sprintf("The service may refuse the name %q", name), why)
}
