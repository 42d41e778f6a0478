package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/origin"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// blamed is an error with the attribute to blame, if any, and what to do.
type blamed struct {
	at           path.Path
	text, advice string
}

func (e *blamed) Error() string { return e.text }

// located is a machine and its location.
type located struct {
	*cloudserver.VirtualMachine
	address   fleet.Machine
	accountID int64 // 0: unknown
}

// locate reads a machine, and finds its account and group. known is what is known of the machine since an earlier answer or
// from a state, which this one has to agree with, or nil.
func locate(ctx context.Context, p provider, machine int64, known *origin.Machine) (located, error) {
	vm, err := p.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	if err != nil {
		return located{}, err
	}
	at := located{VirtualMachine: vm}
	if at.address, err = location.LocateAgain(ctx, p.Fleet, p.Memory, vm, known); err == nil {
		// This needs no request: the group is in the same listing.
		if group, _ := p.Fleet.Directory.GroupWithID(ctx, at.address.Account, vm.GroupID); group != nil {
			at.accountID = group.AccountID
		}
	}
	return at, err
}

// note records the domain of the machine for what else this process does with it.
func (l located) note(f *fleet.Fleet) {
	if l.VirtualMachine != nil && l.address.Origin.Domain() != "" {
		f.Domains.SetMachine(l.ID, l.address.Origin.Domain())
	}
}

// keep returns what the private state of a schedule keeps about its machine and disc.
func (l located) keep(disc *cloudserver.Disc) schedulePrivate {
	return schedulePrivate{
		Account: l.address.Account, AccountID: l.accountID, Domain: l.address.Origin.Domain(), Likeness: likeness(l.VirtualMachine, disc),
	}
}

// withSchedules returns the disc with all schedules that its own answer or that of its machine shows: one answer without a
// schedule does not prove that there is none.
func (l located) withSchedules(disc *cloudserver.Disc) *cloudserver.Disc {
	all := *disc
	all.BackupSchedules = slices.Clone(disc.BackupSchedules)
	for _, shown := range l.Discs {
		if shown.ID != disc.ID {
			continue
		}
		for _, s := range shown.BackupSchedules {
			if !slices.ContainsFunc(all.BackupSchedules, func(has cloudserver.BackupSchedule) bool { return has.ID == s.ID }) {
				all.BackupSchedules = append(all.BackupSchedules, s)
			}
		}
	}
	return &all
}

// likeness returns what distinguishes a machine and its disc from others with the same IDs, beside the domain.
func likeness(vm *cloudserver.VirtualMachine, disc *cloudserver.Disc) string {
	zone := cmp.Or(vm.ZoneName, new(string))
	addresses := location.Machine{VirtualMachine: *vm}.Addresses()
	slices.SortFunc(addresses, netip.Addr.Compare)
	return fmt.Sprintf("%s %d %s %s %s %d", vm.Name, vm.GroupID, *zone, addresses, disc.Label, disc.Size)
}

// refTo returns the address of a machine for calls about the disc, and the machine as last read. It is certain that no other
// machine answers at that address, and no other disc at the path of this one.
func refTo(ctx context.Context, p provider, at located, disc int64) (cloudserver.Ref, located, error) {
	ref, now, err := p.Fleet.Ref(ctx, at.address)
	if err != nil {
		return ref, at, err
	}
	if now != nil { // it was read there, later
		at.VirtualMachine = now
	}
	if at.Deleted { // nothing can be changed there
		return ref, at, nil
	}
	if err := location.RequireDisc(at.VirtualMachine, disc); err != nil {
		return ref, at, &blamed{path.Root("disc_id"), err.Error(), ""}
	}
	return ref, at, nil
}

// discReader reads discs by their IDs. The client implements it.
type discReader interface {
	Disc(ctx context.Context, id int64) (*cloudserver.Disc, error)
}

// discOn reads a disc and checks that it is on the machine; 0 means any machine.
func discOn(ctx context.Context, service discReader, machine, disc int64) (*cloudserver.Disc, error) {
	found, err := service.Disc(ctx, disc)
	if err == nil && machine != 0 && found.VirtualMachineID != 0 && found.VirtualMachineID != machine {
		text := fmt.Sprintf("disc %d is on virtual machine %d, not on %d", disc, found.VirtualMachineID, machine)
		return nil, &blamed{path.Root("virtual_machine_id"), text, "Let virtual_machine_id name the machine that has the disc, or correct disc_id."}
	}
	return found, err
}

