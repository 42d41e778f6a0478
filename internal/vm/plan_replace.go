package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// imageChange is what a change of the block reimage means. One rule: the image
// is installed again when distribution or revision changes, as on_change says.
type imageChange struct {
	changed  []string // attributes that ask for a new image
	recorded []string // attributes that only enter the state
	replace  bool     // the machine is replaced
	install  bool     // the image is installed in place
	unknown  bool     // the block, or on_change where it matters, is not known
}

// changeImage compares the blocks of state and plan. A value that is not known
// yet counts as what it may cost, because an update may not become a
// replacement between plan and apply.
func changeImage(state, plan *model, p private) imageChange {
	before, had := blockOf[reimageModel](state.Reimage)
	after, has := blockOf[reimageModel](plan.Reimage)
	var c imageChange
	switch {
	case plan.Reimage.IsUnknown():
		c.unknown = had || p.Blank
		return c
	case !has:
		return c
	case !had && p.Blank:
		c.changed, c.install = []string{"distribution"}, true
		return c
	case !had:
		c.recorded = []string{"distribution"}
		return c
	}
	if !after.Distribution.Equal(before.Distribution) {
		c.changed = append(c.changed, "distribution")
	}
	if !after.Revision.Equal(before.Revision) {
		if before.Revision.IsNull() || after.Revision.IsNull() {
			c.recorded = append(c.recorded, "revision")
		} else {
			c.changed = append(c.changed, "revision")
		}
	}
	if !after.SSHPublicKey.Equal(before.SSHPublicKey) {
		c.recorded = append(c.recorded, "ssh_public_key")
	}
	if len(c.changed) > 0 {
		c.unknown = after.OnChange.IsUnknown()
		c.install = after.OnChange.ValueString() == onChangeReimage
		c.replace = !c.install && !c.unknown
	}
	return c
}

// paths returns what forces the replacement.
func (c imageChange) paths() []path.Path {
	if !c.replace {
		return nil
	}
	return mapped(c.changed, func(name string) path.Path { return path.Root("reimage").AtName(name) })
}

// planIPs decides what a change of the block ips means: an address that the machine
// holds is adopted, and any other needs a new machine.
func (r *vmResource) planIPs(ctx context.Context, state, plan *model, diags *diag.Diagnostics) (replace []path.Path) {
	if plan.IPs.IsUnknown() { // the apply could not turn the update into a replacement
		addUnknown(diags, path.Root("ips"), "Cannot plan the addresses of "+state.title(), "An address that the machine does not have needs a new machine")
	}
	for _, name := range []string{"ipv4", "ipv6"} {
		wanted, configured := plan.IPs.Attributes()[name].(types.String)
		if !configured || wanted.IsNull() || wanted.Equal(state.IPs.Attributes()[name]) {
			continue
		}
		if wanted.IsUnknown() || !r.holds(ctx, state, wanted.ValueString(), diags) {
			replace = append(replace, path.Root("ips").AtName(name))
		}
	}
	return replace
}

// holds reports whether the machine has the address. The state has the first of
// each family; the others are asked for. An answer that does not come is an
// error, because the machine would be replaced for it.
func (r *vmResource) holds(ctx context.Context, state *model, address string, diags *diag.Diagnostics) bool {
	if tfkit.SameAddress(state.IPv4Address.ValueString(), address) || tfkit.SameAddress(state.IPv6Address.ValueString(), address) {
		return true
	}
	if !r.Data.Ready() {
		return false
	}
	vm, err := r.Data.Fleet.Read(ctx, state.address())
	if err != nil {
		diags.AddAttributeError(path.Root("ips"), "Cannot plan the addresses of "+state.title(),
			tfkit.Detail(err, "Whether the machine has the address "+address+" is not known, and one that it does not have needs a new machine. Run the same command again."))
		return true
	}
	for _, card := range vm.NetworkInterfaces {
		for _, held := range card.IPs {
			if tfkit.SameAddress(held, address) {
				return true
			}
		}
	}
	return false
}
