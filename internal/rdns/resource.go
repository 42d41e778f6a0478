package rdns

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/presence"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
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

type model struct {
	Address  types.String `tfsdk:"address"`
	Hostname types.String `tfsdk:"hostname"`
}

// kept is the private state of a reverse DNS name.
type kept struct {
	// Account is that of the machine that has the address: whether the address is
	// gone is judged by it. "": no process has seen the machine.
	Account string `json:"account,omitempty"`
	// Accounts were visible when the address was, if Account is not known: the machine is
	// in one of them.
	Accounts []string `json:"accounts,omitempty"`
	// Set is the name that this resource set last, and Mark which call that was.
	Set  string `json:"set"`
	Mark string `json:"mark,omitempty"`
}

// title names the object in messages.
func (m model) title() string { return "the reverse DNS name of " + m.Address.ValueString() }

// address returns the address, whatever its spelling.
func (m model) address() netip.Addr {
	address, _ := netip.ParseAddr(m.Address.ValueString()) // validated
	return address.Unmap()
}

// identity returns the resource identity, which never changes.
func (m model) identity() tfkit.Identity {
	return tfkit.Identity{"address": types.StringValue(m.address().String())}
}

// object names what is imported once, and by one resource.
func (m model) object() run.Object { return run.NameOf(m.address()) }

// claim is the address as what plans of one run may claim.
func claim(m model) fleet.Name { return fleet.Name{Name: m.address().String()} }

// name returns the name that the address has at the service, "" if it has none.
func (m model) name(ctx context.Context, data *tfkit.ProviderData) (string, error) {
	ip, err := data.Client.IP(ctx, m.Address.ValueString())
	if err != nil || ip.RDNS == nil {
		return "", err
	}
	return *ip.RDNS, nil
}

func (r *rdnsResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	r.set(ctx, plan, kept{}, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

func (r *rdnsResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	k := tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics)
	r.set(ctx, plan, k, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// set sends the name. It is a PUT, for a creation and for an update.
func (r *rdnsResource) set(
	ctx context.Context, plan model, k kept, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private privateState, diags *diag.Diagnostics,
) {
	if diags.HasError() || !r.Data.RequireReady("set "+plan.title(), diags) {
		return
	}
	end, err := r.Data.Turns.Take(ctx, plan.object())
	if err == nil {
		defer end()
		err = r.Data.Client.SetRDNS(ctx, plan.Address.ValueString(), plan.Hostname.ValueString())
	}
	if err != nil {
		advice := tfkit.Again(err) + " Setting the name twice does no harm."
		if cloudserver.StatusCode(err) == http.StatusBadRequest {
			advice = "The address keeps the name that it has. Correct hostname, and run apply again."
		}
		addError(diags, "Cannot set "+plan.title(), err, advice)
		return
	}
	k.Set, k.Mark = plan.Hostname.ValueString(), rand.Text()
	k = r.keepAccount(ctx, k, plan.address())
	r.Data.Memory.SetReverseName(plan.address(), k.Mark)
	tfkit.SavePrivate(ctx, private, k, diags)
	tfkit.Save(ctx, state, identity, plan, plan.identity(), diags)
}

type privateState interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ModifyPlan refuses two new names of one address: the later would overwrite the
// other, at every apply. It warns of a name that the address has already.
func (r *rdnsResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan model
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &plan)...)
		presence.PlanDestroy(r.Data, plan.object(), &resp.Diagnostics)
		return
	}
	if r.Data == nil || !req.State.Raw.IsNull() {
		return
	}
	defer r.Data.AddWayOut(&resp.Diagnostics)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !tfkit.Given(plan.Address) {
		return
	}
	r.Data.Notes.PlanName(run.ReverseName, claim(plan))
	if other, _ := r.Data.Notes.TakeName(run.ReverseName, run.Holder{}, claim(plan)); other != nil {
		resp.Diagnostics.AddAttributeError(path.Root("address"), "Duplicate reverse DNS name of "+plan.Address.ValueString(),
			"The configuration has two resources for this address, and an address has one name. Remove one of them.")
		return
	}
	r.warnOverwrites(ctx, plan, &resp.Diagnostics)
}

// warnOverwrites warns that the address has a name that somebody set. The hostname
// of its machine is nobody's: where this process has not read the machine, it is
// not known, and only the name of another resource is warned of.
func (r *rdnsResource) warnOverwrites(ctx context.Context, plan model, diags *diag.Diagnostics) {
	hostname := r.Data.Memory.Address(plan.address()).Hostname
	other := r.Data.Notes.IsRead(plan.object())
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok || hostname == "" && !other {
		return
	}
	name, _ := plan.name(ctx, r.Data) // a failure shows at apply
	if name == "" || sameName(name, hostname) || sameName(name, plan.Hostname.ValueString()) {
		return
	}
	advice := fmt.Sprintf("To keep it, import it instead:\n\n"+
		"import {\n  to = cloudserver_rdns.NAME # the address of this resource\n  id = %q\n}", plan.address())
	if other {
		advice = "Another resource of this configuration has this address in the state. If that is to stay, remove one of the two; if this is the same name in a new place, use a moved block."
	}
	diags.AddAttributeWarning(path.Root("address"), "The address "+plan.Address.ValueString()+" has a reverse DNS name already",
		fmt.Sprintf("It is %q, and applying this plan overwrites it. %s", name, advice))
}

