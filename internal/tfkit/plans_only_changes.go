package tfkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// PlansOnlyChanges is a resource whose ModifyPlan and plan modifiers do nothing
// for a plan that equals the state. The provider answers such a plan without the
// framework, which makes plans over many machines fast.
type PlansOnlyChanges interface {
	resource.Resource
	// PlanUnchanged notes a plan that equals the state, of which it is given the
	// texts and truth values by their names. It returns what the plan has in its private state, by
	// key. It reports false where the framework has to plan.
	PlanUnchanged(ctx context.Context, data *ProviderData, text func(name string) string) (key string, value []byte, ok bool)
}
