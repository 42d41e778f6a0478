// Package rdns is what Terraform knows about the reverse DNS name of an address
// (api.md §5): the resource cloudserver_rdns.
package rdns

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*rdnsResource)(nil)
	_ resource.ResourceWithIdentity    = (*rdnsResource)(nil)
	_ resource.ResourceWithImportState = (*rdnsResource)(nil)
)

type rdnsResource struct {
	data *tfkit.ProviderData
}

// NewResource gives the resource cloudserver_rdns.
func NewResource() resource.Resource {
	return &rdnsResource{}
}

type model struct {
	Address  tfkit.IPAddress `tfsdk:"address"`
	Hostname types.String    `tfsdk:"hostname"`
}

// title names the thing in messages.
func (m model) title() string { return "the reverse DNS name of " + m.Address.ValueString() }

// read takes over the name that the service tells, unless it is the one that is
// known, merely spelt differently.
func (m *model) read(name string) {
	if !sameName(m.Hostname.ValueString(), name) {
		m.Hostname = types.StringValue(name)
	}
}

// sameName compares as DNS does.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}

func (r *rdnsResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_rdns"
}

func (r *rdnsResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	tfkit.Configure(req.ProviderData, &r.data, &resp.Diagnostics)
}

func (r *rdnsResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	r.set(ctx, req.Plan, &resp.State, resp.Identity, &resp.Diagnostics)
}

func (r *rdnsResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	r.set(ctx, req.Plan, &resp.State, resp.Identity, &resp.Diagnostics)
}

// set gives the address its name: a PUT, so creating and changing are one.
func (r *rdnsResource) set(ctx context.Context, planned tfsdk.Plan, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	var plan model
	diags.Append(planned.Get(ctx, &plan)...)
	if diags.HasError() || !r.data.RequireReady("set "+plan.title(), diags) {
		return
	}
	if _, err := r.data.Client.SetRDNS(ctx, plan.Address.ValueString(), plan.Hostname.ValueString()); err != nil {
		addError(diags, "Cannot set "+plan.title(), err)
		return
	}
	save(ctx, state, identity, plan, diags)
}

// Read takes an address that is gone, or that has no name, as a resource that is
// gone.
func (r *rdnsResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.Ready() {
		return
	}
	ip, err := r.data.Client.IP(ctx, state.Address.ValueString())
	switch {
	case cloudserver.IsNotFound(err), err == nil && (ip.RDNS == nil || *ip.RDNS == ""):
		setIdentity(ctx, resp.Identity, state, &resp.Diagnostics)
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		addError(&resp.Diagnostics, "Cannot read "+state.title(), err)
		return
	}
	state.read(*ip.RDNS)
	save(ctx, &resp.State, resp.Identity, state, &resp.Diagnostics)
}

// Delete gives the address the service's own name back. An address that nobody
// holds any more has none to give back.
func (r *rdnsResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("reset "+state.title(), &resp.Diagnostics) {
		return
	}
	_, err := r.data.Client.SetRDNS(ctx, state.Address.ValueString(), "")
	if err != nil && !cloudserver.IsNotFound(err) {
		addError(&resp.Diagnostics, "Cannot reset "+state.title(), err)
	}
}

// ImportState takes the address; the read that follows fills in the name.
func (r *rdnsResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	text := tfkit.ImportText(ctx, req, "address", &resp.Diagnostics)
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		resp.Diagnostics.AddError("Cannot import a reverse DNS name", fmt.Sprintf(
			"%q is not an IP address. Give one address without a prefix length, such as 192.0.2.10 or 2001:db8::10.", text))
		return
	}
	m := model{Address: tfkit.IPAddress{StringValue: types.StringValue(address.String())}}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	setIdentity(ctx, resp.Identity, m, &resp.Diagnostics)
}

// addError reports a failed call at the attribute to blame.
func addError(diags *diag.Diagnostics, summary string, err error) {
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("address"), summary,
			tfkit.Detail(err, "No machine that this session may see holds the address: check it, or refer to the machine that has it."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, "Run the same command again.")
}

func attributePath(problem cloudserver.Problem) (path.Path, bool) {
	switch problem.Attribute {
	case "rdns":
		return path.Root("hostname"), true
	case "address":
		return path.Root("address"), true
	}
	return path.Empty(), false
}

// save writes state and identity together.
func save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	diags.Append(state.Set(ctx, m)...)
	setIdentity(ctx, identity, m, diags)
}

// setIdentity spells the address canonically, so that it never changes.
func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m model, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	text := m.Address.ValueString()
	if address, err := netip.ParseAddr(text); err == nil {
		text = address.String()
	}
	diags.Append(identity.SetAttribute(ctx, path.Root("address"), text)...)
}