// Read removes the resource from the state if its address is known to be gone, or
// has no name any more.
func (r *rdnsResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !presence.BeginRead(ctx, r.Data, state.identity(), state.object(), resp) {
		return
	}
	k := tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics)
	name, err := r.find(ctx, state, k)
	switch {
	case presence.IsGone(err):
		resp.State.RemoveResource(ctx)
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot read "+state.title(), "the address", err, attributePath)
	default:
		if !sameName(state.Hostname.ValueString(), name) {
			state.Hostname = types.StringValue(name)
		}
		tfkit.SavePrivate(ctx, resp.Private, r.keepAccount(ctx, k, state.address()), &resp.Diagnostics)
		tfkit.Save(ctx, &resp.State, resp.Identity, state, state.identity(), &resp.Diagnostics)
	}
}

// keepAccount notes which account the address is in, now that the service shows it: that
// of its machine, if this process has read it, or else one of those that are visible.
func (r *rdnsResource) keepAccount(ctx context.Context, k kept, address netip.Addr) kept {
	if account := r.Data.Memory.Address(address).Account; account != "" {
		k.Account, k.Accounts = account, nil
		return k
	}
	if k.Account != "" || len(k.Accounts) > 0 {
		return k
	}
	accounts, _ := r.Data.Fleet.Directory.Accounts(ctx) // without them, the provider's account counts
	for _, account := range accounts {
		k.Accounts = append(k.Accounts, account.Name)
	}
	return k
}

// find returns the name of the address. The error is [presence.IsGone] if the address has
// none, or is known to be gone itself.
func (r *rdnsResource) find(ctx context.Context, m model, k kept) (string, error) {
	accounts := k.Accounts
	if k.Account != "" || len(accounts) == 0 {
		accounts = []string{k.Account}
	}
	var name string
	var err error
	for _, account := range accounts { // gone only if none of them is out of sight
		var found *string
		found, err = presence.Find(ctx, r.Data, account, func(ctx context.Context) (*string, error) {
			name, err := m.name(ctx, r.Data)
			return &name, err
		})
		if !presence.IsGone(err) {
			if err == nil {
				name = *found
			}
			break
		}
	}
	if err == nil && name == "" {
		err = presence.Gone(fmt.Errorf("the address %s has no reverse DNS name", m.address()))
	}
	return name, err
}

// Delete restores the service's own name of the address, but only while the name
// is the one that this resource set last: the address may belong to somebody else
// by now. Another resource of this run may have set the name a moment ago: then it
// stays without a word.
func (r *rdnsResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("reset "+state.title(), &resp.Diagnostics) {
		return
	}
	k := tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics)
	stays, err := r.reset(ctx, state, k)
	switch {
	case presence.IsGone(err):
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot reset "+state.title(), "the address", err, attributePath)
	case stays != "":
		resp.Diagnostics.AddWarning(fmt.Sprintf("The reverse DNS name of %s stays", state.address()),
			fmt.Sprintf("It is %q, and this resource set %q. Somebody else has set it since, so it is left as it is. The resource is removed from the state.", stays, k.Set))
	}
}

// reset restores the service's own name, and returns the name that stays because
// somebody else has set it. Nothing is sent where another resource of this run has set the
// name, or is to set it.
func (r *rdnsResource) reset(ctx context.Context, m model, k kept) (stays string, err error) {
	end, err := r.Data.Turns.Take(ctx, m.object())
	if err != nil {
		return "", err
	}
	defer end()
	if mark := r.Data.Memory.ReverseNameSetter(m.address()); mark != "" && mark != k.Mark || r.Data.Notes.IsPlanned(run.ReverseName, claim(m)) {
		return "", nil
	}
	err = presence.Destroy(ctx, r.Data, func(ctx context.Context) (done bool, err error) {
		name, err := r.find(ctx, m, k)
		if err == nil && !sameName(name, k.Set) {
			stays, done = name, true
		}
		return done, err
	}, func(ctx context.Context) error { return r.Data.Client.SetRDNS(ctx, m.Address.ValueString(), "") })
	return stays, err
}

// ImportState finds the address; the read that follows fills in the name. The name
// counts as set by the resource from then on.
func (r *rdnsResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	text := tfkit.ImportText(ctx, req, "address", &resp.Diagnostics)
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
	name, err := m.name(ctx, r.Data)
	switch {
	case err != nil:
		addError(&resp.Diagnostics, "Cannot import "+m.title(), err, "")
		return
	case name == "":
		resp.Diagnostics.AddError("Cannot import "+m.title(), "The address has no reverse DNS name. Create the resource instead of importing it.")
		return
	}
	if !presence.Import(ctx, r.Data, m.object(), resp) {
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, kept{Set: name}, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	m.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// ObserveState implements tfkit.StateObserver.
func (r *rdnsResource) ObserveState(d *tfkit.ProviderData, state tfkit.RawState, diags *diag.Diagnostics) {
	var m struct {
		Address string `json:"address"`
	}
	state.Fill(&m)
	presence.Manage(d, model{Address: types.StringValue(m.Address)}.object(), diags)
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

var attributePath = tfkit.AttributesOf(map[string]string{"rdns": "hostname", "address": "address"})
