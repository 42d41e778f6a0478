package vm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Create sends one vm_create and waits for what it asked for.
func (r *vmResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config model
	diags := &resp.Diagnostics
	diags.Append(plan.get(ctx, req.Plan.Raw)...)
	diags.Append(config.get(ctx, req.Config.Raw)...)
	timeout := tfkit.Timeout(plan.Timeouts, "create", defaultTimeout)
	request := plan.createRequest(config)
	if diags.HasError() || !r.Data.RequireReady("create "+plan.place(), diags) {
		return
	}
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	running := r.Data.Running.Begin()
	defer running.End()
	created, err := r.create(ctx, &plan, request, running)
	if err != nil {
		r.addCreateError(ctx, &plan, err, diags)
		return
	}
	// The id is saved before anything is waited for: whatever happens from here
	// on, the machine is tracked.
	tracked := plan
	tracked.complete(ctx, r.Data, plan, created)
	p := private{Protected: plan.DeletionProtection.ValueBool(), Blank: plan.Reimage.IsNull()}
	p.Unready = !plan.Ready.IsNull() && plan.PowerOn.ValueBool()
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
	tracked.save(ctx, &resp.State, resp.Identity, diags)
	address := tracked.address()
	address.Created = true
	r.Data.Fleet.Wrote(address)

	asAsked := func(vm *cloudserver.VirtualMachine) bool { return vm.IsOn() || !plan.PowerOn.ValueBool() }
	ready, err := r.Data.Fleet.Wait(ctx, address, asAsked)
	if err != nil {
		tracked.PowerOn = types.BoolNull() // it never was as planned
		if wait, ok := errors.AsType[*fleet.WaitError](err); ok && wait.Last != nil {
			tracked.complete(ctx, r.Data, tracked, wait.Last)
			tracked.PowerOn = types.BoolPointerValue(wait.Last.PowerOn)
		}
		tracked.save(ctx, &resp.State, resp.Identity, diags)
		tracked.addUnfinished(diags, err)
		return
	}
	plan.complete(ctx, r.Data, plan, ready)
	r.rememberAddresses(&plan, "")
	plan.save(ctx, &resp.State, resp.Identity, diags)
	if !p.Unready {
		return
	}
	if err := r.awaitReady(whole, &plan); err != nil {
		plan.addUnfinished(diags, err)
		return
	}
	p.Unready = false
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
}

// create sends vm_create. A name that is taken is asked for again, because another
// operation of this run may free it: nothing was created by a refused request.
func (r *vmResource) create(ctx context.Context, plan *model, request cloudserver.VirtualMachineCreate, running *run.Operation) (*cloudserver.VirtualMachine, error) {
	account := plan.Account.ValueString()
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
		err = r.withHolder(ctx, element, running.AwaitName(ctx, err, isNameTaken, ask))
	}
	return created, err
}

// look returns what this process knows of the name, as a rule from the plan's check.
// Where that, which has seconds, got no answer, it asks once more: a machine that a lost
// answer leaves could not be told from an old one.
func (r *vmResource) look(ctx context.Context, account, element, name string) (look *cloudserver.Look) {
	if r.Data.PlanChecks {
		_, look, _ = r.Data.Fleet.Holder(ctx, account, element, name) // what is wrong with the group, the creation says
	}
	return look
}

// withHolder completes the refusal of a name with the machine that holds it.
func (r *vmResource) withHolder(ctx context.Context, group string, err error) error {
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok && taken.ID == 0 {
		if vm, lookErr := r.Data.Client.VirtualMachineByName(ctx, taken.Account, group, taken.Name, cloudserver.IncludeDeleted); lookErr == nil {
			taken.ID, taken.Deleted = vm.ID, vm.Deleted
		}
	}
	return err
}

// isNameTaken reports a refusal of a name that a machine holds which is not
// soft-deleted: that one does not give it up by itself.
func isNameTaken(err error) bool {
	taken, ok := errors.AsType[*cloudserver.NameTaken](err)
	return ok && !taken.Deleted
}

// complete fills what the plan left open: with what the service reports, and else
// with what was known before. What nobody reported is null.
func (m *model) complete(ctx context.Context, data *tfkit.ProviderData, before model, vm *cloudserver.VirtualMachine) {
	reported := before
	reported.fromAPI(vm)
	if m.Group.IsUnknown() && vm.GroupID != 0 {
		reported.Group = tfkit.IDOrNull(vm.GroupID)
		if group, err := data.Fleet.Directory.GroupByID(ctx, vm.GroupID, m.Account.ValueString()); err == nil && group != nil {
			reported.Group, reported.Account = types.StringValue(group.Name), types.StringValue(group.Account)
		}
	}
	m.fill(&reported, vm.Discs)
}

// fill fills what the plan left open.
func (m *model) fill(reported *model, discs []cloudserver.Disc) {
	reported.Group, reported.Account = tfkit.PlannedOr(reported.Group, types.StringNull()), tfkit.PlannedOr(reported.Account, types.StringNull())
	m.ID = reported.ID
	tfkit.FillUnknown(&m.machine, reported.machine)
	m.EffectiveHardwareProfile = tfkit.PlannedOr(m.EffectiveHardwareProfile, reported.EffectiveHardwareProfile)
	m.Disc = discList(fillDiscs(m.discs(), discs))
}

