package vm

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// isNameTaken reports whether a name was refused because a machine that is not soft-deleted has it. A soft-deleted
// machine never gives up its name by itself.
func isNameTaken(err error) bool {
	taken, ok := errors.AsType[*cloudserver.NameTaken](err)
	return ok && !taken.Deleted
}

// look returns what this process knows about the name, usually from the plan's check. If that check, which may take
// only seconds, got no answer, look asks once more: without an answer, a machine that a lost creation left could not be
// distinguished from an older one.
func (r *vmResource) look(ctx context.Context, account, element, name string) *cloudserver.Look {
	if r.Data.PlanChecks {
		holder, _ := r.Data.Fleet.Holder(ctx, account, element, name) // the creation reports problems with the group
		return holder.Look()
	}
	return nil
}

// withHolder adds the machine that has the name to the refusal of the name.
func (r *vmResource) withHolder(ctx context.Context, group string, err error) error {
	if taken, ok := errors.AsType[*cloudserver.NameTaken](err); ok && taken.ID == 0 {
		vm, lookErr := r.Data.Client.VirtualMachineByName(
			ctx, taken.Account, group, taken.Name, cloudserver.IncludeDeleted,
		)
		if lookErr == nil {
			taken.ID, taken.Deleted = vm.ID, vm.Deleted
		}
	}
	return err
}

// nameQuestion asks which machine has the new name of a machine.
type nameQuestion struct {
	name  fleet.Name
	plan  *model // of the machine
	stays bool   // in the group of the state, which may have been renamed since if it is not found
}

// nameAnswer is the machine that has a name.
type nameAnswer struct {
	holder *cloudserver.VirtualMachine // nil if no machine has it, or one that a state of this run tracks
	where  string                      // its group and account, in messages
	// missing is the account or group that was not found.
	missing missingAnswer
}

// nameQuestion returns the question for a new name, or nil if the machine keeps its name and location.
func (d *decision) nameQuestion() *nameQuestion {
	name, ok := d.plan.plannedName()
	before, _ := d.state.plannedName()
	if !ok || name == before || d.plan.Name.Equal(d.state.Name) && !d.plan.moves(&d.state) {
		return nil
	}
	return &nameQuestion{name, &d.plan, name.Account == before.Account && name.Group == before.Group}
}

// findHolder finds the machine that has a name. It returns an error if that cannot be said.
func (r *vmResource) findHolder(ctx context.Context, q *nameQuestion) (a nameAnswer, err error) {
	holder, err := r.holderIn(ctx, q.name, q.plan.Group.ValueString(), tfkit.IDOf(q.plan.GroupID))
	if cloudserver.IsNotFound(err) && q.stays {
		holder, err = r.holderIn(ctx, q.name, "", tfkit.IDOf(q.plan.GroupID))
	}
	switch {
	case cloudserver.IsNotFound(err):
		a.missing, err = r.findMissing(ctx, q.name, q.plan)
	case err != nil, holder == nil:
	case !holder.Deleted && r.Data.Notes.IsHeld(run.ObjectWithID(run.VirtualMachine, holder.ID)):
		// The state has it, and was not refreshed: with a refresh, Fleet.Holder does not return it. Usually it is
		// replaced.
	default:
		a.holder, a.where = holder, fmt.Sprintf("%s of account %q", r.groupName(ctx, q.plan), q.name.Account)
	}
	return a, err
}

// holderIn returns the machine that has the name in a group, unless a state of this run tracks it.
func (r *vmResource) holderIn(ctx context.Context, name fleet.Name, group string, id int64) (*cloudserver.VirtualMachine, error) {
	element, err := r.Data.Fleet.Directory.Element(ctx, name.Account, group, id)
	if err != nil {
		return nil, err
	}
	holder, err := r.Data.Fleet.Holder(ctx, name.Account, element, name.Name)
	return holder.Stranger, err
}

// judgeName reports the machine that has the new name. That is a warning, because another change of the same plan may
// free it.
func (d *decision) judgeName(a nameAnswer, diags *diag.Diagnostics) {
	name := d.questions.name.name
	location.WarnName(name.Name, diags)
	d.judgeMissing(name, a.missing, diags)
	switch {
	case a.holder == nil:
	case a.holder.Deleted:
		diags.AddAttributeWarning(path.Root("name"), "A soft-deleted machine holds the name",
			softDeletedHolder(d.withAction, a.holder.ID, name.Name, a.where))
	default:
		diags.AddAttributeWarning(path.Root("name"), "The name of the machine is taken", strangerAdvice(a.holder.ID, name.Name, a.where))
	}
}

// groupName names the planned group in messages: by its name, even if only its ID is configured.
func (r *vmResource) groupName(ctx context.Context, m *model) string {
	if !tfkit.Given(m.Group) && tfkit.Given(m.GroupID) {
		group, err := r.Data.Fleet.Directory.GroupWithID(ctx, m.Account.ValueString(), tfkit.IDOf(m.GroupID))
		if err == nil && group != nil {
			return fmt.Sprintf("group %q", group.Name)
		}
	}
	return m.groupTitle()
}

