// SPDX-License-Identifier: MPL-2.0

package vm

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// addressTimeout is how long a new machine that is on may take to show an address. A machine without one is no error.
const addressTimeout = 30 * time.Second

// otherFamilyAfter is how long after its first address a new machine is looked at for an address of the other family.
const otherFamilyAfter = 2 * time.Second

// Create sends one vm_create and waits until the machine is as planned. Once the service has confirmed it, the machine is
// saved, however the waits end.
func (r *vmResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	image := plan.image(ctx, req.Config, diags)
	if diags.HasError() || !r.Data.RequireReady("create "+plan.fullTitle(), diags) {
		return
	}
	ctx = cloudserver.WithSecrets(progress.NewContext(ctx, plan.fullTitle(), nil), image.Secrets()...)
	limited, cancel := context.WithTimeout(ctx, tfkit.Timeout(plan.Timeouts, "create", defaultTimeout))
	defer cancel()

	created, err := r.create(limited, &plan, image)
	if err != nil {
		r.addCreateError(limited, &plan, err, diags)
		return
	}
	warnUnconfirmed(created, diags)
	state, p := plan.begun(created), newPrivate(&plan)
	seen, err := r.awaitCreated(limited, &state, &plan)
	if err == nil {
		plan.complete(&plan, seen)
		state = plan
	}
	if err == nil && p.Owed.Ready {
		err = r.awaitReady(ctx, &state) // its timeout begins now
		p.Owed.Ready = err != nil
	}
	if err != nil {
		state.addUnfinished(err, diags)
	}
	state.showPending(p.Owed)
	state.save(ctx, &resp.State, resp.Identity, diags)
	tfkit.SavePrivate(ctx, resp.Private, p, diags)
}

// newPrivate returns the private state of a machine that was just created. Until it is ready, that is owed, for somebody
// who untaints it.
func newPrivate(plan *model) private {
	p := private{Owed: owed{Ready: !plan.Ready.IsNull() && plan.PowerOn.ValueBool()}}
	if plan.Reimage.IsNull() {
		p.From = imageless
	}
	return p
}

// begun returns the state of a machine whose creation the service has confirmed. Whether it is on is not known yet.
func (m *model) begun(created *cloudserver.VirtualMachine) model {
	begun := *m
	begun.complete(m, created)
	begun.PowerOn = types.BoolPointerValue(created.PowerOn)
	return begun
}

// create resolves the group and sends vm_create. A taken name or address is tried again, because the same apply may
// still be deleting the machine that has it. It fills in the IDs of group and account.
func (r *vmResource) create(
	ctx context.Context, plan *model, image cloudserver.Reimage,
) (*cloudserver.VirtualMachine, error) {
	account := plan.Account.ValueString()
	group, err := r.Data.Inventory.GroupNamed(ctx, account, plan.Group.ValueString())
	if err != nil {
		return nil, err
	}
	request := plan.createRequest(image)
	request.NameIsFree = r.nameIsFree(ctx, plan)
	plan.GroupID, plan.AccountID = tfkit.IDOrNull(group.ID), tfkit.IDOrNull(group.AccountID)
	var created *cloudserver.VirtualMachine
	err = cloudserver.RetryTaken(ctx, func() (err error) {
		created, err = r.Data.Client.CreateVirtualMachine(ctx, account, cloudserver.IDText(group.ID), request)
		request.NameIsFree = false // in a second attempt
		return err
	})
	r.Data.Inventory.NameChanged(account, plan.Name.ValueString())
	if err != nil {
		return nil, err
	}
	isNew := r.Data.Inventory.Track(created.ID)
	if created.Unconfirmed != nil && !isNew { // it was found by its name, and is the machine of another block
		return nil, &cloudserver.NameTaken{Name: plan.Name.ValueString(), ID: created.ID, Err: created.Unconfirmed}
	}
	r.Data.Inventory.Claim(claimKey(created.ID), "")
	return created, nil
}

// nameIsFree reports whether the plan has seen in this process that no machine has the name. Terraform plans again
// before it applies, so this usually takes no request. In a group that this process creates, each name is free.
func (r *vmResource) nameIsFree(ctx context.Context, plan *model) bool {
	if !r.Data.PlanChecks {
		return false
	}
	q := newLocationCheck(&model{}, plan, r.plannedGroup(plan))
	if q == nil {
		return true
	}
	existing, isKnown, _ := r.findExisting(ctx, q)
	return isKnown && existing == nil
}

