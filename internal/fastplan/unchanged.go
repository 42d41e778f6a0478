package fastplan

import (
	"bytes"
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Unchanged answers plans in which nothing changes, in place of the framework and with the same result, but faster: the
// framework compares every value several times to find that out. What the framework itself would do is decided here: it
// applies defaults, and drops the values of write-only attributes. What the resource would do, the resource says
// ([tfkit.UnchangedPlanner]).
type Unchanged struct {
	provider provider.Provider
	off      bool
	check    frameworkPlan // nil: answers are not checked
	read     sync.Once     // on first use, so that a process that plans nothing does not pay for it
	kinds    map[string]kind
}

// kind is a resource type.
type kind struct {
	resource tfkit.UnchangedPlanner
	object   tftypes.Type
	traits   traits
	identity bool
}

func (u *Unchanged) kind(ctx context.Context, name string) (kind, bool) {
	u.read.Do(func() { u.kinds = kindsOf(ctx, u.provider) })
	k, ok := u.kinds[name]
	return k, ok
}

func kindsOf(ctx context.Context, p provider.Provider) map[string]kind {
	kinds := map[string]kind{}
	for name, r := range Resources(ctx, p) {
		var shaped resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &shaped)
		planner, ok := r.(tfkit.UnchangedPlanner)
		if !ok {
			continue
		}
		if t, err := traitsOf(ctx, shaped.Schema); err == nil { // otherwise the framework makes the plans; a test finds that
			_, identity := r.(resource.ResourceWithIdentity)
			kinds[name] = kind{planner, shaped.Schema.Type().TerraformType(ctx), t, identity}
		}
	}
	return kinds
}

// Resources returns the resources of a provider by type name.
func Resources(ctx context.Context, p provider.Provider) map[string]resource.Resource {
	var own provider.MetadataResponse
	p.Metadata(ctx, provider.MetadataRequest{}, &own)
	all := map[string]resource.Resource{}
	for _, create := range p.Resources(ctx) {
		r := create()
		var named resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: own.TypeName}, &named)
		all[named.TypeName] = r
	}
	return all
}

// Plan returns the answer to a plan that equals the state, and the state, or nil if the framework has to plan. d is the
// data of the configured provider.
func (u *Unchanged) Plan(
	ctx context.Context, d *tfkit.ProviderData, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, tftypes.Value) {
	var none tftypes.Value
	if u.off || !exists(req.PriorState) || !exists(req.ProposedNewState) ||
		req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed {
		return nil, none
	}
	k, ok := u.kind(ctx, req.TypeName)
	if !ok {
		return nil, none
	}
	state, err := req.PriorState.Unmarshal(k.object)
	private, ok := decodePrivate(req.PriorPrivate)
	if err != nil || !ok || !k.proposes(state, req) {
		return nil, none
	}
	config := sync.OnceValues(func() (tftypes.Value, error) {
		if req.Config == nil {
			return tftypes.NewValue(k.object, nil), nil
		}
		return req.Config.Unmarshal(k.object)
	})
	given := func() tfkit.Attributes {
		value, _ := config() // without it, nothing is configured
		return tfkit.AttributesIn(value)
	}
	if !k.traits.keep(state, config) ||
		!k.resource.PlanUnchanged(ctx, d, tfkit.UnchangedPlan{State: tfkit.AttributesIn(state), Config: given, Private: private}) {
		return nil, none
	}
	answer := &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.PriorState,
		PlannedPrivate:  private.encode(),
		PlannedIdentity: req.PriorIdentity,
	}
	if k.identity && req.PriorIdentity == nil {
		answer.PlannedIdentity = &tfprotov6.ResourceIdentityData{
			IdentityData: &tfprotov6.DynamicValue{MsgPack: msgpackNil},
		}
	}
	if u.check != nil {
		u.check.compare(ctx, req, k.object, answer)
	}
	return answer, state
}

// msgpackNil is null in MessagePack.
var msgpackNil = []byte{0xc0}

// exists reports whether a value is that of an object.
func exists(value *tfprotov6.DynamicValue) bool {
	return value != nil && len(value.MsgPack) > 0 && !bytes.Equal(value.MsgPack, msgpackNil)
}

// proposes reports whether Terraform proposes the prior state, apart from the values of write-only attributes. Terraform
// encodes both values, always in the same order, so that mostly the bytes are the same.
func (k kind) proposes(prior tftypes.Value, req *tfprotov6.PlanResourceChangeRequest) bool {
	if bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) {
		return true
	}
	if !k.traits.hasWriteOnly() {
		return false
	}
	proposed, err := req.ProposedNewState.Unmarshal(k.object)
	return err == nil && k.traits.equal(prior, proposed)
}
