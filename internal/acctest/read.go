package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// upgrade passes the state of an object to the provider, as Terraform does before anything else.
func (d *Driver) upgrade(ctx context.Context, o *Object) []*tfprotov6.Diagnostic {
	d.t.Helper()
	stored, err := o.JSON()
	if err != nil {
		d.t.Fatalf("the state of %s: %v", o.TypeName, err)
	}
	s := d.resource(o.TypeName)
	resp, err := d.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: o.TypeName, Version: s.version, RawState: &tfprotov6.RawState{JSON: []byte(stored)},
	})
	if err != nil {
		return callFailed(err)
	}
	if upgraded := d.decode(resp.UpgradedState, s.typ); !HasErrors(resp.Diagnostics) && !upgraded.Equal(o.State) {
		d.broken("its upgrade of a state", o.TypeName, changedPaths(o.State, upgraded, ""))
	}
	return resp.Diagnostics
}

// Refresh reads an object again. The result is nil if the object is gone. After an error it is the object as it was.
func (d *Driver) Refresh(ctx context.Context, o *Object) (*Object, []*tfprotov6.Diagnostic) {
	d.t.Helper()
	read, _, diags := d.refresh(ctx, o)
	return read, diags
}

// RefreshAndPlan refreshes an object and plans it, as `terraform plan` does. If the object is gone, the plan of its
// creation gets the private state that the read has left. The diagnostics are those of the refresh and of the plan.
func (d *Driver) RefreshAndPlan(
	ctx context.Context, o *Object, config map[string]any, options ...PlanOption,
) *PlanResult {
	d.t.Helper()
	read, left, diags := d.refresh(ctx, o)
	if HasErrors(diags) {
		return &PlanResult{TypeName: o.TypeName, Action: ActionError, Prior: o, Planned: d.resource(o.TypeName).null(), Diagnostics: diags}
	}
	collected := collect(options)
	collected.left = left
	s := d.resource(o.TypeName)
	plan := d.plan(ctx, o.TypeName, read, d.config(s, config), collected)
	plan.Diagnostics = append(diags, plan.Diagnostics...)
	return plan
}

// refresh is Refresh, and also returns the private state of a read that found the object gone.
func (d *Driver) refresh(ctx context.Context, o *Object) (read *Object, left []byte, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	if o == nil {
		return nil, nil, nil
	}
	if diags = d.upgrade(ctx, o); HasErrors(diags) {
		return o, nil, diags
	}
	read, left, more := d.read(ctx, o)
	return read, left, append(diags, more...)
}

// read reads an object after the upgrade of its state, or after an import. If it is gone, left is the private state
// that the provider returned.
func (d *Driver) read(ctx context.Context, o *Object) (read *Object, left []byte, diags []*tfprotov6.Diagnostic) {
	d.t.Helper()
	s := d.resource(o.TypeName)
	resp, err := d.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName:        o.TypeName,
		CurrentState:    d.encode(o.State),
		Private:         o.Private,
		CurrentIdentity: o.Identity,
	})
	if err != nil {
		return o, nil, callFailed(err)
	}
	if HasErrors(resp.Diagnostics) {
		return o, nil, resp.Diagnostics
	}
	state := d.decode(resp.NewState, s.typ)
	d.broken("its read", o.TypeName, writeOnlyProblems(s.fields, state, ""))
	d.broken("its read, unknown", o.TypeName, unknownPaths(state, ""))
	if read = d.object(o.TypeName, state, resp.Private, resp.NewIdentity); read == nil {
		return nil, resp.Private, resp.Diagnostics
	}
	read.Tainted = o.Tainted
	return read, nil, resp.Diagnostics
}

// MustApply plans and applies, fails the test on any error, and returns the new object. A nil configuration destroys.
func (d *Driver) MustApply(ctx context.Context, typeName string, prior *Object, config map[string]any) *Object {
	d.t.Helper()
	plan := d.Plan(ctx, typeName, prior, config)
	d.must("plan", typeName, plan.Diagnostics)
	o, diags := d.Apply(ctx, typeName, plan)
	d.must("apply", typeName, diags)
	return o
}

// MustRefresh reads an object again, and fails the test on any error.
func (d *Driver) MustRefresh(ctx context.Context, o *Object) *Object {
	d.t.Helper()
	read, diags := d.Refresh(ctx, o)
	if o != nil {
		d.must("refresh", o.TypeName, diags)
	}
	return read
}

// ExpectPlan refreshes an object, plans it, and fails the test if the plan has another action. It returns the plan.
func (d *Driver) ExpectPlan(
	ctx context.Context, o *Object, config map[string]any, want Action, options ...PlanOption,
) *PlanResult {
	d.t.Helper()
	plan := d.Plan(ctx, o.TypeName, d.MustRefresh(ctx, o), config, options...)
	if plan.Action != want {
		d.t.Errorf("plan %s: want %s, got %s of %v\n%s", o.TypeName, want, plan.Action, plan.Changes(), DiagText(plan.Diagnostics))
	}
	return plan
}