// warnUnconfirmed warns of a machine that was found by its name, because the answer to its creation was lost.
func warnUnconfirmed(created *cloudserver.VirtualMachine, diags *diag.Diagnostics) {
	if created.Unconfirmed == nil {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), "The creation of the machine was not confirmed",
		fmt.Sprintf("%s After that, virtual machine %d (%q) was found as requested, and its name was free before, "+
			"so it is in the state. "+
			"If somebody else may have created the same one, look at it before you change or destroy it.",
			tfkit.Sentence(created.Unconfirmed.Error()), created.ID, cloudserver.Shown(created.Name)))
}

// awaitCreated waits until the new machine is on, or described if it is not to be on, until it shows its discs, and for
// a moment until it has an address. It returns the machine as last seen.
func (r *vmResource) awaitCreated(ctx context.Context, begun, plan *model) (*cloudserver.VirtualMachine, error) {
	location := begun.location()
	location.Created = true
	r.Data.Inventory.Wrote(location.ID)
	created := begun.operationsAt(location, r.Data, plan.shutdown())

	what, done := "the machine to be described", func(*cloudserver.VirtualMachine) bool { return true }
	if plan.PowerOn.ValueBool() {
		what, done = machine.PoweredOn, (*cloudserver.VirtualMachine).IsOn
	}
	if err := created.Wait(ctx, what, done); err != nil {
		return nil, err
	}
	var discs []cloudserver.Disc
	if len(plan.discs()) > 0 {
		var err error
		if discs, err = created.AwaitDiscs(ctx, "the discs to be on the machine", plan.areShown); err != nil {
			return nil, err
		}
	}
	if err := awaitAddress(ctx, created); err != nil {
		return nil, err
	}
	seen := *created.Last()
	seen.Discs = discs
	return &seen, nil
}

