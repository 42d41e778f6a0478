package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Update changes the machine step by step, as the plan shows. The configuration
// is read for write-only values and nothing else, because ignore_changes is not
// applied to it.
func (r *vmResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan, config model
	diags := &resp.Diagnostics
	diags.Append(state.get(ctx, req.State.Raw)...)
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	p := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	p.Kept, p.Protected = nil, state.DeletionProtection.ValueBool()
	tfkit.SavePrivate(ctx, resp.Private, p, diags) // what is of the plan alone must not stay on any way out
	timeout := tfkit.Timeout(plan.Timeouts, "update", defaultTimeout)
	if diags.HasError() || !r.Data.RequireReady("update "+state.place(), diags) || !state.hasID("update", diags) {
		return
	}
	endTurn, err := r.Data.Turns.Take(ctx, "virtual machine "+state.ID.ValueString())
	if err != nil {
		state.addError(diags, "update", err, "Run apply again.")
		return
	}
	defer endTurn()
	running := r.Data.Running.Begin()
	defer running.End()

	u := &update{
		resource: r, running: running, state: state, plan: plan,
		change: decide(&state, &plan, p), image: plan.image(config),
		machine: state.operate(r.Data, plan.ShutdownTimeout), discs: state.discs(),
	}
	failed, err := u.run(ctx, timeout)
	if failed == nil {
		u.plan.complete(ctx, r.Data, state, cmp.Or(u.machine.Last, &cloudserver.VirtualMachine{ID: state.numericID()}))
		err = u.awaitReady(ctx)
	}
	u.endPlace(err)
	applied := u.plan
	switch {
	case failed != nil:
		u.report(failed, err, diags)
		if !u.machine.Wrote && u.machine.Last == nil && !cloudserver.IsNotFound(err) {
			return // nothing was asked of the service: the state is what it was
		}
		applied, p = u.recover(ctx, p, diags)
	case err != nil:
		u.plan.addNotReady(err, diags)
		fallthrough
	default:
		p = u.applied(p, err != nil)
	}
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	applied.save(ctx, &resp.State, resp.Identity, diags)
}

// update is one change of one machine, from its state to a plan.
type update struct {
	resource    *vmResource
	running     *run.Operation
	state, plan model
	change      change
	discs       []discModel // that are this machine's own, as far as the update has come
	image       cloudserver.Reimage
	machine     *operation.Machine
	place       *run.Place // among those that may be down

	moveTo  *int64 // id of another group
	renamed bool   // the machine's own group has another name now
}

// step is one part of an update. Verb completes "Cannot … virtual machine", and
// blame finds the attribute that a refusal is about.
type step struct {
	verb  string
	blame tfkit.AttributePath
	do    func(context.Context) error
}

