package rdns

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// ImportState finds the address. The read that follows adds the name, which then counts as set by the resource.
func (r *rdnsResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	text := tfkit.ImportText(ctx, req, "address", &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		resp.Diagnostics.AddError("Invalid import ID of a reverse DNS name", fmt.Sprintf(
			"%q is not an IP address. Set one address without a prefix length, such as 192.0.2.10 or 2001:db8::10.", text))
		return
	}
	m := model{Address: types.StringValue(address.Unmap().String())}
	if !r.Data.RequireReady("import "+m.title(), &resp.Diagnostics) {
		return
	}
	name, err := m.name(ctx, r.Data.Client)
	switch {
	case err != nil:
		addError(&resp.Diagnostics, "Cannot import "+m.title(), err, "")
		return
	case name == "":
		resp.Diagnostics.AddError("Cannot import "+m.title(), "The address has no reverse DNS name. Create the resource instead of importing it.")
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, rdnsPrivate{Set: name}, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	m.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// ObserveState implements tfkit.Observed.
func (r *rdnsResource) ObserveState(_ *run.Memory, state tfkit.RawState) run.Object {
	var m struct {
		Address string `json:"address"`
	}
	state.Fill(&m)
	return model{Address: types.StringValue(m.Address)}.object()
}

// Subject implements tfkit.Observed.
func (r *rdnsResource) Subject(state tfkit.Attributes) run.Subject {
	text := state.Text("address")
	if text == "" {
		return run.Subject{Object: run.Object{Kind: run.ReverseName}}
	}
	m := model{Address: types.StringValue(text)}
	return run.Subject{Object: m.object(), Title: text, Names: []run.Name{claim(m)}}
}

// RefuseName implements tfkit.Observed.
func (r *rdnsResource) RefuseName(_ run.Name, _, by run.Holder, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("address"), "Duplicate reverse DNS name of "+by.Title,
		"The configuration has two resources for this address, and an address has one name. Remove one of them. "+
			"If it is the same name in a new place, use a moved block instead.")
}

// WarnOfName implements tfkit.Observed.
func (r *rdnsResource) WarnOfName(_, _ run.Holder, _ *diag.Diagnostics) {}
