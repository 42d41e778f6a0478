package backup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*scheduleResource)(nil)
	_ resource.ResourceWithIdentity    = (*scheduleResource)(nil)
	_ resource.ResourceWithImportState = (*scheduleResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*scheduleResource)(nil)
)

// provider is what backups and their schedules use of the provider.
type provider struct {
	tfkit.Common

	Client   *cloudserver.Client
	Fleet    *fleet.Fleet
	Notes    *run.Notes
	Memory   *run.Memory
	Turns    *run.Turns
	Machines location.Source
}

func uses(d *tfkit.ProviderData) provider {
	return provider{d, d.Client, d.Fleet, &d.Notes, &d.Memory, &d.Turns, location.SourceOf(d)}
}

type scheduleResource struct{ tfkit.Resource[provider] }

// newResource returns the resource. Its identity does not contain the machine, because a disc can be moved to another
// one with its schedules.
func newResource() scheduleResource {
	return scheduleResource{tfkit.Resource[provider]{Name: "_backup_schedule", Uses: uses, Identity: map[string]string{
		"disc_id": "ID of the disc.",
		"id":      "ID of the schedule.",
	}}}
}

// NewResource returns the resource cloudserver_backup_schedule.
func NewResource() resource.Resource { return new(newResource()) }

// Create creates the schedule. There is one schedule even if an answer is lost.
func (r *scheduleResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("create "+plan.title(), &resp.Diagnostics) {
		return
	}
	schedule, k, err := r.create(ctx, plan, &resp.Diagnostics)
	if err != nil {
		addCreateError(plan, err, &resp.Diagnostics)
		return
	}
	plan.ID = types.StringValue(cloudserver.IDText(schedule.ID))
	plan.Capacity = tfkit.PlannedOr(plan.Capacity, types.Int64PointerValue(schedule.Capacity))
	r.Data.Notes.Hold(object(schedule.ID))
	k.Mark = rand.Text()
	r.Data.Memory.Note(object(schedule.ID), func(known *run.Known) { known.Mark = k.Mark })
	tfkit.SavePrivate(ctx, resp.Private, k, &resp.Diagnostics)
	tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
}

// create creates the schedule and never repeats the request, because schedules have no name that would make the service
// refuse a second one. If there is an equal schedule that no resource read in this run manages, it is taken over. After
// an ambiguous result, the schedule is the only one as planned that the disc did not have before. What the first answer has
// described of the machine is what all later ones must describe.
func (r *scheduleResource) create(
	ctx context.Context, m model, diags *diag.Diagnostics,
) (created *cloudserver.BackupSchedule, k schedulePrivate, err error) {
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	end, err := r.Data.Turns.Take(ctx, run.ObjectWithID(run.Disc, disc))
	if err != nil {
		return nil, k, err
	}
	defer end()
	var before *cloudserver.Disc
	var ref cloudserver.Ref
	var known *origin.Machine
	look := func(ctx context.Context) (*cloudserver.Disc, located, error) {
		now, err := discOn(ctx, r.Data.Client, machine, disc)
		if err != nil {
			return nil, located{}, err
		}
		at, err := locate(ctx, r.Data, machine, known) // after the disc, whose answer it confirms
		if err != nil {
			return nil, at, err
		}
		known = at.address.Origin
		at.note(r.Data.Fleet)
		return at.withSchedules(now), at, nil
	}
	err = r.Data.Client.Change(ctx, func(ctx context.Context, _ time.Time) (done bool, err error) {
		now, at, err := look(ctx)
		if err != nil {
			return false, err
		}
		if ref, at, err = refTo(ctx, r.Data, at, disc); err != nil {
			return false, err
		}
		before, k = now, at.keep(now)
		created = r.unmanaged(m, before)
		return created != nil, nil
	}, func(ctx context.Context, w cloudserver.Writer) (err error) {
		created, err = w.CreateBackupSchedule(ctx, ref, disc, m.spec())
		return err
	})
	if before != nil && err == nil && slices.ContainsFunc(before.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == created.ID }) {
		r.warnTakesOver(m, created.ID, diags)
	}
	if err == nil || !cloudserver.IsAmbiguous(err) {
		return created, k, err
	}
	last, end, _ := cloudserver.AfterFailure(ctx, 0, err)
	defer end()
	var added []cloudserver.BackupSchedule
	after, _, lookErr := look(last)
	if lookErr == nil {
		added = m.equal(after.BackupSchedules, before.BackupSchedules)
	}
	if len(added) == 1 {
		presence.WarnAdopted(path.Root("disc_id"), object(added[0].ID), "planned times", err, diags)
		return &added[0], k, nil
	}
	return nil, k, &cloudserver.AmbiguousError{What: m.title(), Err: err, LookErr: lookErr}
}

