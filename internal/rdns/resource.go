// SPDX-License-Identifier: MPL-2.0

// Package rdns manages the reverse DNS names of IP addresses (API.md §5): the resource cloudserver_rdns, its list
// resource, and the data source cloudserver_rdns.
package rdns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var (
	_ resource.ResourceWithConfigure   = (*rdnsResource)(nil)
	_ resource.ResourceWithIdentity    = (*rdnsResource)(nil)
	_ resource.ResourceWithImportState = (*rdnsResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*rdnsResource)(nil)
)

// typeName is the resource, without the provider's prefix.
const typeName = "_rdns"

type rdnsResource struct{ tfkit.Resource }

// newResource returns the resource. Its identity is the address in its canonical form.
func newResource() rdnsResource {
	return rdnsResource{tfkit.Resource{Name: typeName, Identity: map[string]string{"address": "IPv4 or IPv6 address."}}}
}

// NewResource returns the resource cloudserver_rdns.
func NewResource() resource.Resource { return new(newResource()) }

func (r *rdnsResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages the reverse DNS name of an IP address. Destroying it restores the service's own name.",
		Attributes: map[string]schema.Attribute{
			"address": schema.StringAttribute{
				MarkdownDescription: "IPv4 or IPv6 address, such as `cloudserver_vm.web.ipv4_address`.",
				Required:            true,
				Validators:          []validator.String{tfkit.IPAddress(tfkit.AnyIP)},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: tfkit.SameAddress}},
			},
			"hostname": schema.StringAttribute{
				MarkdownDescription: "Fully qualified name. Case and a trailing dot are ignored.",
				Required:            true,
				Validators:          []validator.String{hostname},
				PlanModifiers:       []planmodifier.String{tfkit.KeepSpelling{Same: sameName}},
			},
		},
	}
}

// longestName is the maximum length in characters, without the final dot.
const longestName = 253

var nameShape = sync.OnceValue(func() *regexp.Regexp {
	const label = `[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?`
	return regexp.MustCompile(`^` + label + `(\.` + label + `)*$`)
})

// hostname refuses text that cannot be a DNS name. Whether it accepts a name is otherwise up to the service.
var hostname = tfkit.Text{
	Accepts: "a DNS name such as www.example.com: parts of 1 to 63 letters, digits and hyphens between dots, " +
		"none with a hyphen at its start or end; other letters in their ASCII form, which begins with xn--",
	Summary: "Invalid hostname",
	Valid: func(text string) bool {
		name := strings.TrimSuffix(text, ".")
		_, notAddress := netip.ParseAddr(name)
		return notAddress != nil && len(name) <= longestName && nameShape().MatchString(name)
	},
}

// sameName compares names as DNS does.
func sameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}

type model struct {
	Address  types.String `tfsdk:"address"`
	Hostname types.String `tfsdk:"hostname"`
}

// title names the object in messages.
func (m model) title() string { return "the reverse DNS name of " + m.Address.ValueString() }

// canonical returns the address in its canonical form.
func (m model) canonical() string {
	address, _ := netip.ParseAddr(m.Address.ValueString()) // validated
	return address.Unmap().String()
}

// identity returns the resource identity, which never changes.
func (m model) identity() tfkit.ResourceIdentity {
	return tfkit.ResourceIdentity{"address": types.StringValue(m.canonical())}
}

// key identifies the name among the objects that creates have found, and for turns.
func (m model) key() string { return "rdns " + m.canonical() }

// read returns the reverse name that the service reports for the address, or "".
func (m model) read(ctx context.Context, client *cloudserver.Client) (string, error) {
	ip, err := client.IP(ctx, m.Address.ValueString())
	if err != nil || ip.RDNS == nil {
		return "", err
	}
	return *ip.RDNS, nil
}

// private is what the private state keeps.
type private struct {
	// Hostname is the name that the resource has set, found as planned, or imported: the only one that a destroy resets.
	Hostname string `json:"hostname"`
}

