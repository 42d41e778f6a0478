package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
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
func locate(ctx context.Context, data *tfkit.ProviderData, machine int64) (located, error) {
	vm, err := data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	if err != nil {
		return located{}, err
	}
	at := located{VirtualMachine: vm}
	if at.address, err = location.Locate(ctx, data, vm); err == nil {
		// This needs no request: the group is in the same listing.
		if group, _ := data.Fleet.Directory.GroupWithID(ctx, at.address.Account, vm.GroupID); group != nil {
			at.accountID = group.AccountID
		}
	}
	return at, err
}

// keep returns what the private state of a schedule keeps about its machine.
func (l located) keep() kept {
	return kept{
		Account: l.address.Account, AccountID: l.accountID,
		Domain: presence.Domain(l.hostname(), l.Name, l.address.Group, l.address.Account),
	}
}

// hostname returns the machine's hostname, or "" if it is unknown.
func (l located) hostname() string {
	if l.VirtualMachine == nil || l.Hostname == nil {
		return ""
	}
	return *l.Hostname
}

// refTo returns the machine, and its address for calls about the disc. It is certain that no other machine answers at
// that address, and no other disc at the path of this one.
func refTo(
	ctx context.Context, data *tfkit.ProviderData, machine, disc int64,
) (ref cloudserver.Ref, at located, err error) {
	if at, err = locate(ctx, data, machine); err != nil {
		return ref, at, err
	}
	if err := location.CheckDiscPath(at.Discs, disc); err != nil {
		return ref, at, &blamed{path.Root("disc_id"), err.Error(), ""}
	}
	ref, _, err = data.Fleet.Ref(ctx, at.address)
	return ref, at, err
}

// discOn reads a disc and checks that it is on the machine; 0 means any machine.
func discOn(ctx context.Context, data *tfkit.ProviderData, machine, disc int64) (*cloudserver.Disc, error) {
	found, err := data.Client.Disc(ctx, disc)
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

// kept is the private state of a schedule.
type kept struct {
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

// found is what the service reports about a schedule.
type found struct {
	disc     *cloudserver.Disc           // nil: hidden with its machine
	schedule *cloudserver.BackupSchedule // nil: not shown
}

// find reads a schedule, whichever machine its disc is on now. [presence.IsGone] reports true for the error only if the
// schedule is known to be gone.
func (r *scheduleResource) find(ctx context.Context, m model, k kept) (*found, error) {
	if err := presence.CheckDomain(r.Data, m.title(), k.Domain); err != nil {
		return nil, err
	}
	disc, err := presence.Find(ctx, r.Data, k.Account, func(ctx context.Context) (*cloudserver.Disc, error) {
		return r.Data.Client.Disc(ctx, tfkit.IDOf(m.DiscID))
	})
	switch {
	case presence.IsGone(err):
		hidden, err := r.findHidden(ctx, m, k, err)
		if presence.IsGone(err) {
			home := presence.Home{ID: k.AccountID, Domain: k.Domain}
			if other := home.Check(ctx, r.Data, k.Account, m.title()); other != nil {
				err = other
			}
		}
		return hidden, err
	case err != nil:
		return nil, err
	}
	if err := m.errOtherService(k, r.hostname(ctx, k, disc.VirtualMachineID)); err != nil {
		return nil, err
	}
	if f := m.on(disc); f.schedule != nil || disc.BackupSchedules == nil {
		return f, nil
	}
	return r.findAgain(ctx, m, k, disc)
}

// on returns the disc with the schedule, if the disc is shown with it.
func (m model) on(disc *cloudserver.Disc) *found {
	i := slices.IndexFunc(disc.BackupSchedules, func(s cloudserver.BackupSchedule) bool { return s.ID == tfkit.IDOf(m.ID) })
	if i < 0 {
		return &found{disc: disc}
	}
	return &found{disc, &disc.BackupSchedules[i]}
}

// findAgain looks for a schedule that an answer for its disc lacks, because a single answer proves nothing: in the answer
// for the disc's machine, or in another one for the disc if that has no schedules of the disc. [presence.IsGone] reports
// true for the error if this answer lacks the schedule as well.
func (r *scheduleResource) findAgain(ctx context.Context, m model, k kept, disc *cloudserver.Disc) (*found, error) {
	again := (*cloudserver.Disc)(nil)
	machine := cmp.Or(disc.VirtualMachineID, tfkit.IDOf(m.VirtualMachineID))
	vm, err := r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	switch {
	case err == nil && vm.Hostname != nil && m.errOtherService(k, *vm.Hostname) != nil:
		return nil, m.errOtherService(k, *vm.Hostname)
	case err == nil:
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

// hostname returns the hostname of a machine as this process has read it. If the schedule keeps a cluster domain to
// compare, the machine is read if necessary. It returns "" if there is no answer.
func (r *scheduleResource) hostname(ctx context.Context, k kept, machine int64) string {
	remembered := r.Data.Memory.Hostname(machine)
	if remembered != "" || k.Domain == "" || machine == 0 {
		return remembered
	}
	vm, err := r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
	if err != nil || vm.Hostname == nil {
		return ""
	}
	r.Data.Memory.SetHostname(machine, *vm.Hostname)
	return *vm.Hostname
}

// findHidden finds out what became of a disc that was not found although its account is visible. A soft-deleted machine
// hides its discs, which come back with it.
func (r *scheduleResource) findHidden(ctx context.Context, m model, k kept, gone error) (*found, error) {
	machine, disc := tfkit.IDOf(m.VirtualMachineID), tfkit.IDOf(m.DiscID)
	vm, err := presence.FindMachine(ctx, r.Data, fleet.Machine{Account: k.Account, ID: machine}, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		return r.Data.Client.VirtualMachine(ctx, machine, cloudserver.IncludeDeleted)
	})
	switch {
	case err != nil:
		return nil, err
	case vm.Hostname != nil && m.errOtherService(k, *vm.Hostname) != nil:
		return nil, m.errOtherService(k, *vm.Hostname)
	case vm.Deleted:
		return &found{}, nil
	case slices.ContainsFunc(vm.Discs, func(d cloudserver.Disc) bool { return d.ID == disc }):
		return nil, fmt.Errorf("GET /discs/%d answered 404 Not Found, but virtual machine %d still has the disc", disc, machine)
	}
	return nil, gone
}

// errOtherService returns an error if the schedule's machine belongs to another service, which has another disc and
// another schedule with the same IDs.
func (m model) errOtherService(k kept, hostname string) error {
	if presence.IsOfDomain(hostname, k.Domain) {
		return nil
	}
	return &presence.OtherServiceError{
		Expected: fmt.Sprintf("%s, on a machine of the domain %s", m.title(), strings.TrimPrefix(k.Domain, ".")),
		Found:    fmt.Sprintf("a disc of the machine %q", hostname),
	}
}
