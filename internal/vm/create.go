package vm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	defaultTimeout       = 20 * time.Minute // of creates and updates
	defaultDeleteTimeout = 10 * time.Minute
)

// Create sends one vm_create and waits for the result.
func (r *vmResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config model
	diags := &resp.Diagnostics
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	timeout := tfkit.Timeout(plan.Timeouts, "create", defaultTimeout)
	request := plan.createRequest(config)
	if diags.HasError() || !r.Data.RequireReady("create "+plan.fullTitle(), diags) {
		return
	}
	ctx = progress.NewContext(ctx, plan.fullTitle(), nil)
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	running := r.Data.Running.Begin()
	defer running.End()
	created, err := r.create(ctx, &plan, request, running)
	if err != nil {
		r.addCreateError(ctx, &plan, err, diags)
		r.addReplaced(&plan, diags)
		return
	}
	presence.WarnAdopted(path.Root("name"), run.ObjectWithID(run.VirtualMachine, created.ID), fmt.Sprintf("name %q", plan.Name.ValueString()),
		created.Unconfirmed, diags)
	// The ID is saved before any wait, so that the machine is tracked whatever happens from here on.
	tracked := plan
	tracked.complete(ctx, r.Data.Fleet.Directory, plan, created)
	r.rememberState(&tracked)
	p := private{Discs: observedDiscs{}.compact(plan.discs())} // they have the labels that they are created with
	if plan.Reimage.IsNull() {
		p.From = imageless
	}
	p.Unready = !plan.Ready.IsNull() && plan.PowerOn.ValueBool()
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	tracked.save(ctx, &resp.State, resp.Identity, diags)
	address := tracked.address(r.Data.Fleet.Directory)
	address.Created = true
	address.Origin.ExpectDomain(r.domainIn(address.Account))
	r.Data.Fleet.Wrote(address)

	var last *cloudserver.VirtualMachine // as last seen; nil: never seen
	asAsked := func(vm *cloudserver.VirtualMachine) bool {
		last = vm
		return vm.IsOn() || !plan.PowerOn.ValueBool()
	}
	wanted := operation.PoweredOn
	if !plan.PowerOn.ValueBool() {
		wanted = "the machine to be created"
	}
	seen, err := r.Data.Fleet.Wait(ctx, address, wanted, asAsked)
	if err != nil {
		if last != nil { // the answer to the creation may have had neither hostname nor discs, which distinguish the machine from others
			before := tracked
			tracked = plan
			tracked.complete(ctx, r.Data.Fleet.Directory, before, withDiscs(last, created.Discs))
			r.rememberState(&tracked)
		}
		tracked.PowerOn = types.BoolNull() // the machine was never as planned
		if last != nil {
			tracked.PowerOn = types.BoolPointerValue(last.PowerOn)
		}
		tracked.save(ctx, &resp.State, resp.Identity, diags)
		tracked.addUnfinished(ctx, diags, err)
		return
	}
	plan.complete(ctx, r.Data.Fleet.Directory, plan, seen)
	r.rememberAddresses(&plan, "")
	r.rememberState(&plan)
	plan.save(ctx, &resp.State, resp.Identity, diags)
	if !p.Unready {
		return
	}
	if err := r.awaitReady(whole, &plan); err != nil {
		plan.addUnfinished(ctx, diags, err)
		return
	}
	p.Unready = false
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
}

// withDiscs returns the machine with these discs, if it is shown without any.
func withDiscs(vm *cloudserver.VirtualMachine, discs []cloudserver.Disc) *cloudserver.VirtualMachine {
	shown := *vm
	if len(shown.Discs) == 0 {
		shown.Discs = discs
	}
	return &shown
}

// checkFound returns an error if a machine that was found by its name after a failure is not known to be of the service
// that this process knows: another one may have answered since.
func (r *vmResource) checkFound(ctx context.Context, plan *model, found *cloudserver.VirtualMachine) error {
	at := origin.Place{Group: plan.Group.ValueString(), Account: plan.Account.ValueString()}
	known := origin.Known(found.ID, "", plan.Name.ValueString(), at, nil, r.Data.Fleet.Directory.Finder(at.Account))
	known.ExpectDomain(r.domainIn(at.Account))
	if err := known.Admit(ctx, found, time.Time{}); err != nil {
		return &cloudserver.AmbiguousError{What: plan.title(), Err: found.Unconfirmed, LookErr: err}
	}
	return nil
}

