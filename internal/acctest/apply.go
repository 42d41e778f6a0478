// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// MustApply plans and applies, fails the test on any error, and returns the new object. A nil configuration destroys.
func (d *Driver) MustApply(ctx context.Context, typeName string, prior *Object, config map[string]any) *Object {
	d.t.Helper()
	plan := d.Plan(ctx, typeName, prior, config)
	d.must("plan", typeName, plan.Diagnostics)
	o, diags := d.Apply(ctx, typeName, plan)
	d.must("apply", typeName, diags)
	return o
}

// Apply applies a plan and returns the object that Terraform would store: the new one or, after an error, what the
// provider returned, tainted if it was being created, or the prior one if the provider returned nothing. Nil means that
// it does not exist.
//
// As Terraform does, it plans again first with the same configuration, and fails the test if the result differs.
func (d *Driver) Apply(ctx context.Context, typeName string, plan *PlanResult) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	return d.apply(ctx, typeName, plan, plan.config)
}

// ApplyWith is Apply for a plan whose configuration had Unknown values. config has all values.
func (d *Driver) ApplyWith(
	ctx context.Context, plan *PlanResult, config map[string]any,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	return d.apply(ctx, plan.TypeName, plan, d.config(d.resource(plan.TypeName), config))
}

func (d *Driver) apply(
	ctx context.Context, typeName string, plan *PlanResult, config tftypes.Value,
) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if unknown := unknownPaths(config, ""); len(unknown) > 0 {
		d.t.Fatalf("the test applies unknown values %v: use ApplyWith", unknown)
	}
	current := plan.Prior
	var diags []*tfprotov6.Diagnostic
	switch plan.Action {
	case ActionError:
		d.t.Fatalf("the test applies a plan that has errors:\n%s", DiagText(plan.Diagnostics))
	case ActionNoOp:
		return current, nil
	case ActionDelete:
		return d.destroy(ctx, plan)
	case ActionReplace:
		if current, diags = d.destroy(ctx, plan); HasErrors(diags) {
			return current, diags
		}
	default: // created or updated below
	}
	final := d.plan(ctx, &PlanResult{TypeName: typeName, Prior: current, config: config, ignored: plan.ignored})
	if diags = append(diags, final.Diagnostics...); HasErrors(diags) {
		return current, diags
	}
	d.checkFinal(plan, final)
	result, applied := d.applyChange(ctx, final, current)
	return result, append(diags, applied...)
}

// checkFinal compares the plan made during the apply with the first one.
func (d *Driver) checkFinal(plan, final *PlanResult) {
	d.t.Helper()
	agreed := plan.Action
	if agreed == ActionReplace {
		agreed = ActionCreate // the old object is gone by now
	}
	// An update may turn out to be none once all values are known.
	if final.Action != agreed && (agreed != ActionUpdate || final.Action != ActionNoOp) {
		d.broken("its final plan", plan.TypeName, []string{"planned to " + string(plan.Action) + ", now it is " + string(final.Action)})
	}
	s := d.resource(plan.TypeName)
	d.broken("its final plan", plan.TypeName, resultProblems(s.fields, plan.Planned, final.Planned, ""))
}

// destroy destroys the prior object of a plan.
func (d *Driver) destroy(ctx context.Context, plan *PlanResult) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	nothing := d.resource(plan.TypeName).null()
	gone := &PlanResult{
		TypeName: plan.TypeName, Action: ActionDelete, Planned: nothing, config: nothing, private: plan.private,
	}
	if plan.Action == ActionDelete { // that of a replacement is the identity of the new object
		gone.identity = plan.identity
	}
	return d.applyChange(ctx, gone, plan.Prior)
}

// applyChange makes one call of the provider, and returns the object that Terraform stores after it.
func (d *Driver) applyChange(ctx context.Context, p *PlanResult, current *Object) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if p.Action == ActionNoOp {
		return current, nil
	}
	s := d.resource(p.TypeName)
	before := s.null()
	if current != nil {
		before = current.State
	}
	resp, err := d.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName:        p.TypeName,
		PriorState:      d.encode(before),
		PlannedState:    d.encode(p.Planned),
		Config:          d.encode(p.config),
		PlannedPrivate:  p.private,
		PlannedIdentity: p.identity,
	})
	d.answered(err)
	const during = "its apply"
	state, failed := d.decode(resp.NewState, s.typ), HasErrors(resp.Diagnostics)
	d.broken(during+", still unknown", p.TypeName, unknownPaths(state, ""))
	d.broken(during, p.TypeName, writeOnlyProblems(s.fields, state, ""))
	if !failed {
		d.broken(during, p.TypeName, resultProblems(s.fields, p.Planned, state, ""))
	} else if state.IsNull() {
		return current, resp.Diagnostics
	}
	result := d.object(p.TypeName, state, resp.Private, resp.NewIdentity)
	if failed {
		result.Tainted = p.Action == ActionCreate || (current != nil && current.Tainted)
	}
	return result, resp.Diagnostics
}