const (
	defaultTimeout       = 20 * time.Minute // of creations and updates
	defaultDeleteTimeout = 10 * time.Minute
)

// addCreateError reports a vm_create that failed.
func (r *vmResource) addCreateError(ctx context.Context, m *model, err error, diags *diag.Diagnostics) {
	summary := "Cannot create " + m.place()
	longer := tfkit.Longer(ctx.Err(), "timeouts.create") // of the whole creation, whatever failed last
	taken, isTaken := errors.AsType[*cloudserver.NameTaken](err)
	ambiguous, isAmbiguous := errors.AsType[*cloudserver.AmbiguousError](err)
	switch {
	case isTaken:
		detail := r.holderAdvice(taken.ID, taken.Name, taken.Deleted)
		if taken.Err != nil {
			detail += "\n\n" + taken.Err.Error() + "."
		}
		diags.AddAttributeError(path.Root("name"), summary, detail)
	case isAmbiguous && ambiguous.Found != 0:
		tfkit.AddError(diags, summary, err, m.attributePath, "Nobody can tell an old machine from a new one here: this process has not looked at the name before. "+
			"Look at the machine. If it is the one that you mean, import it:\n\n"+importBlock(ambiguous.Found))
	case isAmbiguous:
		tfkit.AddError(diags, summary, err, m.attributePath, "If the machine was created after all, the next apply fails because the name is taken, and the error shows the import block for it. "+longer)
	case cloudserver.IsNotFound(err):
		at, why := r.missingPlace(ctx, m)
		diags.AddAttributeError(at, summary, tfkit.Detail(err, why()+" Nothing was created."))
	default:
		tfkit.AddError(diags, summary, err, m.attributePath, "Nothing was created. "+longer)
	}
}

// missingPlace finds out whether the account or the group does not exist.
func (r *vmResource) missingPlace(ctx context.Context, m *model) (at path.Path, why func() string) {
	account, known := m.Account.ValueString(), r.Data.Fleet.Directory
	if cloudserver.IsNotFound(known.Visible(ctx, account, "")) {
		return path.Root("account"), func() string { return place.NoSuchAccount(ctx, known, account) }
	}
	if !tfkit.Given(m.Group) {
		return path.Root("group_id"), func() string {
			return "There is no group with the ID " + m.GroupID.ValueString() + ", or these credentials cannot see it."
		}
	}
	return path.Root("group"), func() string { return place.NoSuchGroup(ctx, known, account, m.Group.ValueString()) }
}

// holderAdvice explains what to do about the machine that has the name of a new one.
func (r *vmResource) holderAdvice(id int64, name string, deleted bool) string {
	if deleted {
		return r.softDeletedHolder(id, name)
	}
	return fmt.Sprintf("A machine with the name %q already exists in this group%s. If it is the machine that you mean, and no other resource manages it, import it:\n\n%s\n\n"+
		"If it is the old machine of a replacement with create_before_destroy, use a name that differs for the new machine, or remove create_before_destroy. "+
		"If you changed the address of its resource, or its key, add a block moved. "+
		"If another change of this configuration frees the name, the apply goes through, at the latest when you run it again. Otherwise choose another name.",
		name, withID(id), importBlock(id))
}

// softDeletedHolder explains how to get at a name that a soft-deleted machine
// holds.
func (r *vmResource) softDeletedHolder(id int64, name string) string {
	return fmt.Sprintf("A soft-deleted machine%s still holds the name %q in this group. To use that machine, undelete it %s and import it:\n\n%s\n\n"+
		"To free the name, purge it %s: its discs and backups are then lost. Or choose another name.",
		withID(id), name, r.byAction("undelete", cloudserver.IDText(id)), importBlock(id), r.byAction("purge", cloudserver.IDText(id)))
}

func withID(id int64) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" (ID %d)", id)
}

// importBlock returns what a user pastes to track a machine that exists.
func importBlock(id int64) string {
	return fmt.Sprintf("import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = %q\n}", cloudserver.IDText(id))
}

// addUnfinished reports a machine that exists but is not ready in time.
func (m *model) addUnfinished(diags *diag.Diagnostics, err error) {
	if cloudserver.IsNotFound(err) {
		diags.AddError("Created "+m.place()+", but it is gone", tfkit.Detail(err,
			fmt.Sprintf("The machine (ID %s) was deleted outside of Terraform while the provider waited for it. The next apply creates it again.", m.ID.ValueString())))
		return
	}
	until := "To keep it, wait until it is on and run `terraform untaint` with the address of this resource. To wait longer, raise timeouts.create."
	if _, on := errors.AsType[*operation.NotReadyError](err); on {
		until = "To keep it, run `terraform untaint` with the address of this resource: the next apply waits for it again. " + readyAdvice(err)
	}
	advice := fmt.Sprintf("The machine exists (ID %s) and is in the state, marked as tainted: the next apply would replace it. ", m.ID.ValueString()) + until
	if !m.mayPurge() {
		advice += " Replacing it soft-deletes it, because purge_on_destroy is false, and its name stays taken: untaint it, or purge it first."
	}
	addFailure(diags, "Created "+m.place()+", but it is not ready", err, "the machine to be on", nil, advice)
}
