package vm

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// expect compares a machine, as it is right before a request, with what the plan saw, which is the state. A value that
// somebody else has changed since is not overwritten: that is an error with both values, unless it is the planned one.
// done reports whether the request would change nothing.
func (u *update) expect(vm *cloudserver.VirtualMachine, request cloudserver.VirtualMachineUpdate) (done bool, err error) {
	if err := u.errOtherName(vm, request); err != nil {
		return false, err
	}
	if request.Settings == (cloudserver.Settings{}) {
		isNamed := request.Name == nil || *request.Name == vm.Name
		isThere := request.GroupID == nil || *request.GroupID == vm.GroupID
		return isNamed && isThere && !request.IsZero(), nil
	}
	if request.PowerOn != nil || request.AutorebootOn != nil { // refuseOtherPower looks at these
		return false, nil
	}
	now, done := u.state.refreshed(vm), true
	for _, s := range settings {
		saw, wanted, is := s.value(&u.state.common), s.value(&u.plan.common), s.value(&now)
		if !differs(saw, wanted) && (!wanted.IsNull() || saw.IsNull()) || is.Equal(wanted) {
			continue
		}
		if !is.Equal(saw) && !u.isOwnUpgrade(is) {
			return false, u.changedElsewhere(path.Root(s.name), s.name, saw, is, wanted)
		}
		done = false
	}
	return done, nil
}

// isOwnUpgrade reports whether the value is a hardware profile to which the service upgrades the state's by itself.
func (u *update) isOwnUpgrade(is attr.Value) bool {
	profile, ok := is.(types.String)
	return ok && (cloudserver.IsProfileUpgrade(u.state.HardwareProfile.ValueString(), profile.ValueString()) ||
		profile.Equal(u.state.EffectiveHardwareProfile))
}

// errOtherName returns an error if a request renames or moves a machine that somebody else has renamed or moved. The
// temporary name is this provider's own.
func (u *update) errOtherName(vm *cloudserver.VirtualMachine, request cloudserver.VirtualMachineUpdate) error {
	name, planned := u.state.Name.ValueString(), u.plan.Name.ValueString()
	isKnown := strings.EqualFold(vm.Name, name) || strings.EqualFold(vm.Name, planned) || vm.Name == "renaming-"+u.state.ID.ValueString()
	if request.Name != nil && vm.Name != "" && name != "" && !isKnown {
		return u.changedElsewhere(path.Root("name"), "name", u.state.Name, types.StringValue(vm.Name), u.plan.Name)
	}
	group := cloudserver.IDText(vm.GroupID)
	if request.GroupID == nil || vm.GroupID == 0 || *request.GroupID == vm.GroupID {
		return nil
	}
	if saw := u.state.GroupID.ValueString(); saw == group || saw == "" {
		return nil
	}
	return u.changedElsewhere(path.Root("group"), "group_id", u.state.GroupID, types.StringValue(group), types.StringValue(cloudserver.IDText(*request.GroupID)))
}

// errOtherLabel returns an error if a disc that the plan renames has another label than the last refresh saw.
func (u *update) errOtherLabel(d indexedDisc, now *cloudserver.Disc) error {
	saw, _ := u.private.Discs.now(d.had)
	if now.Label == "" || cloudserver.SameLabel(now.Label, saw) || cloudserver.SameLabel(now.Label, d.had.Label.ValueString()) {
		return nil
	}
	return u.changedElsewhere(discPath(d.index, "label"), "label of disc "+d.disc.ID.ValueString(),
		types.StringValue(saw), types.StringValue(now.Label), d.disc.Label)
}

// errOtherSize returns an error if a disc that the plan grows has another size than in the state.
func (u *update) errOtherSize(d indexedDisc, now *cloudserver.Disc) error {
	if now.Size == 0 || now.Size == d.had.Size.ValueInt64() {
		return nil
	}
	return u.changedElsewhere(discPath(d.index, "size"), "size of disc "+d.disc.ID.ValueString(), d.had.Size, types.Int64Value(now.Size), d.disc.Size)
}

// changedElsewhere returns the error for a value that is not overwritten.
func (u *update) changedElsewhere(at path.Path, what string, saw, is, wanted attr.Value) error {
	return &attributeError{at, fmt.Sprintf("The %s was %s when the plan was made, and is %s now: somebody else has changed it. "+
		"The plan sets it to %s, and would overwrite that. %s Run plan again to see what it does now.",
		what, saw, is, wanted, u.done())}
}
