package tfkit

import "context"

// UnchangedPlanner is implemented by resources that know what a plan does in which nothing changes, so that it is
// answered without the plugin framework (package fastplan). Without it, the framework makes every plan of a resource.
type UnchangedPlanner interface {
	// PlanUnchanged reports whether the framework, with the plan modifiers and the ModifyPlan of the resource, would
	// plan the state as it is, and report nothing. If so, it notes what ModifyPlan would note, and leaves in p.Private
	// what the plan leaves.
	PlanUnchanged(ctx context.Context, d *ProviderData, p UnchangedPlan) bool
}

// UnchangedPlan is a plan for which Terraform proposes the prior state, and in which no default of the schema applies.
type UnchangedPlan struct {
	State   Attributes
	Config  func() Attributes // decoded by the first call
	Private PrivateState
}

// PrivateState is a private state that can be read and written.
type PrivateState interface {
	PrivateReader
	PrivateWriter
}
