package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// unchangedPlans answers the plans in which nothing changes, as the framework would, for
// less: the framework compares every value several times to find out. Most
// plans over a fleet are such plans.
type unchangedPlans struct {
	provider provider.Provider
	read     sync.Once // when first needed, or every start of the process would pay for it
	kinds    map[string]kind
}

// kind is a type of resource that plans only changes.
type kind struct {
	object   tftypes.Type
	defaults []attributeDefault
	identity bool
	noun     tfkit.PlansOnlyChanges
}

// kind returns what is known of a type of resource.
func (u *unchangedPlans) kind(ctx context.Context, name string) (kind, bool) {
	u.read.Do(func() { u.kinds = kindsOf(ctx, u.provider) })
	k, ok := u.kinds[name]
	return k, ok
}

func kindsOf(ctx context.Context, p provider.Provider) map[string]kind {
	var own provider.MetadataResponse
	p.Metadata(ctx, provider.MetadataRequest{}, &own)
	kinds := map[string]kind{}
	for _, create := range p.Resources(ctx) {
		r := create()
		noun, ok := r.(tfkit.PlansOnlyChanges)
		if !ok {
			continue
		}
		var named resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: own.TypeName}, &named)
		var shaped resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &shaped)
		if defaults, ok := schemaDefaults(ctx, shaped.Schema); ok {
			_, identity := r.(resource.ResourceWithIdentity)
			kinds[named.TypeName] = kind{shaped.Schema.Type().TerraformType(ctx), defaults, identity, noun}
		}
	}
	return kinds
}

// plan returns the answer if the plan equals the state, and nil if the framework
// has to plan.
func (u *unchangedPlans) plan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) *tfprotov6.PlanResourceChangeResponse {
	if !same(req.PriorState, req.ProposedNewState) || holdsPrivate(req.PriorPrivate) {
		return nil
	}
	k, ok := u.kind(ctx, req.TypeName)
	if !ok {
		return nil
	}
	state, err := req.PriorState.Unmarshal(k.object)
	if err != nil || !k.keepsDefaults(state, req.Config) {
		return nil
	}
	if !k.noun.PlansOnlyChanges(func(name string) bool { return isTrue(state, name) }) {
		return nil
	}
	answer := &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.ProposedNewState,
		PlannedPrivate:  req.PriorPrivate,
		PlannedIdentity: req.PriorIdentity,
	}
	if k.identity && req.PriorIdentity == nil {
		answer.PlannedIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: msgpackNil}}
	}
	return answer
}

// isTrue reports whether the attribute of the object is true.
func isTrue(object tftypes.Value, name string) bool {
	var truth *bool
	value, ok := at(object, tftypes.NewAttributePath().WithAttributeName(name))
	return ok && value.As(&truth) == nil && truth != nil && *truth
}

// holdsPrivate reports whether the resource keeps something in the private state,
// which may ask for a change that the state does not show. The framework's own
// keys begin with a dot.
func holdsPrivate(private []byte) bool {
	var keys map[string][]byte
	if len(private) > 0 && json.Unmarshal(private, &keys) != nil {
		return true
	}
	for key, value := range keys {
		if !strings.HasPrefix(key, ".") && len(value) > 0 {
			return true
		}
	}
	return false
}

// msgpackNil is a value that is null, as MessagePack writes it.
var msgpackNil = []byte{0xc0}

// same reports whether the two are one object in the same bytes. Terraform writes
// both itself, always in the same order. If it does not, the framework
// compares.
func same(prior, proposed *tfprotov6.DynamicValue) bool {
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		!bytes.Equal(prior.MsgPack, msgpackNil) && bytes.Equal(prior.MsgPack, proposed.MsgPack)
}

// keepsDefaults reports whether no default would change the state: where one is not
// in force, the configuration has to give another value.
func (k kind) keepsDefaults(state tftypes.Value, config *tfprotov6.DynamicValue) bool {
	var given tftypes.Value
	for _, d := range k.defaults {
		value, ok := at(state, d.path)
		if !ok || value.Equal(d.value) {
			continue
		}
		if given.Type() == nil {
			var err error
			if given, err = config.Unmarshal(k.object); err != nil {
				return false
			}
		}
		if value, ok := at(given, d.path); !ok || value.IsNull() {
			return false
		}
	}
	return true
}

// at returns the value at the path of an object. Null has no values within it.
func at(object tftypes.Value, path *tftypes.AttributePath) (tftypes.Value, bool) {
	found, _, err := tftypes.WalkAttributePath(object, path)
	value, ok := found.(tftypes.Value)
	return value, ok && err == nil
}
