package rdns

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"time"

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
	// Account is the account of the machine that has the address, or "" if no process has seen the machine. Whether the
	// address is gone depends on whether that account is visible.
	Account string `json:"account,omitempty"`
	// Accounts are the accounts that were visible together with the address, if Account is unknown. The machine is in
	// one of them.
	Accounts []string `json:"accounts,omitempty"`
	// Homes is what is known about these accounts.
	Homes map[string]presence.Home `json:"homes,omitempty"`
	// Set is the name that this resource set last, and Mark identifies that call.
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

// object identifies the name for detecting a second import or a second resource.
func (m model) object() run.Object { return run.NameOf(m.address()) }

// claim returns the address as a name that plans claim.
func claim(m model) run.Name {
	return run.Name{Kind: run.ReverseName, Name: fleet.Name{Name: m.address().String()}}
}

// name returns the reverse name that the service reports for the address, or "".
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
	r.set(ctx, plan, nil, kept{}, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

func (r *rdnsResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	k := tfkit.LoadPrivate[kept](ctx, req.Private, &resp.Diagnostics)
	r.set(ctx, plan, state.Hostname.ValueStringPointer(), k, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// set sends the name, which is the same PUT for a create and an update. saw is the name that the plan of an update has seen;
// nil: it is not known. What the plan of a creation has seen does not reach its apply: the plan has warned of it.
func (r *rdnsResource) set(
	ctx context.Context, plan model, saw *string, k kept, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private privateState,
	diags *diag.Diagnostics,
) {
	if diags.HasError() || !r.Data.RequireReady("set "+plan.title(), diags) {
		return
	}
	end, err := r.Data.Turns.Take(ctx, plan.object())
	if err == nil {
		defer end()
		k = r.keepAccount(ctx, k, plan.address()) // before the first request: no later answer may come from another service
		err = r.send(ctx, plan, saw, k)
	}
	if other, ok := errors.AsType[*changedError](err); ok {
		diags.AddAttributeError(path.Root("hostname"), "Cannot set "+plan.title(), other.Error())
		return
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
	r.Data.Memory.SetReverseName(plan.address(), k.Mark)
	tfkit.SavePrivate(ctx, private, k, diags)
	tfkit.Save(ctx, state, identity, plan, plan.identity(), diags)
}

// changedError is returned if somebody else has set a name since the plan was made. It is not overwritten.
type changedError struct{ address, saw, is, wanted string }

// Error names all three.
func (e *changedError) Error() string {
	return fmt.Sprintf("The name was %q when the plan was made, and GET /ips/%s answers with %q now: somebody else has set it. The plan sets it to %q, and would overwrite that. Nothing was sent.\n\nRun plan again to see what it does now.", e.saw, e.address, e.is, e.wanted)
}

// send sets the name, unless the address has it already. One that somebody else has set since the plan was made stays.
func (r *rdnsResource) send(ctx context.Context, m model, saw *string, k kept) error {
	wanted := m.Hostname.ValueString()
	var attempt time.Time
	return r.Data.Client.Change(ctx, func(ctx context.Context) (done bool, err error) {
		name, err := m.name(ctx, r.Data)
		if err == nil {
			err = r.errOtherServiceNow(ctx, m, k, attempt)
		}
		switch {
		case err != nil, sameName(name, wanted):
			return err == nil, err
		case saw != nil && !sameName(name, *saw):
			return false, &changedError{m.Address.ValueString(), *saw, name, wanted}
		}
		return false, nil
	}, func(ctx context.Context, w cloudserver.Writer) error {
		defer func() { attempt = time.Now() }()
		return w.SetRDNS(ctx, m.Address.ValueString(), m.Hostname.ValueString())
	})
}

type privateState interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ModifyPlan warns if the address already has a name. Of a name that moves to another address, the first plan says what the
// plan of the new one would: of that, the CLI drops the warnings.
func (r *rdnsResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var plan, state model
	if req.Plan.Raw.IsNull() || r.Data == nil {
		return
	}
	defer r.Data.AddWayOut(&resp.Diagnostics)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
		if tfkit.Given(plan.Address) && plan.address() != state.address() {
			r.warnUnheld(ctx, plan, state, &resp.Diagnostics)
			r.warnOverwrites(ctx, plan, &resp.Diagnostics)
		}
		return
	}
	if !tfkit.Given(plan.Address) || r.Data.LooksForExisting() && r.isExisting(ctx, plan, &resp.Diagnostics) {
		return
	}
	r.warnOverwrites(ctx, plan, &resp.Diagnostics)
}

// warnUnheld warns that no machine has the new address of a name: the old name would be reset, and the new one refused. A
// machine that this plan creates may get the address.
func (r *rdnsResource) warnUnheld(ctx context.Context, plan, state model, diags *diag.Diagnostics) {
	family := "ipv6"
	if plan.address().Is4() {
		family = "ipv4"
	}
	if r.Data.Notes.IsClaimed(run.Name{Kind: run.IPAddress, Name: fleet.Name{Group: family, Name: plan.address().String()}}) {
		return
	}
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	if _, err := r.Data.Client.IP(ctx, plan.Address.ValueString()); cloudserver.IsNotFound(err) {
		diags.AddAttributeWarning(path.Root("address"), "No machine has the new address of a reverse DNS name",
			fmt.Sprintf("No machine that these credentials can see has the address %s. Unless this plan creates one, the apply resets the name of %s, and then fails to set that of %[1]s.", plan.address(), state.address()))
	}
}

// PlanUnchanged implements tfkit.UnchangedPlanner. ModifyPlan is about new names alone.
func (r *rdnsResource) PlanUnchanged(context.Context, *tfkit.ProviderData, tfkit.UnchangedPlan) bool {
	return true
}

// warnOverwrites warns that somebody has set a name for the address. The hostname of its machine does not count: if
// this process has not read the machine, that hostname is unknown, and the warning is limited to names of other
// resources.
func (r *rdnsResource) warnOverwrites(ctx context.Context, plan model, diags *diag.Diagnostics) {
	hostname := r.Data.Memory.Address(plan.address()).Hostname
	other := r.Data.Notes.IsHeld(plan.object())
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok || hostname == "" && !other {
		return
	}
	name, _ := plan.name(ctx, r.Data) // a failure is reported at apply
	if name == "" || sameName(name, hostname) || sameName(name, plan.Hostname.ValueString()) {
		return
	}
	advice := fmt.Sprintf("To keep it, import it instead:\n\n"+
		"import {\n  to = cloudserver_rdns.NAME # the address of this resource\n  id = %q\n}", plan.address())
	if other {
		advice = "Another resource of this configuration has this address in the state. If that is to stay, remove one of the two; if this is the same name in a new place, use a moved block."
	}
	diags.AddAttributeWarning(path.Root("address"), "The address has a reverse DNS name already",
		fmt.Sprintf("The reverse DNS name of %s is %q, and applying this plan overwrites it. %s", plan.address(), name, advice))
}

// Read removes the resource from the state if its address is known to be gone, or has no name any more.
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

// keepAccount records the account of the address, now that the service shows it: that of its machine, if this process
// has read it, or else all visible accounts.
func (r *rdnsResource) keepAccount(ctx context.Context, k kept, address netip.Addr) kept {
	if account := r.Data.Memory.Address(address).Account; account != "" && account != k.Account {
		k.Account, k.Accounts, k.Homes = account, nil, nil
	} else if k.Account == "" && len(k.Accounts) == 0 {
		accounts, _ := r.Data.Fleet.Directory.Accounts(ctx) // without them, the provider's account counts
		for _, account := range accounts {
			k.Accounts = append(k.Accounts, account.Name)
		}
	}
	if len(k.Homes) == 0 {
		k.Homes = r.learnHomes(ctx, k.accounts())
	}
	return k
}

// accounts are those in one of which the address is. "" stands for that of the provider.
func (k kept) accounts() []string {
	if k.Account != "" || len(k.Accounts) == 0 {
		return []string{k.Account}
	}
	return k.Accounts
}

// learnHomes returns what is known of accounts, until the cluster domain of one is.
func (r *rdnsResource) learnHomes(ctx context.Context, accounts []string) map[string]presence.Home {
	homes := map[string]presence.Home{}
	for _, account := range accounts {
		if account = cmp.Or(account, r.Data.Account.ValueString()); account == "" {
			continue
		}
		home := presence.LearnHome(ctx, r.Data, account)
		if home != (presence.Home{}) {
			homes[account] = home
		}
		if home.Domain != "" {
			break
		}
	}
	return homes
}

// errOtherService returns an error if the address is known to be another service's: one of the accounts is another one of
// this name, and none is known to be the home of its machines. Where none of them is shown, nothing is known.
func (r *rdnsResource) errOtherService(ctx context.Context, m model, k kept) error {
	return r.compareHomes(ctx, m, k, func(home presence.Home, account, object string) error {
		return home.Check(ctx, r.Data, account, object)
	})
}

// errOtherServiceNow is errOtherService right before a request. attempt is when its last attempt ended, zero before the
// first one.
func (r *rdnsResource) errOtherServiceNow(ctx context.Context, m model, k kept, attempt time.Time) error {
	return r.compareHomes(ctx, m, k, func(home presence.Home, account, object string) error {
		return home.CheckNow(ctx, r.Data, account, object, attempt)
	})
}

func (r *rdnsResource) compareHomes(ctx context.Context, m model, k kept, check func(home presence.Home, account, object string) error) error {
	var other error
	for _, account := range slices.Sorted(maps.Keys(k.Homes)) {
		home := k.Homes[account]
		err := check(home, account, "address "+m.Address.ValueString())
		if home.IsHome(r.Data, account) {
			return nil
		}
		other = cmp.Or(other, err)
	}
	if other != nil {
		return other
	}
	if len(k.Homes) == 0 {
		return nil
	}
	accounts, _ := r.Data.Fleet.Directory.Accounts(ctx) // a refusal to list them says nothing
	if len(accounts) == 0 || slices.ContainsFunc(accounts, func(a cloudserver.Account) bool { return slices.Contains(k.accounts(), a.Name) }) {
		return nil
	}
	return presence.Hidden(k.accounts()[0], fmt.Errorf("GET /ips/%s was answered", m.address()))
}

// find returns the name of the address. The error is [presence.IsGone] if the address has
// none, or is known to be gone itself. One that is not as the state says may be another
// service's.
func (r *rdnsResource) find(ctx context.Context, m model, k kept) (string, error) {
	var name string
	var err error
	for _, account := range k.accounts() { // gone only if none of them is out of sight
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
	if presence.IsGone(err) || err == nil && !sameName(name, m.Hostname.ValueString()) {
		if other := r.errOtherService(ctx, m, k); other != nil {
			return "", other
		}
	}
	return name, err
}

// Delete restores the service's own name of the address, but only if the current name is the one that this resource set
// last: the address may belong to somebody else by now. If another resource of this run has just set the name, it is
// kept without a message.
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
		resp.Diagnostics.AddAttributeWarning(path.Root("hostname"), "The reverse DNS name stays",
			fmt.Sprintf("The reverse DNS name of %s is %q, and this resource set %q. Somebody else has set it since, so it is left as it is. The resource is removed from the state.", state.address(), stays, k.Set))
	}
}

// reset restores the service's own name. If somebody else has set a name, it stays and is returned. Nothing is sent if
// another resource of this run has set the name, or will.
func (r *rdnsResource) reset(ctx context.Context, m model, k kept) (stays string, err error) {
	end, err := r.Data.Turns.Take(ctx, m.object())
	if err != nil {
		return "", err
	}
	defer end()
	if mark := r.Data.Memory.ReverseNameSetter(m.address()); mark != "" && mark != k.Mark || !r.Data.Notes.Shared && r.Data.Notes.IsClaimed(claim(m)) {
		return "", nil
	}
	var attempt time.Time
	err = r.Data.Client.Change(ctx, func(ctx context.Context) (done bool, err error) {
		name, err := r.find(ctx, m, k)
		if err == nil && !sameName(name, k.Set) {
			stays, done = name, true
		} else if err == nil {
			err = r.errOtherServiceNow(ctx, m, k, attempt)
		}
		return done, err
	}, func(ctx context.Context, w cloudserver.Writer) error {
		defer func() { attempt = time.Now() }()
		return w.SetRDNS(ctx, m.Address.ValueString(), "")
	})
	return stays, err
}

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
	name, err := m.name(ctx, r.Data)
	switch {
	case err != nil:
		addError(&resp.Diagnostics, "Cannot import "+m.title(), err, "")
		return
	case name == "":
		resp.Diagnostics.AddError("Cannot import "+m.title(), "The address has no reverse DNS name. Create the resource instead of importing it.")
		return
	}
	tfkit.SavePrivate(ctx, resp.Private, kept{Set: name}, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("address"), m.Address)...)
	m.identity().Save(ctx, resp.Identity, &resp.Diagnostics)
}

// ObserveState implements tfkit.Observed.
func (r *rdnsResource) ObserveState(_ *tfkit.ProviderData, state tfkit.RawState) run.Object {
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
		"The configuration has two resources for this address, and an address has one name. Remove one of them. If it is the same name in a new place, use a moved block instead.")
}

// WarnOfName implements tfkit.Observed.
func (r *rdnsResource) WarnOfName(_, _ run.Holder, _ *diag.Diagnostics) {}

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
