package rdns

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
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

// provider is what reverse names use of the provider.
type provider struct {
	tfkit.Common

	Client   *cloudserver.Client
	Fleet    *fleet.Fleet
	Notes    *run.Notes
	Memory   *run.Memory
	Turns    *run.Turns
	Machines location.Source
}

func uses(d *tfkit.ProviderData) provider {
	return provider{d, d.Client, d.Fleet, &d.Notes, &d.Memory, &d.Turns, location.SourceOf(d)}
}

type rdnsResource struct{ tfkit.Resource[provider] }

// newResource returns the resource. Its identity is the address in its canonical form.
func newResource() rdnsResource {
	return rdnsResource{tfkit.Resource[provider]{
		Name: typeName, Uses: uses, Identity: map[string]string{"address": "IPv4 or IPv6 address."},
	}}
}

// NewResource returns the resource cloudserver_rdns.
func NewResource() resource.Resource { return new(newResource()) }

type model struct {
	Address  types.String `tfsdk:"address"`
	Hostname types.String `tfsdk:"hostname"`
}

// addresses is what reading a reverse name needs of the client.
type addresses interface {
	// IP reads an address with its reverse name.
	IP(ctx context.Context, address string) (*cloudserver.IP, error)
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
func (m model) name(ctx context.Context, client addresses) (string, error) {
	ip, err := client.IP(ctx, m.Address.ValueString())
	if err != nil || ip.RDNS == nil {
		return "", err
	}
	return *ip.RDNS, nil
}

func (r *rdnsResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	r.set(ctx, plan, nil, rdnsPrivate{}, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

func (r *rdnsResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	k := tfkit.LoadPrivate[rdnsPrivate](ctx, req.Private, &resp.Diagnostics)
	r.set(ctx, plan, state.Hostname.ValueStringPointer(), k, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// set sends the name, which is the same PUT for a create and an update. saw is the name that the plan of an update has
// seen; nil: it is not known. What the plan of a creation has seen does not reach its apply: the plan has warned of it.
func (r *rdnsResource) set(
	ctx context.Context, plan model, saw *string, k rdnsPrivate, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private tfkit.PrivateWriter,
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
	r.Data.Memory.Note(plan.object(), func(known *run.Known) { known.Mark = k.Mark })
	tfkit.SavePrivate(ctx, private, k, diags)
	tfkit.Save(ctx, state, identity, plan, plan.identity(), diags)
}

// changedError is returned if somebody else has set a name since the plan was made. It is not overwritten.
type changedError struct{ address, saw, is, wanted string }

// Error names all three.
func (e *changedError) Error() string {
	return fmt.Sprintf("The name was %q when the plan was made, and GET /ips/%s answers with %q now: somebody else has set it. "+
		"The plan sets it to %q, and would overwrite that. "+tfkit.NothingSent+"\n\nRun plan again to see what it does now.", e.saw, e.address, e.is, e.wanted)
}

// send sets the name, unless the address has it already. One that somebody else has set since the plan was made stays.
func (r *rdnsResource) send(ctx context.Context, m model, saw *string, k rdnsPrivate) error {
	wanted := m.Hostname.ValueString()
	return r.Data.Client.Change(ctx, func(ctx context.Context, since time.Time) (done bool, err error) {
		r.Data.Fleet.ForgetBefore(since)
		name, err := m.name(ctx, r.Data.Client)
		if err == nil {
			err = r.errOtherService(ctx, m, k, presence.Home.CheckToWrite)
		}
		switch {
		case err != nil, sameName(name, wanted):
			return err == nil, err
		case saw != nil && !sameName(name, *saw):
			return false, &changedError{m.Address.ValueString(), *saw, name, wanted}
		}
		return false, nil
	}, func(ctx context.Context, w cloudserver.Writer) error {
		return w.SetRDNS(ctx, m.Address.ValueString(), m.Hostname.ValueString())
	})
}

// ModifyPlan warns of a name that the service may refuse, and of an address that already has a name. For a name that
// moves to another address, the first plan has the warnings of the new one, because the CLI drops those of the second
// plan.
func (r *rdnsResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var plan, state model
	if req.Plan.Raw.IsNull() {
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
		defer r.Data.AddWayOut(state.object(), &resp.Diagnostics)
	}
	plan.warnHostname(state, &resp.Diagnostics)
	if !req.State.Raw.IsNull() {
		if tfkit.Given(plan.Address) && plan.address() != state.address() {
			r.warnUnheld(ctx, plan, state, &resp.Diagnostics)
			r.warnOverwrites(ctx, plan, false, &resp.Diagnostics)
		}
		return
	}
	if !tfkit.Given(plan.Address) {
		return
	}
	r.warnOverwrites(ctx, plan, true, &resp.Diagnostics)
}

// warnUnheld warns that no machine has the new address of a name: the old name would be reset, and the new one refused. A
// machine that this plan creates may get the address.
func (r *rdnsResource) warnUnheld(ctx context.Context, plan, state model, diags *diag.Diagnostics) {
	if r.Data.Notes.IsClaimed(plan.newAddress()) {
		return
	}
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	if !ok {
		return
	}
	if _, err := r.Data.Client.IP(ctx, plan.Address.ValueString()); cloudserver.IsNotFound(err) {
		diags.AddAttributeWarning(path.Root("address"), "No machine has the new address of a reverse DNS name",
			fmt.Sprintf("No machine that these credentials can see has the address %s. "+
				"Unless this plan creates one, the apply resets the name of %s, and then fails to set that of %[1]s.", plan.address(), state.address()))
	}
}

// warnHostname warns of a new name with an underscore, which DNS allows, but not in the name of a host, and of one that
// has only one part.
func (m model) warnHostname(before model, diags *diag.Diagnostics) {
	name := m.Hostname.ValueString()
	var why string
	switch {
	case name == "" || m.Hostname.Equal(before.Hostname):
		return
	case strings.Contains(name, "_"):
		why = fmt.Sprintf("%q has an underscore, which is not allowed in the name of a host. Use a hyphen.", name)
	case !strings.Contains(strings.TrimSuffix(name, "."), "."):
		why = fmt.Sprintf("%q has no domain. A reverse DNS name is a whole name, such as www.example.com.", name)
	default:
		return
	}
	diags.AddAttributeWarning(path.Root("hostname"), "The service may refuse the hostname", why)
}

// PlanUnchanged implements tfkit.UnchangedPlanner. ModifyPlan is about new names alone.
func (r *rdnsResource) PlanUnchanged(context.Context, *tfkit.ProviderData, tfkit.UnchangedPlan) bool {
	return true
}

// warnOverwrites warns that somebody has set a name for the address. The hostname of its machine does not count: if
// this process has not read the machine, that hostname is unknown, and the warning is limited to names of other
// resources. Of a creation, it also warns that no machine has the address.
func (r *rdnsResource) warnOverwrites(ctx context.Context, plan model, creates bool, diags *diag.Diagnostics) {
	hostname := r.Data.Memory.Of(plan.object()).Hostname
	other := r.Data.Notes.IsHeld(plan.object())
	ctx, cancel, ok := r.Data.PlanCheck(ctx)
	defer cancel()
	isKnown := hostname != "" || other
	if !ok || !isKnown && (!creates || r.Data.Notes.IsClaimed(plan.newAddress())) {
		return
	}
	name, err := plan.name(ctx, r.Data.Client) // any other failure is reported at apply
	if !isKnown && cloudserver.IsNotFound(err) {
		diags.AddAttributeWarning(path.Root("address"), "No machine has the address",
			fmt.Sprintf("The service knows no machine with the address %s, or these credentials cannot see it. "+
				"Unless this run creates one, the apply fails. %s", plan.address(), ofMachine))
	}
	if !isKnown || name == "" || sameName(name, hostname) || sameName(name, plan.Hostname.ValueString()) {
		return
	}
	advice := fmt.Sprintf("To keep it, import it instead:\n\n"+
		"import {\n  to = cloudserver_rdns.NAME # the address of this resource\n  id = %q\n}", plan.address())
	if other {
		advice = "Another resource of this configuration has this address in the state. " +
			"If that is to stay, remove one of the two; if this is the same name in a new place, use a moved block."
	}
	diags.AddAttributeWarning(path.Root("address"), "The address has a reverse DNS name already",
		fmt.Sprintf("The reverse DNS name of %s is %q, and applying this plan overwrites it. %s", plan.address(), name, advice))
}

// Read removes the resource from the state if its address is known to be gone, or has no name any more.
func (r *rdnsResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.BeginRead(ctx, state.identity(), state.object(), resp) {
		return
	}
	k := tfkit.LoadPrivate[rdnsPrivate](ctx, req.Private, &resp.Diagnostics)
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

// NameStays is the summary of a warning about a name that somebody else has set.
const NameStays = "The reverse DNS name stays"

// Delete restores the service's own name of the address, but only if the current name is the one that this resource set
// last: the address may belong to somebody else by now. If another resource of this run has just set the name, it is
// kept without a message.
func (r *rdnsResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !r.Data.RequireReady("reset "+state.title(), &resp.Diagnostics) {
		return
	}
	k := tfkit.LoadPrivate[rdnsPrivate](ctx, req.Private, &resp.Diagnostics)
	stays, err := r.reset(ctx, state, k)
	switch {
	case presence.IsGone(err):
	case err != nil:
		presence.AddUnknown(&resp.Diagnostics, "Cannot reset "+state.title(), "the address", err, attributePath)
	case stays != "":
		resp.Diagnostics.AddAttributeWarning(path.Root("hostname"), NameStays,
			fmt.Sprintf("The reverse DNS name of %s is %q, and this resource set %q. Somebody else has set it since, so it is left as it is. "+
				"The resource is removed from the state.", state.address(), stays, k.Set))
	}
}

// reset restores the service's own name. If somebody else has set a name, it stays and is returned. Nothing is sent if
// another resource of this run has set the name, or will.
func (r *rdnsResource) reset(ctx context.Context, m model, k rdnsPrivate) (stays string, err error) {
	end, err := r.Data.Turns.Take(ctx, m.object())
	if err != nil {
		return "", err
	}
	defer end()
	if mark := r.Data.Memory.Of(m.object()).Mark; mark != "" && mark != k.Mark || !r.Data.Notes.Shared && r.Data.Notes.IsClaimed(claim(m)) {
		return "", nil
	}
	err = r.Data.Client.Change(ctx, func(ctx context.Context, since time.Time) (done bool, err error) {
		r.Data.Fleet.ForgetBefore(since)
		name, err := r.find(ctx, m, k)
		if err == nil && !sameName(name, k.Set) {
			stays, done = name, true
		} else if err == nil {
			err = r.errOtherService(ctx, m, k, presence.Home.CheckToWrite)
		}
		return done, err
	}, func(ctx context.Context, w cloudserver.Writer) error {
		return w.SetRDNS(ctx, m.Address.ValueString(), "")
	})
	return stays, err
}

const ofMachine = "Refer to ipv4_address or ipv6_address of the machine: its management_address has no reverse name."

// newAddress returns the address as a plan notes it for the machine that it creates.
func (m model) newAddress() run.Name {
	family := "ipv6"
	if m.address().Is4() {
		family = "ipv4"
	}
	return run.Name{Kind: run.IPAddress, Name: fleet.Name{Group: family, Name: m.address().String()}}
}

// addError reports a failed call at the attribute to blame.
func addError(diags *diag.Diagnostics, summary string, err error, advice string) {
	if cloudserver.IsNotFound(err) {
		diags.AddAttributeError(path.Root("address"), summary,
			tfkit.Detail(err, "No machine that these credentials can see has the address. "+ofMachine))
		return
	}
	tfkit.AddError(diags, summary, err, attributePath, advice)
}

var attributePath = tfkit.AttributesOf(map[string]string{"rdns": "hostname", "address": "address"})
