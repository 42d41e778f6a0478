package vm

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/place"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// checkName refuses two new machines of one name, and asks the service who holds
// the name: that is a warning, because another change of the same plan may free it.
func (r *vmResource) checkName(ctx context.Context, state, plan *model, diags *diag.Diagnostics) {
	name, known := plan.plannedName()
	if !known || !r.Data.Ready() {
		return
	}
	if state.ID.IsNull() && r.Data.Noted.Add(fmt.Sprintf("create machine %v", name)) {
		diags.AddAttributeError(path.Root("name"), fmt.Sprintf("Two machines of this configuration are named %q", name.Name),
			fmt.Sprintf("Another resource of this configuration, or another instance of this one, creates a machine with the name %q in the same group. "+
				"Names are unique in a group: with count or for_each, make the name depend on count.index or each.value.", name.Name))
		return
	}
	before, _ := state.plannedName()
	if name == before {
		return
	}
	place.WarnName(name.Name, diags)
	r.noteKeptName(name, "takes", "keeps", diags)
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	holder, err := r.holder(ctx, name, plan.Group.ValueString(), tfkit.IDOf(plan.GroupID))
	if cloudserver.IsNotFound(err) && name.Account == before.Account && name.Group == before.Group { // renamed since the state was read
		holder, err = r.holder(ctx, name, "", tfkit.IDOf(plan.GroupID))
	}
	if err != nil {
		r.addPlaceError(ctx, name, plan, err, diags)
	} else if holder != nil {
		diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The name %q is taken in %s of account %q", name.Name, plan.groupTitle(), name.Account),
			r.holderAdvice(holder.ID, name.Name, holder.Deleted))
	}
}

// noteKeptName notes that a machine takes a name, or keeps it although it is
// destroyed. It warns if this plan does both.
func (r *vmResource) noteKeptName(name fleet.Name, does, other string, diags *diag.Diagnostics) {
	r.Data.Noted.Add(fmt.Sprintf("%s machine %v", does, name))
	if r.Data.Noted.Has(fmt.Sprintf("%s machine %v", other, name)) {
		diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The name %q stays taken", name.Name),
			"This plan destroys a machine of that name with purge_on_destroy = false, and another resource is to have the name. A soft-deleted machine keeps its name, so the service refuses it. "+
				"Give the other one another name; or apply purge_on_destroy = true to the first machine before, which then destroys all its discs and their backups.")
	}
}

// noteKept notes that a machine which is destroyed keeps its name.
func (r *vmResource) noteKept(m *model, diags *diag.Diagnostics) {
	if name, known := m.plannedName(); known && r.Data.Ready() && !m.mayPurge() {
		r.noteKeptName(name, "keeps", "takes", diags)
	}
}

// holder returns the machine that has the name in a group, or nil.
func (r *vmResource) holder(ctx context.Context, name fleet.Name, group string, id int64) (*cloudserver.VirtualMachine, error) {
	element, err := r.Data.Fleet.Directory.Element(ctx, name.Account, group, id)
	if err != nil {
		return nil, err
	}
	holder, _, err := r.Data.Fleet.Holder(ctx, name.Account, element, name.Name)
	return holder, err
}

// addPlaceError tells an account that cannot be seen, which is an error, from a
// group that another change of this plan may create, and from a check that
// could not be made.
func (r *vmResource) addPlaceError(ctx context.Context, name fleet.Name, plan *model, err error, diags *diag.Diagnostics) {
	if !cloudserver.IsNotFound(err) {
		r.Data.AddPlanCheckError(err, diags)
		return
	}
	at, why := r.missingPlace(ctx, plan)
	switch {
	case at.Equal(path.Root("account")):
		diags.AddAttributeError(at, fmt.Sprintf("The account %q does not exist or is not visible", name.Account), why())
	case cloudserver.IsDigits(name.Group): // no plan creates a group of such a name
		diags.AddAttributeError(at, fmt.Sprintf("Account %q has no %s", name.Account, plan.groupTitle()), why()+" To select a group by its ID, use group_id.")
	case r.Data.Noted.Has(fmt.Sprintf("planned group %v", fleet.Name{Account: name.Account, Name: name.Group})):
	case !r.Data.Noted.Add(fmt.Sprintf("missing group %s/%s", name.Account, name.Group)):
		diags.AddAttributeWarning(at, fmt.Sprintf("The account %q has no %s yet", name.Account, plan.groupTitle()),
			"Unless another resource creates the group before the machine, the apply fails. Terraform keeps that order where group or group_id refers to the name or id of a cloudserver_group.")
	}
}

// checkDefinitions validates new and changed values against the service's
// definitions (API.md §6). What is already deployed is never questioned, nor is
// a distribution that is only recorded: the service may have withdrawn it.
func (r *vmResource) checkDefinitions(ctx context.Context, state, plan *model, installs bool, diags *diag.Diagnostics) {
	var choices []tfkit.Choice
	add := func(at path.Path, offer tfkit.Offer, before, wanted types.String) {
		if differs(before, wanted) {
			choices = append(choices, tfkit.Choice{At: at, Value: wanted.ValueString(), Offer: offer})
		}
	}
	before, _ := blockOf[reimageModel](state.Reimage)
	if wanted, ok := blockOf[reimageModel](plan.Reimage); ok && installs {
		add(path.Root("reimage").AtName("distribution"), operation.Distribution, before.Distribution, wanted.Distribution)
	}
	add(path.Root("zone_name"), zone, state.ZoneName, plan.ZoneName)
	add(path.Root("hardware_profile"), hardwareProfile, state.HardwareProfile, plan.HardwareProfile)
	deployed := map[string]types.String{}
	for _, disc := range state.discs() {
		deployed[disc.ID.ValueString()] = disc.StorageGrade
	}
	for i, disc := range plan.discs() {
		if _, kept := deployed[disc.ID.ValueString()]; !kept {
			add(path.Root("disc").AtListIndex(i).AtName("storage_grade"), storageGrade, types.StringNull(), disc.StorageGrade)
		}
	}
	r.Data.CheckChoices(ctx, choices, diags)
}

// What the service offers (API.md §6).
var (
	zone            = tfkit.Offer{What: "zone", List: func(d *cloudserver.Definitions) ([]string, map[string]string) { return d.ZoneNames, nil }}
	hardwareProfile = tfkit.Offer{What: "hardware profile", Partial: true, List: func(d *cloudserver.Definitions) ([]string, map[string]string) {
		return d.HardwareProfiles, nil
	}}
	storageGrade = tfkit.Offer{What: "storage grade", List: func(d *cloudserver.Definitions) ([]string, map[string]string) {
		return d.StorageGrades, d.StorageGradeDescriptions
	}}
)