// addTargetError reports an error about the machine or the disc that the configuration names. It returns false if err
// is not such an error.
func addTargetError(diags *diag.Diagnostics, summary string, err error) bool {
	at, advice := path.Root("disc_id"), "These credentials see no such machine or disc. Check virtual_machine_id and disc_id."
	if cause, ok := errors.AsType[*blamed](err); ok {
		at, advice = cause.at, cause.advice
	} else if !cloudserver.IsNotFound(err) {
		return false
	}
	diags.AddAttributeError(at, summary, tfkit.Detail(err, advice))
	return true
}

// schedulePrivate is the private state of a schedule.
type schedulePrivate struct {
	// Account is the account of the machine. Whether the schedule is gone depends on whether that account is visible.
	Account string `json:"account"`
	// AccountID distinguishes the account from another service's of the same name. 0: unknown.
	AccountID int64 `json:"account_id,omitempty"`
	// Domain is the cluster domain of the machine, or "" if it is unknown. It distinguishes the schedule from another
	// service's.
	Domain string `json:"domain,omitempty"`
	// Likeness is that of the machine and the disc: if only the domain differs, the service has renamed it.
	Likeness string `json:"likeness,omitempty"`
	// Mark is that of the create after which this resource manages the schedule.
	Mark string `json:"mark,omitempty"`
}

// foundSchedule is what the service reports about a schedule.
type foundSchedule struct {
	disc     *cloudserver.Disc           // nil: hidden with its machine
	schedule *cloudserver.BackupSchedule // nil: not shown
	at       located                     // the machine, as read after the disc; zero: unknown
}

// find reads a schedule and the machine that its disc is on now, which has to be of the schedule's service.
// [presence.IsGone] reports true for the error only if the schedule is known to be gone.
func (r *scheduleResource) find(ctx context.Context, m model, k schedulePrivate) (*foundSchedule, error) {
	f, err := r.findOnce(ctx, m, k)
	if cloudserver.IsNotFound(err) && !presence.IsGone(err) { // the machine, which may just have been destroyed with the disc
		f, err = r.findOnce(ctx, m, k)
	}
	return f, err
}

func (r *scheduleResource) findOnce(ctx context.Context, m model, k schedulePrivate) (*foundSchedule, error) {
	if err := presence.CheckDomain(r.Data.Fleet, m.title(), k.Domain); err != nil {
		return nil, err
	}
	disc, err := presence.Find(ctx, r.Data.Fleet, r.Data.Memory, k.Account, func(ctx context.Context) (*cloudserver.Disc, error) {
		return r.Data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	})
	switch {
	case presence.IsGone(err):
		hidden, err := r.findHidden(ctx, m, k, err)
		if presence.IsGone(err) {
			home := presence.Home{ID: k.AccountID, Domain: k.Domain}
			if other := home.Check(ctx, r.Data.Fleet, r.Data.Memory, k.Account, m.title()); other != nil {
				err = other
			}
		}
		return hidden, err
	case err != nil:
		return nil, err
	}
	f := m.on(disc)
	if f.at, err = r.machineOf(ctx, m, k, disc); err != nil {
		return nil, err
	}
	if f.schedule == nil && f.at.VirtualMachine != nil {
		f.schedule = m.on(f.at.withSchedules(disc)).schedule
	}
	if f.schedule != nil || disc.BackupSchedules == nil {
		return f, nil
	}
	return r.findAgain(ctx, m, f)
}

// on returns the disc with the schedule, if the disc is shown with it.
func (m model) on(disc *cloudserver.Disc) *foundSchedule {
	f := &foundSchedule{disc: disc}
	if i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == tfkit.IDOf(m.ID) }); i >= 0 {
		f.schedule = &disc.BackupSchedules[i]
	}
	return f
}

// findAgain looks for a schedule that an answer for its disc lacks, because a single answer proves nothing: in the later
// answer for the disc's machine, or in another one for the disc if that has no schedules of the disc. [presence.IsGone]
// reports true for the error if this answer lacks the schedule as well.
func (r *scheduleResource) findAgain(ctx context.Context, m model, f *foundSchedule) (*foundSchedule, error) {
	var again *cloudserver.Disc
	if f.at.VirtualMachine != nil {
		if i := slices.IndexFunc(f.at.Discs, func(d cloudserver.Disc) bool { return d.ID == f.disc.ID }); i >= 0 {
			again = &f.at.Discs[i]
		}
	}
	if again == nil || again.BackupSchedules == nil {
		var err error
		if again, err = r.Data.Client.Disc(ctx, f.disc.ID); err != nil {
			return nil, err
		}
	}
	now := m.on(again)
	if now.at = f.at; now.schedule != nil || again.BackupSchedules == nil {
		return now, nil
	}
	return nil, presence.Gone(fmt.Errorf("disc %d has no backup schedule with the ID %s", again.ID, m.ID.ValueString()))
}