// Create sets the name. If the address has it already, another block may describe it, as after a block was renamed
// without moved: then the delete of that block in this apply has to leave the name alone.
func (r *rdnsResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if diags.HasError() || !r.Data.RequireReady("set "+plan.title(), diags) {
		return
	}
	if err := r.create(ctx, plan, diags); err != nil {
		addError(diags, "Cannot set "+plan.title(), err)
		return
	}
	diags.Append(resp.State.Set(ctx, plan)...)
	tfkit.SavePrivate(ctx, resp.Private, private{plan.Hostname.ValueString()}, diags)
	plan.identity().Save(ctx, resp.Identity, diags)
}

// errTwoBlocks is returned for an address of which this process has set the name for another block.
var errTwoBlocks = errors.New("this apply has set it for another resource block a moment ago")

func (r *rdnsResource) create(ctx context.Context, plan model, diags *diag.Diagnostics) error {
	endTurn, err := r.Data.Turns.Take(ctx, plan.key())
	if err != nil {
		return err
	}
	defer endTurn()
	if _, isClaimed := r.Data.Inventory.Claimed(plan.key()); isClaimed {
		return errTwoBlocks
	}
	name, err := plan.read(ctx, r.Data.Client)
	if err != nil {
		return err
	}
	if sameName(name, plan.Hostname.ValueString()) {
		r.Data.Inventory.Adopt(plan.key())
		r.Data.Inventory.Claim(plan.key(), plan.Hostname.ValueString())
		return nil
	}
	if err := r.Data.Client.SetRDNS(ctx, plan.Address.ValueString(), plan.Hostname.ValueString()); err != nil {
		return err
	}
	r.Data.Inventory.Claim(plan.key(), plan.Hostname.ValueString())
	if name != "" && !r.looksOwn(ctx, name) {
		diags.AddAttributeWarning(path.Root("hostname"), "The reverse DNS name of "+plan.canonical()+" was replaced",
			fmt.Sprintf("It was %q, which somebody has set. It is %s now.", cloudserver.Shown(name), plan.Hostname))
	}
	return nil
}

// looksOwn reports whether a name has the shape of the names that the service assigns to machines:
// <name>.<group>.<account>.<cluster-domain>, of an account that is visible. If no accounts are known, any name of four parts
// has.
func (r *rdnsResource) looksOwn(ctx context.Context, name string) bool {
	parts := strings.SplitN(strings.TrimSuffix(name, "."), ".", 4)
	if len(parts) < 4 {
		return false
	}
	if strings.EqualFold(parts[2], r.Data.Account.ValueString()) {
		return true
	}
	accounts, err := r.Data.Inventory.Accounts(ctx)
	isIts := func(a cloudserver.Account) bool { return strings.EqualFold(a.Name, parts[2]) }
	return err != nil || slices.ContainsFunc(accounts, isIts)
}

// Read removes the resource from the state if its address is gone, or has no name any more.
func (r *rdnsResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	kept := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	state.identity().Save(ctx, resp.Identity, diags)
	if diags.HasError() || !r.Data.Ready() {
		return
	}
	name, err := state.read(ctx, r.Data.Client)
	if err = r.Data.CheckGone(ctx, tfkit.Owner{}, err); inventory.IsGone(err) || err == nil && name == "" {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		tfkit.AddError(diags, "Cannot read "+state.title(), err, nil, "The state is unchanged.")
		return
	}
	if kept.Hostname == "" { // an import, or a state without memory
		kept.Hostname = cmp.Or(state.Hostname.ValueString(), name)
		tfkit.SavePrivate(ctx, resp.Private, kept, diags)
	}
	if !sameName(state.Hostname.ValueString(), name) {
		state.Hostname = types.StringValue(name)
	}
	diags.Append(resp.State.Set(ctx, state)...)
}

