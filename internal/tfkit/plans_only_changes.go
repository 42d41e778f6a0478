package tfkit

import (
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// PlansOnlyChanges is a resource whose ModifyPlan and plan modifiers do nothing
// for a plan that equals the state. The provider answers such a plan without the
// framework, which makes plans over many machines fast.
type PlansOnlyChanges interface {
	resource.Resource
	// PlansOnlyChanges reports whether that holds for one object. IsTrue reports
	// whether an attribute of its state is true.
	PlansOnlyChanges(isTrue func(name string) bool) bool
}