// equal returns the schedules that are as planned, except those in before.
func (m model) equal(schedules, before []cloudserver.BackupSchedule) (equal []cloudserver.BackupSchedule) {
	for _, s := range schedules {
		if m.asPlanned(s) &&
			!slices.ContainsFunc(before, func(b cloudserver.BackupSchedule) bool { return b.ID == s.ID }) {
			equal = append(equal, s)
		}
	}
	return equal
}

// asPlanned reports whether a schedule has the planned values.
func (m model) asPlanned(s cloudserver.BackupSchedule) bool {
	return cloudserver.SameTime(m.StartAt.ValueString(), s.StartAt) &&
		m.IntervalSeconds.ValueInt64() == s.IntervalSeconds &&
		(!tfkit.Given(m.Capacity) || s.Capacity == nil || m.Capacity.ValueInt64() == *s.Capacity)
}

// The beginnings of summaries by which tests recognise messages.
const (
	CannotCreate = "Cannot create"
	CannotDelete = "Cannot delete the backup schedule"
)

// addCreateError reports why the schedule was not created.
func addCreateError(m model, err error, diags *diag.Diagnostics) {
	summary := CannotCreate + " " + m.title()
	const look = "Before you run the command again, look whether the disc has the schedule now: " +
		"`backup_schedules` of the disc in the data source cloudserver_vm. " +
		"If it has, import it as virtual_machine_id/disc_id/id."
	switch {
	case cloudserver.IsAmbiguous(err):
		diags.AddError(summary, tfkit.Detail(err, look))
	case addTargetError(diags, summary, err):
	default:
		tfkit.AddError(diags, summary, err, attributePath, tfkit.NothingCreated+" "+tfkit.Again(err))
	}
}

