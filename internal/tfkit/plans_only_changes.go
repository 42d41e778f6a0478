package tfkit

import "github.com/hashicorp/terraform-plugin-framework/resource"

// PlansOnlyChanges is a resource whose ModifyPlan and plan modifiers do nothing
// for a plan that equals the state. The provider answers such a plan without the
// framework, which makes plans over many machines fast.
type PlansOnlyChanges interface {
	resource.Resource
	// PlansOnlyChanges marks the resource.
	PlansOnlyChanges()
}
