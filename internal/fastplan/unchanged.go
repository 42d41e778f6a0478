package fastplan

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// unchangedPlans answers plans in which nothing changes, in place of the framework and with the same result, but
// faster: the framework compares every value several times to find that out. For such a plan, the plan modifiers and
// ModifyPlan methods of this provider do nothing, except in the cases that [unchangedPlans.plan] leaves to the
// framework.
type unchangedPlans struct {
	provider provider.Provider
	read     sync.Once // on first use, so that a process that plans nothing does not pay for it
	kinds    map[string]kind
}

// Unchanged answers plans in which nothing changes. The zero value answers none.
type Unchanged struct{ plans *unchangedPlans }

// Plan returns the answer to a plan that equals the state, and the state, or nil if the framework has to plan.
func (u Unchanged) Plan(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, tftypes.Value) {
	if u.plans == nil {
		return nil, tftypes.Value{}
	}
	return u.plans.plan(ctx, req)
}

// kind is a resource type.
type kind struct {
	object   tftypes.Type
	defaults []attributeDefault
	identity bool
}

func (u *unchangedPlans) kind(ctx context.Context, name string) (kind, bool) {
	u.read.Do(func() { u.kinds = kindsOf(ctx, u.provider) })
	k, ok := u.kinds[name]
	return k, ok
}

func kindsOf(ctx context.Context, p provider.Provider) map[string]kind {
	kinds := map[string]kind{}
	for name, r := range Resources(ctx, p) {
		var shaped resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &shaped)
		if defaults, ok := schemaDefaults(ctx, shaped.Schema); ok {
			_, identity := r.(resource.ResourceWithIdentity)
			kinds[name] = kind{shaped.Schema.Type().TerraformType(ctx), defaults, identity}
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

// plan is [Unchanged.Plan]. It leaves a plan to the framework if the private state asks for a change that the state does not show, or if the plan has to mark the private
// state in case of a replacement: because the resource is protected, or because its name stays taken after a soft
// delete.
func (u *unchangedPlans) plan(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, tftypes.Value) {
	var none tftypes.Value
	if !same(req.PriorState, req.ProposedNewState) || holdsPrivate(req.PriorPrivate) ||
		req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed {
		return nil, none
	}
	k, ok := u.kind(ctx, req.TypeName)
	if !ok {
		return nil, none
	}
	state, err := req.PriorState.Unmarshal(k.object)
	if err != nil || has(state, protection, true) || has(state, protection, false) && u.protectsByDefault() || has(state, "purge_on_destroy", false) ||
		!k.keepsDefaults(state, req.Config) {
		return nil, none
	}
	answer := &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.ProposedNewState,
		PlannedPrivate:  req.PriorPrivate,
		PlannedIdentity: req.PriorIdentity,
	}
	if k.identity && req.PriorIdentity == nil {
		answer.PlannedIdentity = &tfprotov6.ResourceIdentityData{
			IdentityData: &tfprotov6.DynamicValue{MsgPack: msgpackNil},
		}
	}
	return answer, state
}

// protection is the attribute whose default the provider block may set.
const protection = "deletion_protection"

// protectsByDefault reports whether a resource may have to become protected.
func (u *unchangedPlans) protectsByDefault() bool {
	p, ok := u.provider.(interface{ ProtectsByDefault() bool })
	return ok && p.ProtectsByDefault()
}

// has reports whether the attribute of the object has this value.
func has(object tftypes.Value, attribute string, want bool) bool {
	value, ok := at(object, tftypes.NewAttributePath().WithAttributeName(attribute))
	return ok && value.Equal(tftypes.NewValue(tftypes.Bool, want))
}

// holdsPrivate reports whether the resource keeps anything in the private state. The keys of the framework, which begin
// with a dot, do not count.
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

// msgpackNil is null in MessagePack.
var msgpackNil = []byte{0xc0}

// same reports whether both values are the same bytes. Terraform encodes both, always in the same order. If the bytes
// differ, the framework compares the values.
func same(prior, proposed *tfprotov6.DynamicValue) bool {
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		!bytes.Equal(prior.MsgPack, msgpackNil) && bytes.Equal(prior.MsgPack, proposed.MsgPack)
}

// keepsDefaults reports whether no default would change the state: each default has its value in the state, or the
// configuration sets another one.
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

// at returns the value at a path within an object. Null contains no values.
func at(object tftypes.Value, path *tftypes.AttributePath) (tftypes.Value, bool) {
	found, _, err := tftypes.WalkAttributePath(object, path)
	value, ok := found.(tftypes.Value)
	return value, ok && err == nil
}

// attributeDefault is the default of an attribute and its path.
type attributeDefault struct {
	path  *tftypes.AttributePath
	value tftypes.Value
}

// schemaDefaults returns all defaults of a schema. ok is false if a default cannot be determined: one of an unsupported
// type, or within a list.
func schemaDefaults(ctx context.Context, s schema.Schema) (found []attributeDefault, ok bool) {
	root := tftypes.NewAttributePath()
	found, ok = attributeDefaults(ctx, root, s.Attributes)
	for name, block := range s.Blocks {
		var more []attributeDefault
		known := false
		switch b := block.(type) {
		case schema.SingleNestedBlock:
			more, known = attributeDefaults(ctx, root.WithAttributeName(name), b.Attributes)
			known = known && len(b.Blocks) == 0
		case schema.ListNestedBlock:
			more, known = attributeDefaults(ctx, root.WithAttributeName(name), b.NestedObject.Attributes)
			known = known && len(b.NestedObject.Blocks) == 0 && len(more) == 0
		}
		found, ok = append(found, more...), ok && known
	}
	return found, ok
}

func attributeDefaults(
	ctx context.Context, parent *tftypes.AttributePath, attributes map[string]schema.Attribute,
) (found []attributeDefault, ok bool) {
	for name, attribute := range attributes {
		value, ok := defaultOf(ctx, attribute)
		if !ok {
			return nil, false
		}
		if value == nil {
			continue
		}
		raw, err := value.ToTerraformValue(ctx)
		if err != nil {
			return nil, false
		}
		found = append(found, attributeDefault{parent.WithAttributeName(name), raw})
	}
	return found, true
}

// defaultOf returns the default of an attribute, or nil if it has none. ok is false if it cannot be determined.
func defaultOf(ctx context.Context, attribute schema.Attribute) (value attr.Value, ok bool) {
	switch a := attribute.(type) {
	case schema.BoolAttribute:
		if a.Default == nil {
			return nil, true
		}
		var resp defaults.BoolResponse
		a.Default.DefaultBool(ctx, defaults.BoolRequest{}, &resp)
		return resp.PlanValue, !resp.Diagnostics.HasError()
	case schema.StringAttribute:
		if a.Default == nil {
			return nil, true
		}
		var resp defaults.StringResponse
		a.Default.DefaultString(ctx, defaults.StringRequest{}, &resp)
		return resp.PlanValue, !resp.Diagnostics.HasError()
	case schema.Int64Attribute:
		return nil, a.Default == nil
	case schema.MapAttribute:
		return nil, a.Default == nil
	}
	return nil, false
}