// Update sets another name.
func (r *rdnsResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	diags := &resp.Diagnostics
	diags.Append(req.Plan.Get(ctx, &plan)...)
	if diags.HasError() || !r.Data.RequireReady("set "+plan.title(), diags) {
		return
	}
	if err := r.Data.Client.SetRDNS(ctx, plan.Address.ValueString(), plan.Hostname.ValueString()); err != nil {
		addError(diags, "Cannot set "+plan.title(), err)
		return
	}
	diags.Append(resp.State.Set(ctx, plan)...)
	tfkit.SavePrivate(ctx, resp.Private, private{plan.Hostname.ValueString()}, diags)
	plan.identity().Save(ctx, resp.Identity, diags)
}

// Delete restores the service's own name, but only while the address has the name that the resource has set: another one
// is somebody else's.
func (r *rdnsResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	diags := &resp.Diagnostics
	diags.Append(req.State.Get(ctx, &state)...)
	kept := tfkit.LoadPrivate[private](ctx, req.Private, diags)
	if diags.HasError() || !r.Data.RequireReady("reset "+state.title(), diags) {
		return
	}
	set := cmp.Or(kept.Hostname, state.Hostname.ValueString())
	err := r.Data.CheckGone(ctx, tfkit.Owner{}, r.reset(ctx, state, set, diags))
	if err != nil && !inventory.IsGone(err) {
		tfkit.AddError(diags, "Cannot reset "+state.title(), err, attributePath, "The resource stays in the state.")
	}
}

// reset restores the service's own name if the address has the name that the resource has set.
func (r *rdnsResource) reset(ctx context.Context, state model, set string, diags *diag.Diagnostics) error {
	endTurn, err := r.Data.Turns.Take(ctx, state.key())
	if err != nil {
		return err
	}
	defer endTurn()
	if r.Data.Inventory.TakeAdopted(state.key()) {
		return nil
	}
	name, err := state.read(ctx, r.Data.Client)
	if err != nil || name == "" {
		return err
	}
	inThisRun, _ := r.Data.Inventory.Claimed(state.key())
	if sameName(inThisRun, set) {
		r.Data.Inventory.Release(state.key())
	}
	if sameName(name, set) {
		return r.Data.Client.SetRDNS(ctx, state.Address.ValueString(), "")
	}
	if !sameName(name, inThisRun) && !r.looksOwn(ctx, name) {
		diags.AddAttributeWarning(path.Root("hostname"), "The reverse DNS name of "+state.canonical()+" stays",
			fmt.Sprintf("It is %q, but this resource has set %q. It is left as it is, and the resource is removed from the state.",
				cloudserver.Shown(name), set))
	}
	return nil
}

// ImportState finds the address. The read that follows adds the name.
func (r *rdnsResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	diags := &resp.Diagnostics
	text := tfkit.ImportText(ctx, req, "address", diags)
	if diags.HasError() {
		return
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		diags.AddError("Invalid import ID of a reverse DNS name",
			fmt.Sprintf("%q is not an IP address. Set one address without a prefix length, such as 192.0.2.10.", text))
		return
	}
	m := model{Address: types.StringValue(address.Unmap().String())}
	if !r.Data.RequireReady("import "+m.title(), diags) {
		return
	}
	name, err := m.read(ctx, r.Data.Client)
	switch {
	case err != nil:
		addError(diags, "Cannot import "+m.title(), err)
		return
	case name == "":
		diags.AddError("Cannot import "+m.title(), "The address has no reverse DNS name. Create the resource instead of importing it.")
		return
	}
	diags.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	m.identity().Save(ctx, resp.Identity, diags)
}

var attributePath = tfkit.AttributesOf(map[string]string{"rdns": "hostname", "address": "address"})

// addError reports a failed call at the attribute to blame.
func addError(diags *diag.Diagnostics, summary string, err error) {
	if errors.Is(err, errTwoBlocks) {
		diags.AddAttributeError(path.Root("address"), summary,
			tfkit.Detail(err, "Two blocks describe it: remove one of them."))
		return
	}
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("address"), summary,
			tfkit.Detail(err, "No machine that these credentials can see has the address. "+
				"Refer to ipv4_address or ipv6_address of the machine: its management_address has no reverse name."))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, "")
}