// create sends vm_create. If the name is taken, it tries again, because another operation of this run may free the
// name. A refused request has created nothing.
func (r *vmResource) create(
	ctx context.Context, plan *model, request cloudserver.VirtualMachineCreate, running *run.Operation,
) (*cloudserver.VirtualMachine, error) {
	account := plan.Account.ValueString()
	if err := r.checkGroups(ctx, plan); err != nil {
		return nil, err
	}
	element, err := r.Data.Fleet.Directory.Element(ctx, account, plan.Group.ValueString(), tfkit.IDOf(plan.GroupID))
	if err != nil {
		return nil, err
	}
	request.Look = r.look(ctx, account, element, request.VirtualMachine.Name)
	var created *cloudserver.VirtualMachine
	ask := func() error {
		created, err = r.Data.Client.CreateVirtualMachine(ctx, account, element, request)
		return err
	}
	if err = r.withHolder(ctx, element, ask()); isNameTaken(err) {
		err = r.withHolder(ctx, element, running.AwaitName(ctx, request.VirtualMachine.Name, err, isNameTaken, ask))
	}
	if err == nil && created.Unconfirmed != nil {
		err = r.checkFound(ctx, plan, created)
	}
	return created, err
}

// addCreateError reports that vm_create failed.
func (r *vmResource) addCreateError(ctx context.Context, m *model, err error, diags *diag.Diagnostics) {
	summary := CannotCreate + " " + m.fullTitle()
	longer := tfkit.Longer(ctx.Err(), "timeouts.create") // the timeout covers the whole create, whatever failed last
	taken, isTaken := errors.AsType[*cloudserver.NameTaken](err)
	ambiguous, isAmbiguous := errors.AsType[*cloudserver.AmbiguousError](err)
	conflict, isConflict := errors.AsType[*attributeError](err)
	switch {
	case isConflict:
		diags.AddAttributeError(conflict.at, summary, conflict.detail+" "+tfkit.NothingCreated)
	case isTaken:
		detail := r.takenAdvice(ctx, taken)
		if taken.Err != nil {
			detail = tfkit.Sentence(taken.Err.Error()) + " " + detail
		}
		if wait, ok := errors.AsType[*progress.Unfinished](err); ok {
			detail = tfkit.Sentence(wait.Outcome()) + " " + detail
		}
		diags.AddAttributeError(path.Root("name"), summary, detail)
	case isAmbiguous && ambiguous.Found != 0:
		tfkit.AddError(diags, summary, err, m.attributePath, "Nobody can tell an old machine from a new one here: this process has not looked at the name before. "+
			"Look at the machine. If it is the one that you mean, import it:\n\n"+importBlock(ambiguous.Found))
	case isAmbiguous:
		tfkit.AddError(diags, summary, err, m.attributePath,
			"If the machine was created after all, the next plan says that its name is taken, with the import block for it. "+longer)
	case cloudserver.IsNotFound(err):
		missing := r.missingLocationError(ctx, m, err, tfkit.NothingCreated)
		diags.AddAttributeError(missing.at, summary, missing.detail)
	default:
		tfkit.AddError(diags, summary, err, m.attributePath, tfkit.NothingCreated+" "+longer)
	}
}

// addUnfinished reports that a machine exists, but that the wait for it failed. ctx has the deadline of the creation.
func (m *model) addUnfinished(ctx context.Context, diags *diag.Diagnostics, err error) {
	if cloudserver.IsNotFound(err) {
		diags.AddError("Created "+m.fullTitle()+", but it is gone", tfkit.Detail(err,
			fmt.Sprintf("The machine (ID %s) "+DeletedElsewhere+" while the provider waited for it. The next apply creates it again.", m.ID.ValueString())))
		return
	}
	until := "To keep it, wait until it is on and run `terraform untaint` with the address of this resource. " + tfkit.Longer(ctx.Err(), "timeouts.create")
	if _, on := errors.AsType[*ready.Error](err); on {
		until = "To keep it, run `terraform untaint` with the address of this resource: the next apply waits for it again. " + m.readyAdvice(err)
	}
	advice := fmt.Sprintf("The machine exists (ID %s) and is in the state, marked as tainted: the next apply would replace it. ",
		m.ID.ValueString()) + strings.TrimSpace(until)
	if !m.mayPurge() {
		advice += " Replacing it soft-deletes it, because purge_on_destroy is false, and its name stays taken: untaint it, or purge it first."
	}
	diags.AddError("Created "+m.fullTitle()+", but it is not ready", tfkit.Detail(err, "")+"\n\n"+advice) // not through Detail, which may shorten it
}
