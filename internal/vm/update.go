package vm

import (
	"cmp"
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Update changes the machine step by step, as the plan shows. The configuration is read for write-only values only,
// because ignore_changes is not applied to it.
func (r *vmResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan, config model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	p.marks = marks{}
	tfkit.SavePrivate(ctx, resp.Private, p, diags) // without the marks of the plan, however Update ends
	timeout := tfkit.Timeout(plan.Timeouts, "update", defaultTimeout)
	if diags.HasError() || !r.Data.RequireReady("update "+state.fullTitle(), diags) || !state.hasID("update", diags) {
		return
	}
	ctx = progress.NewContext(ctx, state.title(), nil)
	endTurn, err := r.Data.Turns.Take(ctx, state.object())
	if err != nil {
		state.addError(diags, "update", err, "Run apply again.")
		return
	}
	defer endTurn()
	running := r.Data.Running.Begin()
	defer running.End()
	if differs(state.Name, plan.Name) || plan.moves(&state) {
		running.Frees(state.object())
	}

	u := &update{
		resource: r, running: running, state: state, plan: plan,
		change: newChange(&state, &plan, p, changeDiscs(state.discs(), plan.discs(), p.Discs, p.From == imported)), image: plan.image(config),
		machine: state.operate(r.Data, &plan), discs: state.discs(), private: p,
	}
	u.machine.Expect = u.expect
	failed, err := u.run(ctx, timeout)
	diags.Append(u.warnings...)
	if failed == nil {
		u.plan.complete(ctx, r.Data.Fleet.Directory, state, cmp.Or(u.machine.Last, &cloudserver.VirtualMachine{ID: state.numericID()}))
		err = u.awaitReadyAgain(ctx)
	}
	u.endSlot(err)
	applied := u.plan
	if failed != nil {
		u.report(failed, err, diags)
		if !u.machine.Wrote && (origin.IsOther(err) || u.machine.Last == nil && !cloudserver.IsNotFound(err)) {
			return // nothing was sent, so the state is unchanged
		}
		applied, p = u.afterFailure(ctx, p, diags)
	} else {
		if err != nil {
			u.addNotReady(err, diags)
		}
		p = u.afterSuccess(p, err != nil)
	}
	r.rememberState(&applied)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	applied.save(ctx, &resp.State, resp.Identity, diags)
}

// update is one change of one machine, from its state to a plan.
type update struct {
	resource    *vmResource
	running     *run.Operation
	state, plan model
	private     private // of the last refresh, without discs that were purged since
	change      change
	discs       []discModel // the machine's discs so far
	image       cloudserver.Reimage
	machine     *operation.Machine
	slot        *run.Slot // among the machines that may be down
	warnings    diag.Diagnostics

	moveTo      *int64 // id of another group
	moveAccount string // of that group
	renamed     bool   // the machine's group was renamed
}

// setPower is the verb of the step that no value of the configuration can make succeed.
const setPower = "set the power of"

// step is one part of an update. verb completes "Cannot … virtual machine", and blame finds the attribute that a
// refusal is about.
type step struct {
	verb  string
	blame tfkit.AttributePath
	do    func(context.Context) error
}

// run makes the steps and stops at the first that fails. An update that holds a slot never waits for a name. Waiting
// for a slot is not part of the timeout.
func (u *update) run(ctx context.Context, timeout time.Duration) (failed *step, err error) {
	began, naming := time.Now(), "move"
	if u.change.renames {
		naming = "rename"
	}
	failed, err = runSteps(ctx, timeout, []step{
		{"update", nil, u.lookFirst},
		{"purge a disc of", nil, u.refuseLabelWanted},
		{"move", u.plan.attributePath, u.findGroup},
		{naming, u.plan.attributePath, u.takeName},
	})
	if err != nil {
		return failed, err
	}
	timeout -= time.Since(began)
	if err := u.takeSlot(ctx); err != nil {
		return &step{verb: "update"}, err
	}
	steps := append([]step{
		{"update", nil, u.refuseOtherPower},
		{"stop", u.plan.attributePath, u.stopFirst},
		{"update", u.plan.attributePath, u.configure},
	}, u.discSteps()...)
	return runSteps(ctx, timeout, append(steps,
		step{"reimage", u.plan.attributePath, u.reimage},
		step{setPower, u.plan.attributePath, u.setPower},
		step{"read", nil, u.lookLast},
	))
}

// lookFirst makes sure, before anything is sent, that the machine is the one in the state: another service may have
// another machine with the same ID. Nor is a machine stopped for an image whose boot disc it has lost.
func (u *update) lookFirst(ctx context.Context) error {
	if !u.change.sends() {
		return nil
	}
	vm, err := u.machine.LookByID(ctx)
	if err == nil && u.change.image.install {
		err = operation.CheckBootDisc(vm, u.bootDisc())
	}
	return err
}

func runSteps(ctx context.Context, timeout time.Duration, steps []step) (failed *step, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for _, s := range steps {
		if err := s.do(ctx); err != nil {
			return &s, err
		}
	}
	return nil, nil
}

// lookLast reads the machine once, unless nothing was sent.
func (u *update) lookLast(ctx context.Context) error {
	if !u.machine.Wrote && !u.renamed {
		return nil
	}
	_, err := u.machine.Look(ctx)
	return err
}
