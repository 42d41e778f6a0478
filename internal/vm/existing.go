package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/existing"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// planExisting looks for the machine that a plan would create, for the command imports. If it exists, the plan gets its
// values, so that resources that refer to it are planned as after an import, and the result is true.
func (r *vmResource) planExisting(ctx context.Context, config, plan *model, diags *diag.Diagnostics) bool {
	if !tfkit.Given(plan.Name) || !tfkit.Given(plan.Account) || !tfkit.Given(plan.Group) && !tfkit.Given(plan.GroupID) {
		return false // not known yet
	}
	found := existing.Creation{Type: "cloudserver_vm"}
	group, vm, err := r.existingMachine(ctx, plan)
	switch {
	case err != nil || vm == nil:
	case vm.Deleted:
		found.SoftDeleted = cloudserver.IDText(vm.ID)
	default:
		found.ImportIDs = []string{cloudserver.IDText(vm.ID)}
		r.fillExisting(config, plan, group, vm)
	}
	found.Planned = tfkit.PlannedTexts(map[string]types.String{
		"account": plan.Account, "group": plan.Group, "group_id": plan.GroupID, "name": plan.Name, "id": plan.ID,
	})
	r.Data.Found(found, plan.title(), err, diags)
	return len(found.ImportIDs) > 0
}

// existingMachine returns the group of a planned machine and the machine that has its name there. Each is nil if there
// is none.
func (r *vmResource) existingMachine(ctx context.Context, plan *model) (*fleet.Group, *cloudserver.VirtualMachine, error) {
	account, directory := plan.Account.ValueString(), r.Data.Fleet.Directory
	if err := directory.Visible(ctx, account, ""); err != nil {
		return nil, nil, err
	}
	var group *fleet.Group
	var err error
	if tfkit.Given(plan.GroupID) {
		group, err = directory.GroupWithID(ctx, account, tfkit.IDOf(plan.GroupID))
	} else {
		group, err = directory.GroupNamed(ctx, account, plan.Group.ValueString())
	}
	if err != nil || group == nil {
		return nil, nil, err
	}
	element, err := directory.Element(ctx, account, group.Name, group.ID)
	if err != nil {
		return nil, nil, err
	}
	machines, err := r.Data.MachinesInGroup(ctx, account, element)
	if err != nil {
		return nil, nil, err
	}
	var named []cloudserver.VirtualMachine
	for _, vm := range machines {
		if vm.Name == plan.Name.ValueString() {
			named = append(named, vm)
		}
	}
	switch len(named) {
	case 0:
		return group, nil, nil
	case 1:
		return group, &named[0], nil
	}
	// The listing shows it twice, because it was changed meanwhile.
	vm, err := r.Data.Client.VirtualMachineByName(ctx, account, element, plan.Name.ValueString(), cloudserver.IncludeDeleted)
	return group, vm, err
}

// fillExisting completes a plan with what the service reports about the machine, where the configuration is silent.
func (r *vmResource) fillExisting(config, plan *model, group *fleet.Group, vm *cloudserver.VirtualMachine) {
	reported := machineFromAPI(vm)
	reported.Account, reported.Group = types.StringValue(group.Account), types.StringValue(group.Name)
	reported.GroupID = tfkit.IDOrNull(group.ID)
	if plan.EffectiveHardwareProfile.IsUnknown() {
		plan.EffectiveHardwareProfile = reported.HardwareProfile
	}
	keepState(&plan.common, config.common, reported)
	planned, configured := plan.discs(), config.discs()
	filled := fillDiscs(planned, vm.Discs)
	for i := range filled {
		if len(configured) == len(filled) && configured[i].StorageGrade.IsUnknown() || filled[i].StorageGrade.IsNull() {
			filled[i].StorageGrade = planned[i].StorageGrade
		}
		if filled[i].ID.IsNull() { // the machine does not have it
			filled[i].ID = planned[i].ID
		}
	}
	if len(filled) > 0 {
		plan.Disc = discList(filled)
	}
	r.rememberAddresses(plan, reported.Hostname.ValueString())
}