// awaitAddress waits for a moment until the new machine shows an address, and looks once more if it has none of the other
// family yet.
func awaitAddress(ctx context.Context, created *machine.Machine) error {
	if !showsAddress(created.Last()) {
		limited, cancel := context.WithTimeout(ctx, addressTimeout)
		defer cancel()
		err := created.Wait(limited, "an address of the machine", showsAddress)
		if _, isTooSlow := errors.AsType[*progress.Unfinished](err); isTooSlow {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if showsBothFamilies(created.Last()) || cloudserver.Pause(ctx, otherFamilyAfter) != nil {
		return nil
	}
	_, err := created.LookAgain(ctx)
	return err
}

// areShown reports whether every planned disc is among those that the machine shows.
func (m *model) areShown(shown []cloudserver.Disc) bool {
	return !slices.ContainsFunc(m.discs(), func(d discModel) bool {
		found := findDisc(d, shown)
		return found == nil || found.ID == 0
	})
}

// showsAddress reports whether the machine shows an address.
func showsAddress(vm *cloudserver.VirtualMachine) bool {
	return !firstAddress(vm.NetworkInterfaces, netip.Addr.IsValid).IsNull()
}

// showsBothFamilies reports whether the machine shows an IPv4 and an IPv6 address.
func showsBothFamilies(vm *cloudserver.VirtualMachine) bool {
	return !firstAddress(vm.NetworkInterfaces, netip.Addr.Is4).IsNull() &&
		!firstAddress(vm.NetworkInterfaces, netip.Addr.Is6).IsNull()
}

// addCreateError reports that no machine was created, or that it is unknown whether one was. ctx has the timeout of the
// creation.
func (r *vmResource) addCreateError(ctx context.Context, m *model, err error, diags *diag.Diagnostics) {
	summary, longer := "Cannot create "+m.fullTitle(), tfkit.Longer(ctx.Err(), "timeouts.create")
	taken, isTaken := errors.AsType[*cloudserver.NameTaken](err)
	_, isAmbiguous := errors.AsType[*cloudserver.AmbiguousError](err)
	switch {
	case isTaken:
		diags.AddAttributeError(path.Root("name"), summary, r.takenAdvice(taken))
	case isAmbiguous:
		tfkit.AddError(diags, summary, err, nil,
			"If the machine was created after all, the next plan says that its name is taken, "+
				"with the import block for it. "+longer)
	case cloudserver.IsNotFound(err):
		at, detail := r.explainMissing(ctx, m, err)
		diags.AddAttributeError(at, summary, detail+" No machine was created.")
	case cloudserver.IsTaken(err):
		tfkit.AddError(diags, summary, err, m.attributePath, r.addressAdvice(ctx, m))
	case refusesAddress(err):
		tfkit.AddError(diags, summary, err, m.attributePath, "No machine was created. Addresses can be chosen only in a group on "+
			"a private VLAN, and in its range: use such a group, or leave ips out.")
	default:
		tfkit.AddError(diags, summary, err, m.attributePath, "No machine was created. "+longer)
	}
}

// refusesAddress reports whether the service refuses an address of the block ips (API.md §7, rules for ips).
func refusesAddress(err error) bool {
	refused, ok := errors.AsType[*cloudserver.Error](err)
	return ok && (refused.Has("ips", "") || refused.Has("ipv4", "") || refused.Has("ipv6", ""))
}

// claimKey identifies a machine among the objects that blocks claim.
func claimKey(id int64) string { return "virtual machine " + cloudserver.IDText(id) }

// takenAdvice explains a name that another machine has.
func (r *vmResource) takenAdvice(taken *cloudserver.NameTaken) string {
	detail := ""
	if taken.Err != nil {
		detail = tfkit.Sentence(taken.Err.Error()) + " "
	}
	if taken.ID == 0 {
		return detail + fmt.Sprintf("Another machine has the name %q. Choose another name, or run apply again.",
			taken.Name)
	}
	if _, isClaimed := r.Data.Inventory.Claimed(claimKey(taken.ID)); isClaimed && !taken.Deleted {
		return detail + fmt.Sprintf("Two blocks describe the machine %q: this apply has created virtual machine %d "+
			"for another one a moment ago. Remove one of the blocks, or give it another name.", taken.Name, taken.ID)
	}
	existing := &cloudserver.VirtualMachine{ID: taken.ID, Deleted: taken.Deleted}
	return detail + withAction(r.Data.WithAction).takenAdvice(existing, taken.Name, false)
}

// addressAdvice explains an address that is in use. A soft-deleted machine, which no plain list shows, is named.
func (r *vmResource) addressAdvice(ctx context.Context, m *model) string {
	const otherwise = "Choose another address, or leave it out to have one allocated. " +
		"With create_before_destroy, the machine that is replaced still has its addresses: the new one needs others."
	account, group := m.Account.ValueString(), m.GroupID.ValueString()
	machines, err := r.Data.Client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted)
	if err != nil {
		return otherwise
	}
	for _, vm := range machines {
		for _, wanted := range m.wants(&model{}) {
			if vm.Deleted && (&model{}).hasAddress(wanted.ValueString(), &vm) {
				id := cloudserver.IDText(vm.ID)
				return fmt.Sprintf("The soft-deleted virtual machine %q (ID %s) has the address %s. "+
					"To use that machine, undelete it %s, and import it. To free the address, purge it %s.",
					cloudserver.Shown(vm.Name), id, wanted.ValueString(),
					r.byAction("undelete", id), r.byAction("purge", id, "name="+vm.Name))
			}
		}
	}
	return otherwise
}

// addUnfinished reports that a machine exists, but that the wait for it failed.
func (m *model) addUnfinished(err error, diags *diag.Diagnostics) {
	if inventory.IsDeletedOrGone(err) {
		diags.AddError("Created "+m.fullTitle()+", but it is gone", tfkit.Detail(err,
			fmt.Sprintf("The machine (ID %s) was deleted outside of Terraform while the provider waited for it. "+
				"The next apply creates it again.", m.ID.ValueString())))
		return
	}
	next := "would replace it"
	if !m.purges() {
		next = "would only soft-delete it, and its name stays taken"
	}
	advice := tfkit.Longer(err, "timeouts.create")
	if _, isOn := errors.AsType[*ready.Error](err); isOn {
		advice = m.readyAdvice(err)
	}
	advice = fmt.Sprintf("The machine (ID %s) is in the state as tainted: the next apply %s. "+
		"To keep it, run `terraform untaint` with the address of this resource. %s", m.ID.ValueString(), next, advice)
	diags.AddError("Created "+m.fullTitle()+", but it is not ready", tfkit.Detail(err, advice))
}