// run goes through the steps and stops at the first that fails. Nobody who holds a
// place waits for a name. Waiting for a place is not part of the timeout.
func (u *update) run(ctx context.Context, timeout time.Duration) (failed *step, err error) {
	began, naming := time.Now(), "move"
	if differs(u.state.Name, u.plan.Name) {
		naming = "rename"
	}
	failed, err = runSteps(ctx, timeout, []step{
		{"update", nil, u.refuseStarted},
		{"move", u.plan.attributePath, u.findGroup},
		{naming, u.plan.attributePath, u.takeName},
	})
	if err != nil {
		return failed, err
	}
	timeout -= time.Since(began)
	if err := u.takePlace(ctx); err != nil {
		return &step{verb: "update"}, err
	}
	steps := append([]step{
		{"stop", u.plan.attributePath, u.stopFirst},
		{"update", u.plan.attributePath, u.configure},
	}, u.discSteps()...)
	return runSteps(ctx, timeout, append(steps,
		step{"reimage", u.plan.attributePath, u.reimage},
		step{"set the power of", u.plan.attributePath, u.setPower},
		step{"read", nil, u.lookLast},
	))
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

// takePlace waits until the machine may go down. An update that takes nothing down
// never waits, unless its machine is not ready.
func (u *update) takePlace(ctx context.Context) error {
	if !u.change.restarts() && !u.change.owesReady {
		return nil
	}
	return u.running.Wait(func() (err error) {
		u.place, err = u.resource.Data.Rollout.Take(ctx, u.state.title(), func(text string) { tflog.Info(ctx, u.state.title()+": "+text) })
		return err
	})
}

// endPlace gives the place back, but not that of a machine which may be down.
func (u *update) endPlace(err error) {
	if _, down := errors.AsType[*operation.NotReadyError](err); !down && !u.machine.Touched {
		err = nil
	}
	u.place.End(err)
}

// refuseStarted finds a machine that was off when the plan was made, and is on
// now: nobody saw a restart in that plan.
func (u *update) refuseStarted(ctx context.Context) error {
	if u.change.on || len(u.change.stopsFor) == 0 {
		return nil
	}
	if err := u.machine.LookAgain(ctx); err != nil || !u.machine.On {
		return err
	}
	return &attributeError{path.Root(u.change.stopsFor[0]), "The machine was off when the plan was made, and somebody has switched it on since. Nothing was changed. Run apply again, for a plan that shows the restart."}
}

// stopFirst stops a machine that is to be off, or has to be for the change.
func (u *update) stopFirst(ctx context.Context) error {
	if u.change.stops() || len(u.change.stopsFor) > 0 {
		return u.machine.Stop(ctx)
	}
	return nil
}

// configure sends everything that one PUT can change, so that the service
// accepts it as a whole or not at all.
func (u *update) configure(ctx context.Context) error {
	request := cloudserver.VirtualMachineUpdate{Settings: u.plan.changedSettings(&u.state)}
	if request.IsZero() {
		return nil
	}
	return u.machine.Put(ctx, request)
}

// discSteps are the calls for a machine's discs (API.md §4), what keeps data
// first. Purging comes before adding: a machine has room for eight.
func (u *update) discSteps() []step {
	var steps []step
	add := func(index int, do func(context.Context) error, verb string, values ...any) {
		steps = append(steps, step{fmt.Sprintf(verb, values...), blameDisc(index), do})
	}
	for _, d := range u.change.discs.rename {
		add(d.index, func(ctx context.Context) error {
			err := u.machine.UpdateDisc(ctx, d.disc.numericID(), cloudserver.DiscUpdate{Label: d.disc.Label.ValueStringPointer()})
			if i := slices.IndexFunc(u.discs, func(own discModel) bool { return own.ID.Equal(d.disc.ID) }); err == nil && i >= 0 {
				u.discs[i].Label = d.disc.Label
			}
			return err
		}, "rename disc %s to %s of", d.had.Label, d.disc.Label)
	}
	for _, d := range u.change.discs.grow {
		add(d.index, func(ctx context.Context) error {
			return u.machine.UpdateDisc(ctx, d.disc.numericID(), cloudserver.DiscUpdate{Size: d.disc.Size.ValueInt64Pointer()})
		}, "grow disc %s to %s megabytes of", d.disc.Label, d.disc.Size)
	}
	for _, d := range u.change.discs.purge {
		add(-1, func(ctx context.Context) error { return u.machine.PurgeDisc(ctx, d.numericID()) }, "purge disc %s of", d.Label)
	}
	for _, d := range u.change.discs.add {
		add(d.index, func(ctx context.Context) error {
			err := u.machine.AddDisc(ctx, d.disc.toAPI())
			if err == nil {
				u.discs = append(u.discs, d.disc)
			}
			return err
		}, "add disc %s to", d.disc.Label)
	}
	return steps
}

// blameDisc finds the attribute of the block at index; -1 is the list.
func blameDisc(index int) tfkit.AttributePath {
	return func(problem cloudserver.Problem) (path.Path, bool) { return discPath(index, problem.Attribute), true }
}

func (u *update) reimage(ctx context.Context) error {
	if !u.change.image.install {
		return nil
	}
	return u.machine.Reimage(ctx, u.image)
}

// setPower ends the update with the planned power. Power that neither the plan
// nor the update changes is left alone: somebody may have changed it since.
func (u *update) setPower(ctx context.Context) error {
	if u.change.power == nil && !u.machine.Touched && !differs(u.state.AutorebootOn, u.plan.AutorebootOn) {
		return nil
	}
	autoreboot := u.machine.WasAutoreboot
	if tfkit.Given(u.plan.AutorebootOn) {
		autoreboot = u.plan.AutorebootOn.ValueBool()
	}
	return u.machine.SetPower(ctx, u.plan.staysOn(&u.state), autoreboot)
}

// lookLast reads the machine once, unless nothing was sent.
func (u *update) lookLast(ctx context.Context) error {
	if !u.machine.Wrote && !u.renamed {
		return nil
	}
	_, err := u.machine.Look(ctx)
	return err
}
