package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// locate reads a machine, and finds its account and group.
func locate(ctx context.Context, p provider, machine int64) (located, error) {
	vm, err := p.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	if err != nil {
		return located{}, err
	}
	at := located{VirtualMachine: vm}
	if at.address, err = location.Locate(ctx, p.Fleet, p.Memory, vm); err == nil {
		// This needs no request: the group is in the same listing.
		if group, _ := p.Fleet.Directory.GroupWithID(ctx, at.address.Account, vm.GroupID); group != nil {
			at.accountID = group.AccountID
		}
	}
	return at, err
}

// keep returns what the private state of a schedule keeps about its machine.
func (l located) keep() schedulePrivate {
	return schedulePrivate{
		Account: l.address.Account, AccountID: l.accountID, Domain: l.address.Origin.Domain(),
	}
}

// refTo returns the machine, and its address for calls about the disc. It is certain that no other machine answers at
// that address, and no other disc at the path of this one.
func refTo(
	ctx context.Context, p provider, machine, disc int64,
) (ref cloudserver.Ref, at located, err error) {
	if at, err = locate(ctx, p, machine); err != nil {
		return ref, at, err
	}
	ref, now, err := p.Fleet.Ref(ctx, at.address)
	if now != nil { // it was read there, later
		at.VirtualMachine = now
	}
	if other := location.CheckDiscPath(at.Discs, disc); err == nil && other != nil {
		err = &blamed{path.Root("disc_id"), other.Error(), ""}
	}
	return ref, at, err
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
	// Mark is that of the create after which this resource manages the schedule.
	Mark string `json:"mark,omitempty"`
}

// foundSchedule is what the service reports about a schedule.
type foundSchedule struct {
	disc     *cloudserver.Disc           // nil: hidden with its machine
	schedule *cloudserver.BackupSchedule // nil: not shown
}

// find reads a schedule, whichever machine its disc is on now. [presence.IsGone] reports true for the error only if the
// schedule is known to be gone.
func (r *scheduleResource) find(ctx context.Context, m model, k schedulePrivate) (*foundSchedule, error) {
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
	if err := r.errOtherMachine(ctx, m, k, disc.VirtualMachineID); err != nil {
		return nil, err
	}
	if f := m.on(disc); f.schedule != nil || disc.BackupSchedules == nil {
		return f, nil
	}
	return r.findAgain(ctx, m, k, disc)
}

// on returns the disc with the schedule, if the disc is shown with it.
func (m model) on(disc *cloudserver.Disc) *foundSchedule {
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == tfkit.IDOf(m.ID) })
	if i < 0 {
		return &foundSchedule{disc: disc}
	}
	return &foundSchedule{disc, &disc.BackupSchedules[i]}
}

// findAgain looks for a schedule that an answer for its disc lacks, because a single answer proves nothing: in the answer
// for the disc's machine, or in another one for the disc if that has no schedules of the disc. [presence.IsGone] reports
// true for the error if this answer lacks the schedule as well.
func (r *scheduleResource) findAgain(ctx context.Context, m model, k schedulePrivate, disc *cloudserver.Disc) (*foundSchedule, error) {
	again := (*cloudserver.Disc)(nil)
	machine := cmp.Or(disc.VirtualMachineID, tfkit.IDOf(m.VirtualMachineID))
	vm, err := r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	switch {
	case err == nil:
		if err := r.errOtherService(ctx, m, k, vm); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc.ID }); i >= 0 {
			again = &vm.Discs[i]
		}
	case !cloudserver.IsNotFound(err) && !errors.Is(err, cloudserver.ErrNotDescribed):
		return nil, err
	}
	if again == nil || again.BackupSchedules == nil {
		if again, err = r.Data.Client.Disc(ctx, disc.ID); err != nil {
			return nil, err
		}
	}
	if f := m.on(again); f.schedule != nil || again.BackupSchedules == nil {
		return f, nil
	}
	return nil, presence.Gone(fmt.Errorf("disc %d has no backup schedule with the ID %s", disc.ID, m.ID.ValueString()))
}

// errOtherMachine returns an error if the machine that has the disc is known to be another service's. If the schedule
// keeps a cluster domain, the machine is read, unless this process has read it.
func (r *scheduleResource) errOtherMachine(ctx context.Context, m model, k schedulePrivate, machine int64) error {
	if domain := r.Data.Fleet.Domains.Machine(machine); domain != "" || k.Domain == "" || machine == 0 {
		if domain == "" || k.Domain == "" || origin.SameDomain(domain, k.Domain) {
			return nil
		}
		return m.otherService(k, "the domain "+domain)
	}
	vm, err := r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if err != nil {
		return nil //nolint:nilerr // without an answer, nothing is known
	}
	return r.errOtherService(ctx, m, k, vm)
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
	switch err := r.errOtherService(ctx, m, k, vm); {
	case err != nil:
		return nil, err
	case vm.Deleted:
		return &foundSchedule{}, nil
	case slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc }):
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, but virtual machine %d still has the disc", disc, machine)
	}
	return nil, gone
}

// errOtherService returns an error if a machine is not known to be of the schedule's service: another one has another
// disc and another schedule with the same IDs.
func (r *scheduleResource) errOtherService(ctx context.Context, m model, k schedulePrivate, vm *cloudserver.VirtualMachine) error {
	known := origin.Known(vm.ID, "", vm.Name, origin.Place{Account: k.Account}, nil, r.Data.Fleet.Directory.Finder(k.Account))
	known.ExpectDomain(k.Domain)
	if err := known.Admit(ctx, vm, time.Now()); err != nil {
		other, _ := errors.AsType[*origin.Error](err)
		other.Expected = m.expected(k)
		return other
	}
	r.Data.Fleet.Domains.SetMachine(vm.ID, known.Domain())
	return nil
}

// otherService returns the error for another service's object.
func (m model) otherService(k schedulePrivate, found string) error {
	return &origin.Error{Expected: m.expected(k), Found: found}
}

// expected names the schedule in sentences about its service.
func (m model) expected(k schedulePrivate) string {
	return fmt.Sprintf("%s, on a machine of the domain %s", m.title(), strings.TrimPrefix(k.Domain, "."))
}
