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
	forced   bool
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
// be destroyed. It fails the test if Terraform would reject the plan.
//
// A plan may be applied by another driver, as Terraform plans and applies with two provider processes.
func (d *Driver) Plan(
	ctx context.Context, typeName string, prior *Object, config map[string]any, options ...PlanOption,
) *PlanResult {
	d.t.Helper()
	if config == nil {
		return d.planDestroy(ctx, typeName, prior)
	}
	return d.plan(ctx, typeName, prior, d.config(d.resource(typeName), config), collect(options))
}

// PlanReplace is Plan with -replace: an existing object is replaced, and the provider is not asked whether it may be
// destroyed.
func (d *Driver) PlanReplace(
	ctx context.Context, prior *Object, config map[string]any, options ...PlanOption,
) *PlanResult {
	d.t.Helper()
	o := collect(options)
	o.force = true
	return d.plan(ctx, prior.TypeName, prior, d.config(d.resource(prior.TypeName), config), o)
}

func (d *Driver) plan(
	ctx context.Context, typeName string, prior *Object, config tftypes.Value, o planOptions,
) *PlanResult {
	d.t.Helper()
	s := d.resource(typeName)
	p := &PlanResult{
		TypeName: typeName, Action: ActionError, Prior: prior, Planned: s.null(), config: config, ignored: o.ignored,
		forced: o.force, private: o.left,
	}
	if p.Diagnostics = d.validate(ctx, typeName, config); HasErrors(p.Diagnostics) {
		return p
	}
	from := prior // a tainted object is planned as if it were not there
	if prior != nil && prior.Tainted {
		from = nil
		p.Diagnostics = append(p.Diagnostics, d.upgrade(ctx, prior)...)
	}
	if !d.planChange(ctx, s, p, from, false) {
		return p
	}
	p.Action = d.action(p, from)
	if p.Action == ActionReplace {
		p.Action = ActionError
		// The new object starts from nothing: whatever is computed becomes unknown.
		if d.planChange(ctx, s, p, nil, true) {
			p.Action = ActionReplace
		}
	}
	if p.Action == ActionCreate && prior != nil {
		p.Action = ActionReplace
	}
	return p
}

// action returns the plan's action, ignoring paths that require a replacement but do not change.
func (d *Driver) action(p *PlanResult, known *Object) Action {
	switch {
	case known == nil:
		return ActionCreate
	case p.forced || len(p.RequiresReplace) > 0:
		return ActionReplace
	case p.Planned.Equal(known.State):
		return ActionNoOp
	default:
		return ActionUpdate
	}
}

// planChange asks the provider for a plan and checks it. If it asks again for a replacement, the provider gets the
// private state of its first answer. The first warnings are dropped, because the second plan has the same ones.
func (d *Driver) planChange(ctx context.Context, s *schema, p *PlanResult, prior *Object, again bool) bool {
	d.t.Helper()
	state := s.null()
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: p.TypeName, PriorPrivate: p.private}
	if prior != nil {
		state, req.PriorPrivate, req.PriorIdentity = prior.State, prior.Private, prior.Identity
	}
	config := ignoring(s.fields, state, p.config, p.ignored)
	req.Config = d.encode(config)
	req.PriorState = d.encode(state)
	req.ProposedNewState = d.encode(propose(s.fields, state, config))
	if prior != nil {
		if p.Diagnostics = append(p.Diagnostics, d.upgrade(ctx, prior)...); HasErrors(p.Diagnostics) {
			return false
		}
	}
	resp, err := d.server.PlanResourceChange(ctx, req)
	if err != nil {
		p.Diagnostics = append(p.Diagnostics, callFailed(err)...)
		return false
	}
	if !again || HasErrors(resp.Diagnostics) {
		p.Diagnostics = append(p.Diagnostics, resp.Diagnostics...)
	}
	if HasErrors(resp.Diagnostics) {
		return false
	}
	p.Planned = d.decode(resp.PlannedState, s.typ)
	p.private, p.identity = resp.PlannedPrivate, resp.PlannedIdentity
	d.broken("its plan", p.TypeName, planProblems(s.fields, state, config, p.Planned, ""))
	d.broken("its plan", p.TypeName, writeOnlyProblems(s.fields, p.Planned, ""))
	if prior != nil {
		p.RequiresReplace = d.replacing(state, p, resp.RequiresReplace)
	}
	return true
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

// planDestroy lets the provider plan a destroy, which it may refuse, and for which it may store private state.
func (d *Driver) planDestroy(ctx context.Context, typeName string, prior *Object) *PlanResult {
	d.t.Helper()
	s := d.resource(typeName)
	p := &PlanResult{TypeName: typeName, Action: ActionNoOp, Prior: prior, Planned: s.null(), config: s.null()}
	if prior == nil {
		return p
	}
	p.Action = ActionError
	if d.planChange(ctx, s, p, prior, false) {
		p.Action = ActionDelete
	}
	return p
}
