package rdns

import (
	"context"
	"fmt"
	"net/netip"

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

// typeName is the resource, without the provider's prefix.
const typeName = "_rdns"

type rdnsResource struct {
	data *tfkit.ProviderData
}

// NewResource returns the resource cloudserver_rdns.
func NewResource() resource.Resource {
	return &rdnsResource{}
}

type model struct {
	Address  tfkit.IPAddress `tfsdk:"address"`
	Hostname types.String    `tfsdk:"hostname"`
}

// title names the object in messages.
func (m model) title() string { return "the reverse DNS name of " + m.Address.ValueString() }

// identity returns the resource identity: the address in its canonical form, so
// that it never changes.
func (m model) identity() tfkit.Identity {
	text := m.Address.ValueString()
	if address, err := netip.ParseAddr(text); err == nil {
		text = address.Unmap().String()
	}
	return tfkit.Identity{"address": types.StringValue(text)}
}

func (r *rdnsResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + typeName
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

// set sends the name. It is a PUT, for a creation and for an update.
func (r *rdnsResource) set(ctx context.Context, planned tfsdk.Plan, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	var plan model
	diags.Append(planned.Get(ctx, &plan)...)
	if diags.HasError() || !r.data.RequireReady("set "+plan.title(), diags) {
		return
	}
	if err := r.data.Client.SetRDNS(ctx, plan.Address.ValueString(), plan.Hostname.ValueString()); err != nil {
		addError(diags, "Cannot set "+plan.title(), err, "Run the same command again: setting the name twice does no harm.")
		return
	}
	tfkit.Save(ctx, state, identity, plan, plan.identity(), diags)
}

// Read removes the resource from the state if its address is known to be gone, or
// has no name any more. The identity is written on every way out.
func (r *rdnsResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	state.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
	if !r.data.Ready() {
		return
	}
	ip, err := r.data.Client.IP(ctx, state.Address.ValueString())
	if cloudserver.IsNotFound(err) {
		ip, err = nil, r.data.Directory.Visible(ctx, r.data.Account.ValueString())
	}
	switch {
	case err != nil:
		addUnproved(&resp.Diagnostics, "Cannot read "+state.title(), err)
	case ip == nil || ip.RDNS == nil || *ip.RDNS == "":
		resp.State.RemoveResource(ctx)
	default:
		if !sameName(state.Hostname.ValueString(), *ip.RDNS) {
			state.Hostname = types.StringValue(*ip.RDNS)
		}
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// Delete restores the service's own name of the address. An address that is known
// to be gone has none to restore.
func (r *rdnsResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.data.RequireReady("reset "+state.title(), &resp.Diagnostics) {
		return
	}
	err := r.data.Client.SetRDNS(ctx, state.Address.ValueString(), "")
	if cloudserver.IsNotFound(err) {
		err = r.data.Directory.Visible(ctx, r.data.Account.ValueString())
	}
	if err != nil {
		addUnproved(&resp.Diagnostics, "Cannot reset "+state.title(), err)
	}
}

// ImportState finds the address; the read that follows fills in the name.
func (r *rdnsResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	text := tfkit.ImportText(ctx, req, "address", &resp.Diagnostics)
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		resp.Diagnostics.AddError("Invalid import ID of a reverse DNS name", fmt.Sprintf(
			"%q is not an IP address. Set one address without a prefix length, such as 192.0.2.10 or 2001:db8::10.", text))
		return
	}
	m := model{Address: tfkit.IPAddress{StringValue: types.StringValue(address.Unmap().String())}}
	if !r.data.RequireReady("import "+m.title(), &resp.Diagnostics) {
		return
	}
	ip, err := r.data.Client.IP(ctx, m.Address.ValueString())
	switch {
	case err != nil:
		addError(&resp.Diagnostics, "Cannot import "+m.title(), err, "")
		return
	case ip.RDNS == nil || *ip.RDNS == "":
		resp.Diagnostics.AddError("Cannot import "+m.title(), "The address has no reverse DNS name. Create the resource instead of importing it.")
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	m.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// addError reports a failed call at the attribute to blame.
func addError(diags *diag.Diagnostics, summary string, err error, advice string) {
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("address"), summary,
			tfkit.Detail(err, "No machine that these credentials can see has the address. Check the address, or refer to the attribute of the machine that has it."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, advice)
}

// addUnproved reports a failure that does not prove that the address is gone.
func addUnproved(diags *diag.Diagnostics, summary string, err error) {
	advice := "The state is unchanged."
	if cloudserver.IsNotFound(err) {
		advice = "The service does not show the account to these credentials, so it is unknown whether the address still exists. The state is unchanged. Check endpoint and the credentials. " +
			"If the account was closed, remove its resources from the state with `terraform state rm`."
	}
	tfkit.AddError(diags, summary, err, attributePath, advice)
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