// machineOf reads the machine that has the disc. Its answer is requested after that for the disc, so that no value of another
// service's enters the state. The error is an [*origin.Error] if the machine is not known to be of the schedule's service. If
// the schedule does not know its service yet, no other failure counts.
func (r *scheduleResource) machineOf(ctx context.Context, m model, k schedulePrivate, disc *cloudserver.Disc) (located, error) {
	machine := cmp.Or(disc.VirtualMachineID, tfkit.IDOf(m.VirtualMachineID))
	at, err := locate(ctx, r.Data, machine, r.known(k, machine))
	if err != nil && k.Domain == "" && !origin.IsOther(err) {
		return located{}, nil // an import knows nothing yet
	}
	return at, m.expect(k, err)
}

// known returns what a schedule knows of its machine, or nil if that is nothing.
func (r *scheduleResource) known(k schedulePrivate, machine int64) *origin.Machine {
	if k.Domain == "" {
		return nil
	}
	known := origin.Known(machine, "", "", origin.Place{Account: k.Account}, nil, r.Data.Fleet.Directory.Finder(k.Account))
	known.ExpectDomain(k.Domain)
	return known
}

// expect names the schedule in the error for a machine of another service.
func (m model) expect(k schedulePrivate, err error) error {
	if other, ok := errors.AsType[*origin.Error](err); ok && k.Domain != "" {
		other.Expected = fmt.Sprintf("%s, on a machine of the domain %s", m.title(), strings.TrimPrefix(k.Domain, "."))
	}
	return err
}

// findHidden finds out what became of a disc that was not found although its account is visible. A soft-deleted machine
// hides its discs, which come back with it.
func (r *scheduleResource) findHidden(ctx context.Context, m model, k schedulePrivate, gone error) (*foundSchedule, error) {
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	at := fleet.Machine{Account: k.Account, ID: machine}
	vm, err := presence.FindMachine(ctx, r.Data.Fleet, r.Data.Memory, at, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		return r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	})
	if err != nil {
		return nil, err
	}
	switch err := m.expect(k, r.known(k, machine).Admit(ctx, vm, time.Now())); {
	case err != nil:
		return nil, err
	case vm.Deleted:
		return &foundSchedule{}, nil
	case vm.Discs == nil: // a 404 of the disc alone proves nothing
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, and %w", disc, location.NotShown(vm, disc))
	case slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc }):
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, but virtual machine %d still has the disc", disc, machine)
	}
	return nil, gone
}

// ofRenamedDomain returns the schedule of a machine that was refused as another service's, if everything else is as when it
// was last read: then the service has renamed its domain, which is a warning, once in a run. Only a refresh believes that.
// It returns nil otherwise.
func (r *scheduleResource) ofRenamedDomain(
	ctx context.Context, m model, k schedulePrivate, err error, diags *diag.Diagnostics,
) *foundSchedule {
	other, ok := errors.AsType[*origin.Error](err)
	if !ok || other.Doubt || other.Answer == nil || other.Answer.Hostname == nil {
		return nil
	}
	group, err := r.Data.Fleet.Directory.GroupByID(ctx, other.Answer.GroupID, k.Account)
	if err != nil || group == nil {
		return nil
	}
	renamed := k
	at := origin.Place{Group: group.Name, Account: group.Account}
	renamed.Domain = origin.Domain(*other.Answer.Hostname, []origin.Place{at}, other.Answer.Name)
	f, err := r.find(ctx, m, renamed)
	if err != nil || f.schedule == nil || !m.asPlanned(*f.schedule) || renamed.Domain == "" {
		return nil
	}
	now := f.at.keep(f.disc)
	now.Mark = k.Mark
	if now != renamed {
		return nil
	}
	if r.Data.Notes.FirstTime(run.RenamedDomain, k.Domain) {
		diags.AddAttributeWarning(path.Root("virtual_machine_id"), "The domain of the service has changed",
			fmt.Sprintf("The hostname of the machine of %s ended with %s and is %q now. "+
				"Everything else about the schedule, its disc and the machine is as in the state, so it counts as the same one, and so do others of this run. "+
				"If this is a copy of the service, for example after a restore, do not apply: check endpoint.", m.title(), k.Domain, *other.Answer.Hostname))
	}
	return f
}
