package tfkit

import "github.com/hashicorp/terraform-plugin-framework/resource"

// PlansOnlyChanges is a resource whose ModifyPlan, plan modifiers included, does
// nothing and says nothing for a plan that equals the state. The provider may then
// answer such a plan without asking it, which is what makes plans over a fleet
// cheap.
type PlansOnlyChanges interface {
	resource.Resource
	// PlansOnlyChanges only says so.
	PlansOnlyChanges()
}