// Subject implements tfkit.Observed.
func (r *vmResource) Subject(state tfkit.Attributes) run.Subject {
	s := run.Subject{Object: run.Object{Kind: run.VirtualMachine, ID: state.Text("id")}, Title: state.Text("name"), KeepsName: state.Is("purge_on_destroy", false)}
	for _, form := range nameForms(s.Title, state.Text("account"), state.Text("group"), state.Text("group_id")) {
		s.Names = append(s.Names, run.Name{Kind: run.VirtualMachine, Name: form})
	}
	ips := tfkit.AttributesIn(state["ips"])
	for _, family := range []string{"ipv4", "ipv6"} {
		if address, err := netip.ParseAddr(ips.Text(family)); err == nil {
			s.Names = append(s.Names, run.Name{Kind: run.IPAddress, Name: fleet.Name{Group: family, Name: address.Unmap().String()}, New: true})
		}
	}
	return s
}

// takeName moves and renames the machine in one request, before anything that costs uptime. If the name is taken there,
// the machine steps aside: it takes a temporary name instead of its own, which the other machine may be waiting for,
// and then tries again. So machines can swap their names.
func (u *update) takeName(ctx context.Context) error {
	request := cloudserver.VirtualMachineUpdate{GroupID: u.moveTo}
	if u.change.renames {
		request.Name = u.plan.Name.ValueStringPointer()
	}
	if request.IsZero() {
		return nil
	}
	name, aside := u.plan.Name.ValueString(), "renaming-"+u.state.ID.ValueString()
	put := func() error { return u.machine.Put(ctx, request) }
	err := put()
	if cloudserver.IsNameTaken(err) {
		holder, unknown := u.holderAtApply(ctx, name) // a soft-deleted machine does not give the name up
		if (unknown != nil || !holder.Deleted) && u.rename(ctx, aside) == nil {
			request.Name = &name
			err = u.running.AwaitName(ctx, name, err, cloudserver.IsNameTaken, put)
			if err != nil && !cloudserver.IsAmbiguous(err) {
				return u.giveUp(ctx, aside, err)
			}
		}
	}
	if cloudserver.IsNameTaken(err) {
		return u.nameRefused(ctx, err, u.state.Name.ValueString())
	}
	u.running.FreedName()
	return err
}

// rename renames the machine within its group.
func (u *update) rename(ctx context.Context, name string) error {
	if err := u.machine.Put(ctx, cloudserver.VirtualMachineUpdate{Name: &name}); err != nil {
		return err
	}
	u.running.FreedName()
	return nil
}

// giveUp renames the machine back, unless another operation of this process was refused a name and may need the old
// one. It does so even after an interrupt.
func (u *update) giveUp(ctx context.Context, aside string, refusal error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	old := u.state.Name.ValueString()
	if u.running.OthersWereRefused() || u.rename(ctx, old) != nil {
		old = aside
	}
	if !cloudserver.IsNameTaken(refusal) {
		return refusal
	}
	return u.nameRefused(ctx, refusal, old)
}

// nameRefused explains the machine's current name, which machine has the wanted name, and what to do.
func (u *update) nameRefused(ctx context.Context, refusal error, called string) error {
	if held := u.resource.Data.Client.Throttled(); held != nil {
		refusal = fmt.Errorf("%w; %w", refusal, held)
	}
	name := u.plan.Name.ValueString()
	now := fmt.Sprintf("The machine keeps the name %q.", called)
	if called != u.state.Name.ValueString() {
		now = fmt.Sprintf("The machine is called %q for now: another change of this apply may need its old name %q.", called, u.state.Name.ValueString())
	}
	next := fmt.Sprintf(" If another change of this configuration frees the name %q, run apply again. Otherwise choose another name.", name)
	if vm, err := u.holderAtApply(ctx, name); err == nil && vm.Deleted {
		next = " " + softDeletedHolder(u.resource.Data.WithAction, vm.ID, name, "this group")
	} else if err == nil {
		next = fmt.Sprintf(" Virtual machine %d holds the name %q.", vm.ID, name) + next
	}
	return &attributeError{path.Root("name"), tfkit.Detail(refusal, now+next)}
}

// holderAtApply finds the machine that has the name in the machine's future group.
func (u *update) holderAtApply(ctx context.Context, name string) (*cloudserver.VirtualMachine, error) {
	account, group := u.state.Account.ValueString(), u.state.GroupID.ValueString()
	if u.moveTo != nil { // the plan may not know the account yet
		account, group = u.moveAccount, cloudserver.IDText(*u.moveTo)
	}
	return u.resource.Data.Client.VirtualMachineByName(ctx, account, group, name, cloudserver.IncludeDeleted)
}

// plannedName returns the name and the location that the machine has, or is to have.
func (m *common) plannedName() (name fleet.Name, ok bool) {
	forms := m.nameForms()
	if len(forms) == 0 {
		return fleet.Name{}, false
	}
	return forms[0], true
}

// nameForms returns the name and location in each known form: with the group's name, and with the group's ID.
func (m *common) nameForms() []fleet.Name {
	return nameForms(m.Name.ValueString(), m.Account.ValueString(), m.Group.ValueString(), m.GroupID.ValueString())
}

func nameForms(name, account, group, groupID string) (forms []fleet.Name) {
	if name == "" || account == "" {
		return nil
	}
	if group != "" {
		forms = append(forms, fleet.Name{Account: account, Group: group, Name: name})
	}
	if groupID != "" {
		forms = append(forms, fleet.Name{Account: account, Group: "id:" + groupID, Name: name})
	}
	return forms
}
