package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// KeepSpelling is a plan modifier that keeps the value of the state if the
// configuration spells the same thing otherwise. Semantic equality of a custom type
// would not do: it does not run at plan.
type KeepSpelling struct {
	Same func(a, b string) bool
}

var _ planmodifier.String = KeepSpelling{}

// Description returns what is kept.
func (KeepSpelling) Description(context.Context) string { return "another spelling is no change" }

// MarkdownDescription returns what is kept.
func (k KeepSpelling) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyString plans the value of the state.
func (k KeepSpelling) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if Given(req.StateValue) && Given(req.PlanValue) && k.Same(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
