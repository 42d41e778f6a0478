// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Action is what a plan does to a resource.
type Action string

// What a plan can come to. ActionError is a plan that has errors.
const (
	ActionNoOp    Action = "no-op"
	ActionCreate  Action = "create"
	ActionUpdate  Action = "update"
	ActionReplace Action = "replace"
	ActionDelete  Action = "delete"
	ActionError   Action = "error"
)

// PlanResult is the result of Plan.
type PlanResult struct {
	TypeName        string
	Action          Action
	Prior           *Object
	Planned         tftypes.Value // null for a destroy
	RequiresReplace []string      // dotted paths whose change forces the replacement
	Diagnostics     []*tfprotov6.Diagnostic

	config   tftypes.Value // as written
	ignored  []string      // ignore_changes
	forced   bool          // -replace
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// Errors returns the plan's errors.
func (p *PlanResult) Errors() []*tfprotov6.Diagnostic { return Errors(p.Diagnostics) }

// Warnings returns the plan's warnings.
func (p *PlanResult) Warnings() []*tfprotov6.Diagnostic { return Warnings(p.Diagnostics) }

// Empty reports whether the plan changes nothing.
func (p *PlanResult) Empty() bool { return p.Action == ActionNoOp }

// Get returns the planned value at a dotted path, like Object.Get. It returns Unknown for values that are known after
// apply.
func (p *PlanResult) Get(path string) any { return get(p.Planned, path) }

// Changes returns the dotted paths, as deep as possible, at which the planned state differs from the prior one. There
// are none for a create or a destroy.
func (p *PlanResult) Changes() []string {
	if p.Prior == nil || p.Planned.IsNull() {
		return nil
	}
	return changedPaths(p.Prior.State, p.Planned, "")
}

// Plan plans a resource with its prior object, or nil if it does not exist, and its configuration, or nil if it is to
// be destroyed. ignored are the paths of ignore_changes, with dots, such as "disc.0.size", or IgnoreAll. The test fails
// if Terraform would reject the plan.
//
// A plan may be applied by another driver, as Terraform plans and applies with two provider processes.
func (d *Driver) Plan(
	ctx context.Context, typeName string, prior *Object, config map[string]any, ignored ...string,
) *PlanResult {
	d.t.Helper()
	if config == nil {
		return d.planDestroy(ctx, typeName, prior)
	}
	return d.plan(ctx, &PlanResult{
		TypeName: typeName, Prior: prior, config: d.config(d.resource(typeName), config), ignored: ignored,
	})
}

// PlanReplace is Plan with -replace: an existing object is replaced, and the provider is not asked whether it may be
// destroyed.
func (d *Driver) PlanReplace(ctx context.Context, prior *Object, config map[string]any) *PlanResult {
	d.t.Helper()
	return d.plan(ctx, &PlanResult{
		TypeName: prior.TypeName, Prior: prior, config: d.config(d.resource(prior.TypeName), config), forced: true,
	})
}

// RefreshAndPlan refreshes an object and plans it, as `terraform plan` does. If the object is gone, the plan of its
// creation gets the private state that the read has left. The diagnostics are those of the refresh and of the plan.
func (d *Driver) RefreshAndPlan(ctx context.Context, o *Object, config map[string]any) *PlanResult {
	d.t.Helper()
	s := d.resource(o.TypeName)
	read, left, diags := d.refresh(ctx, o)
	if HasErrors(diags) {
		return &PlanResult{TypeName: o.TypeName, Action: ActionError, Prior: o, Planned: s.null(), Diagnostics: diags}
	}
	p := d.plan(ctx, &PlanResult{TypeName: o.TypeName, Prior: read, config: d.config(s, config), private: left})
	p.Diagnostics = append(diags, p.Diagnostics...)
	return p
}

// ExpectPlan refreshes an object, plans it, and fails the test if the plan has another action. It returns the plan.
func (d *Driver) ExpectPlan(
	ctx context.Context, o *Object, config map[string]any, want Action, ignored ...string,
) *PlanResult {
	d.t.Helper()
	p := d.Plan(ctx, o.TypeName, d.MustRefresh(ctx, o), config, ignored...)
	if p.Action != want {
		d.t.Errorf("plan %s: want %s, got %s of %v\n%s", o.TypeName, want, p.Action, p.Changes(), DiagText(p.Diagnostics))
	}
	return p
}

// plan completes a plan that has a configuration and, unless it creates, a prior object.
func (d *Driver) plan(ctx context.Context, p *PlanResult) *PlanResult {
	d.t.Helper()
	p.Action, p.Planned = ActionError, d.resource(p.TypeName).null()
	p.Diagnostics = d.validate(ctx, p.TypeName, p.config)
	if HasErrors(p.Diagnostics) {
		return p
	}
	from := p.Prior
	if from != nil && from.Tainted { // it is planned as if it were not there
		d.upgrade(ctx, from)
		from = nil
	}
	p.Diagnostics = append(p.Diagnostics, d.planChange(ctx, p, from)...)
	if HasErrors(p.Diagnostics) {
		return p
	}
	p.Action = p.action(from)
	if p.Action == ActionReplace && from != nil {
		// The new object starts from nothing: what is computed becomes unknown. The warnings are those of the first plan.
		if again := d.planChange(ctx, p, nil); HasErrors(again) {
			p.Action, p.Diagnostics = ActionError, append(p.Diagnostics, again...)
		}
	}
	return p
}

// action returns what a plan does to an object that was planned from another one, or from nothing.
func (p *PlanResult) action(from *Object) Action {
	switch {
	case from == nil && p.Prior == nil:
		return ActionCreate
	case from == nil, p.forced, len(p.RequiresReplace) > 0:
		return ActionReplace
	case p.Planned.Equal(from.State):
		return ActionNoOp
	default:
		return ActionUpdate
	}
}

// planDestroy lets the provider plan a destroy, which it may refuse.
func (d *Driver) planDestroy(ctx context.Context, typeName string, prior *Object) *PlanResult {
	d.t.Helper()
	nothing := d.resource(typeName).null()
	p := &PlanResult{TypeName: typeName, Action: ActionNoOp, Prior: prior, Planned: nothing, config: nothing}
	if prior == nil {
		return p
	}
	p.Action, p.Diagnostics = ActionDelete, d.planChange(ctx, p, prior)
	if HasErrors(p.Diagnostics) {
		p.Action = ActionError
	}
	return p
}

// planChange asks the provider for a plan and checks it. The plan from nothing that follows one of a replacement gets
// the private state of that one.
func (d *Driver) planChange(ctx context.Context, p *PlanResult, prior *Object) []*tfprotov6.Diagnostic {
	d.t.Helper()
	s := d.resource(p.TypeName)
	state := s.null()
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: p.TypeName, PriorPrivate: p.private}
	if prior != nil {
		d.upgrade(ctx, prior)
		state, req.PriorPrivate, req.PriorIdentity = prior.State, prior.Private, prior.Identity
	}
	config := ignoring(s.fields, state, p.config, p.ignored)
	req.Config = d.encode(config)
	req.PriorState = d.encode(state)
	req.ProposedNewState = d.encode(propose(s.fields, state, config))
	resp, err := d.server.PlanResourceChange(ctx, req)
	d.answered(err)
	if HasErrors(resp.Diagnostics) {
		return resp.Diagnostics
	}
	p.Planned = d.decode(resp.PlannedState, s.typ)
	p.private, p.identity = resp.PlannedPrivate, resp.PlannedIdentity
	d.broken("its plan", p.TypeName, planProblems(s.fields, state, config, p.Planned, ""))
	d.broken("its plan", p.TypeName, writeOnlyProblems(s.fields, p.Planned, ""))
	if prior != nil {
		p.RequiresReplace = d.replacing(state, p, resp.RequiresReplace)
	}
	return resp.Diagnostics
}

// replacing returns the paths that require a replacement and really change.
func (d *Driver) replacing(prior tftypes.Value, p *PlanResult, paths []*tftypes.AttributePath) []string {
	d.t.Helper()
	var changed []string
	for _, path := range paths {
		at := Path(path)
		was, priorErr := lookup(prior, at)
		is, plannedErr := lookup(p.Planned, at)
		if priorErr != nil && plannedErr != nil {
			d.broken("its plan", p.TypeName, []string{at + ": requires replacement, but there is no such path"})
		}
		if priorErr != nil || plannedErr != nil || !is.Equal(was) || !is.IsKnown() {
			changed = append(changed, at)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}