// Read reads the schedule of the disc, whichever machine the disc is on now.
func (r *scheduleResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() ||
		!r.Data.BeginRead(ctx, state.identity(), object(tfkit.IDOf(state.ID)), resp) {
		return
	}
	k := tfkit.LoadPrivate[schedulePrivate](ctx, req.Private, &resp.Diagnostics)
	f, err := r.find(ctx, state, k)
	if renamed := r.ofRenamedDomain(ctx, state, k, err, &resp.Diagnostics); renamed != nil {
		f, err = renamed, nil
	}
	switch {
	case presence.IsGone(err):
		resp.State.RemoveResource(ctx)
	case errors.Is(err, cloudserver.ErrNotDescribed): // the next refresh will know more
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot read "+state.title(), "the disc", err, attributePath)
	case f.schedule != nil:
		state.fromAPI(f.disc, f.schedule)
		state.warnTwice(f.disc, &resp.Diagnostics)
		if f.at.VirtualMachine != nil {
			f.at.note(r.Data.Fleet)
			now := f.at.keep(f.disc)
			now.AccountID, now.Mark = cmp.Or(now.AccountID, k.AccountID), k.Mark
			if now != k {
				tfkit.SavePrivate(ctx, resp.Private, now, &resp.Diagnostics)
			}
		}
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// Update sends nothing, because every change that concerns the service replaces the schedule.
func (r *scheduleResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !resp.Diagnostics.HasError() {
		tfkit.Save(ctx, &resp.State, resp.Identity, plan, plan.identity(), &resp.Diagnostics)
	}
}

// Delete deletes the schedule, wherever its disc is now. Its backups are kept. A schedule that another resource has
// taken over since is kept as well.
func (r *scheduleResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("delete "+state.title(), &resp.Diagnostics) {
		return
	}
	k := tfkit.LoadPrivate[schedulePrivate](ctx, req.Private, &resp.Diagnostics)
	if mark := r.Data.Memory.Of(object(tfkit.IDOf(state.ID))).Mark; mark != "" && mark != k.Mark {
		return
	}
	deleted, err := r.remove(ctx, state, k)
	switch {
	case presence.IsGone(err):
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot delete "+state.title(), "the disc", err, attributePath)
	case !deleted:
		machine := state.VirtualMachineID.ValueString()
		resp.Diagnostics.AddAttributeWarning(path.Root("disc_id"), CannotDelete,
			fmt.Sprintf("Virtual machine %s is soft-deleted, and discs of such a machine cannot be changed. "+
				"The %s is removed from the state. It comes back with the machine if somebody undeletes it: then import it by the ID %[1]s/%[3]s/%[4]s.",
				machine, state.title(), state.DiscID.ValueString(), state.ID.ValueString()))
	}
}

// remove deletes the schedule. deleted is false if that is impossible because its machine is soft-deleted. If a request
// is refused, the schedule is looked up as well: it may just have been destroyed or hidden with its machine.
func (r *scheduleResource) remove(ctx context.Context, state model, k schedulePrivate) (deleted bool, err error) {
	var ref cloudserver.Ref
	denied := false
	deleted = true
	look := func(ctx context.Context, _ time.Time) (done bool, err error) {
		f, err := r.find(ctx, state, k)
		if err != nil {
			return false, err
		}
		if f.disc == nil {
			deleted = false
			return true, nil
		}
		if denied && f.schedule == nil { // neither the disc nor its machine is shown with it, so the 404 is believed
			return true, nil
		}
		var at located
		if ref, at, err = r.refToMachine(ctx, state, k, f); err != nil {
			return false, err
		}
		k.Domain = cmp.Or(k.Domain, at.address.Origin.Domain()) // what all later answers must have
		at.note(r.Data.Fleet)
		deleted = !at.Deleted
		return at.Deleted, nil
	}
	err = r.Data.Client.Change(ctx, look, func(ctx context.Context, w cloudserver.Writer) error {
		err := w.DeleteBackupSchedule(ctx, ref, tfkit.IDOf(state.DiscID), tfkit.IDOf(state.ID))
		denied = cloudserver.IsNotFound(err)
		return err
	})
	if cloudserver.StatusCode(err) != http.StatusBadRequest {
		return deleted, err
	}
	done, lookErr := look(ctx, time.Time{})
	if done || presence.IsGone(lookErr) {
		return deleted, lookErr
	}
	return false, errors.Join(err, lookErr)
}

// refToMachine returns the machine that the disc is on, and its address for calls about the disc. If the machine is not
// found, or does not have the disc, it may just have been destroyed together with the schedule, or the disc moved: then
// both are looked up once more.
func (r *scheduleResource) refToMachine(
	ctx context.Context, state model, k schedulePrivate, f *foundSchedule,
) (ref cloudserver.Ref, at located, err error) {
	disc := tfkit.IDOf(state.DiscID)
	for again := false; ; again = true {
		if at = f.at; at.VirtualMachine == nil {
			machine := cmp.Or(f.disc.VirtualMachineID, tfkit.IDOf(state.VirtualMachineID))
			if at, err = locate(ctx, r.Data, machine, r.known(k, machine)); err != nil {
				return ref, at, err
			}
		}
		ref, at, err = refTo(ctx, r.Data, at, disc)
		_, isDisc := errors.AsType[*blamed](err)
		if again || !isDisc && !cloudserver.IsNotFound(err) {
			return ref, at, state.expect(k, err)
		}
		now, lookErr := r.find(ctx, state, k)
		switch {
		case lookErr != nil:
			return ref, at, lookErr
		case now.disc == nil: // the machine has been soft-deleted
			return ref, at, err
		}
		f = now
	}
}
