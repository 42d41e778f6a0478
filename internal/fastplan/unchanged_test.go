package fastplan_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// both asks the framework and this package for the same plan.
type both struct {
	schemas   *tfprotov6.GetProviderSchemaResponse
	framework tfprotov6.ProviderServer
	fast      func(context.Context, *tfprotov6.PlanResourceChangeRequest) *tfprotov6.PlanResourceChangeResponse
}

func open(t *testing.T) both {
	t.Helper()
	return openWith(t, nil)
}

// openWith is open with settings of the provider block.
func openWith(t *testing.T, settings map[string]any) both {
	t.Helper()
	e := acctest.NewEmulator(t, emulator.Options{})
	p := provider.NewWithTransport("test", e.Transport())()
	b := both{framework: providerserver.NewProtocol6(p)(), fast: fastplan.Plans(p)}
	acctest.NewDriver(t, b.framework, (&acctest.Emulator{Emulator: e, URL: "http://127.0.0.1"}).ProviderConfig(settings))
	var err error
	if b.schemas, err = b.framework.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if calls := (&acctest.Emulator{Emulator: e}).AllCalls(); len(calls) > 0 {
			t.Errorf("a plan in which nothing changes asks the service: %v", calls)
		}
	})
	return b
}

// TestUnchangedPlanIsTheFrameworks compares plans of every resource, with each attribute configured or left out and
// each boolean true or false: an answer equals the framework's in every field.
func TestUnchangedPlanIsTheFrameworks(t *testing.T) {
	t.Parallel()
	b := open(t)
	for typeName, schema := range b.schemas.ResourceSchemas {
		t.Run(typeName, func(t *testing.T) {
			answered := 0
			for _, flipped := range append(booleans(schema.Block, ""), "") {
				state := build(schema.Block, inState, flipped)
				for _, config := range []tftypes.Value{build(schema.Block, inShortConfig, flipped), build(schema.Block, inFullConfig, flipped)} {
					for _, identity := range []*tfprotov6.ResourceIdentityData{nil, b.identity(t, typeName)} {
						req := &tfprotov6.PlanResourceChangeRequest{
							TypeName: typeName, PriorState: encode(t, state), ProposedNewState: encode(t, state), Config: encode(t, config), PriorIdentity: identity,
						}
						if b.compare(t, req, state, flipped) {
							answered++
						}
					}
				}
			}
			if answered < 4 {
				t.Errorf("%d plans were answered", answered)
			}
		})
	}
}

// compare returns false if this package leaves the plan to the framework.
func (b both) compare(
	t *testing.T, req *tfprotov6.PlanResourceChangeRequest, state tftypes.Value, flipped string,
) bool {
	t.Helper()
	got := b.fast(t.Context(), req)
	if got == nil {
		return false
	}
	want, err := b.framework.PlanResourceChange(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, resp := range []*tfprotov6.PlanResourceChangeResponse{got, want} {
		planned, err := resp.PlannedState.Unmarshal(state.Type())
		if err != nil {
			t.Fatal(err)
		}
		if diff, err := planned.Diff(state); err != nil || len(diff) > 0 {
			t.Errorf("with another %q: a plan that changes %v, %v", flipped, diff, err)
		}
		resp.PlannedState = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with another %q (-framework +answered):\n%s", flipped, diff)
	}
	return true
}

func (b both) identity(t *testing.T, typeName string) *tfprotov6.ResourceIdentityData {
	t.Helper()
	all, err := b.framework.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	schema := all.IdentitySchemas[typeName]
	if schema == nil {
		return nil
	}
	members := map[string]tftypes.Value{}
	for _, a := range schema.IdentityAttributes {
		members[a.Name] = tftypes.NewValue(a.Type, "7")
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: encode(t, tftypes.NewValue(schema.ValueType(), members))}
}

// Which attributes have values: in the state, in a configuration with all arguments, and in one without those that the
// provider can compute.
func inState(a *tfprotov6.SchemaAttribute) bool       { return !a.WriteOnly }
func inFullConfig(a *tfprotov6.SchemaAttribute) bool  { return a.Required || a.Optional }
func inShortConfig(a *tfprotov6.SchemaAttribute) bool { return inFullConfig(a) && !a.Computed }

// samples are the values of attributes that accept few values, and the usual values of booleans.
var samples = map[string]any{
	"reimage.on_change": "replace", "shutdown_timeout": "2m", "power_on": true, "purge_on_destroy": true,
	"address": "192.0.2.7", "ips.ipv4": "192.0.2.7", "ips.ipv6": "2001:db8::7", "ipv4_address": "192.0.2.7", "ipv6_address": "2001:db8::7",
}

// build returns an object with a value for each attribute that is set, and one block of each kind. The boolean at the
// path flipped is inverted.
func build(block *tfprotov6.SchemaBlock, set func(*tfprotov6.SchemaAttribute) bool, flipped string) tftypes.Value {
	return buildAt(block, set, flipped, "")
}

func buildAt(
	block *tfprotov6.SchemaBlock, set func(*tfprotov6.SchemaAttribute) bool, flipped, prefix string,
) tftypes.Value {
	members := map[string]tftypes.Value{}
	for _, a := range block.Attributes {
		members[a.Name] = tftypes.NewValue(a.Type, nil)
		if set(a) {
			members[a.Name] = tftypes.NewValue(a.Type, sample(a.Type, prefix+a.Name, flipped))
		}
	}
	for _, nested := range block.BlockTypes {
		value := buildAt(nested.Block, set, flipped, prefix+nested.TypeName+".")
		if nested.Nesting == tfprotov6.SchemaNestedBlockNestingModeList {
			value = tftypes.NewValue(tftypes.List{ElementType: value.Type()}, []tftypes.Value{value})
		}
		members[nested.TypeName] = value
	}
	return tftypes.NewValue(block.ValueType(), members)
}

func sample(of tftypes.Type, at, flipped string) any {
	value := samples[at]
	if of.Is(tftypes.Bool) {
		truth, _ := value.(bool)
		return truth != (at == flipped)
	}
	switch {
	case value != nil:
		return value
	case of.Is(tftypes.Number):
		return 7
	case of.Is(tftypes.String):
		return "7"
	case of.Is(tftypes.Map{}):
		return map[string]tftypes.Value{"7": tftypes.NewValue(tftypes.String, "7")} // disc_ids: by label
	}
	return nil
}

// booleans returns the paths of all booleans.
func booleans(block *tfprotov6.SchemaBlock, prefix string) []string {
	var found []string
	for _, a := range block.Attributes {
		if a.Type.Is(tftypes.Bool) {
			found = append(found, prefix+a.Name)
		}
	}
	for _, nested := range block.BlockTypes {
		found = append(found, booleans(nested.Block, prefix+nested.TypeName+".")...)
	}
	return found
}

// TestWhatIsLeftToTheFramework lists plans that change something, or may, and input in another form than Terraform's.
func TestWhatIsLeftToTheFramework(t *testing.T) {
	t.Parallel()
	b := open(t)
	block := b.schemas.ResourceSchemas["cloudserver_vm"].Block
	state := build(block, inState, "")
	machine, config := encode(t, state), encode(t, build(block, inFullConfig, ""))
	null, garbage := encode(t, tftypes.NewValue(state.Type(), nil)), &tfprotov6.DynamicValue{MsgPack: []byte{0xc1}}
	with := func(flipped string) *tfprotov6.PlanResourceChangeRequest {
		value := encode(t, build(block, inState, flipped))
		return &tfprotov6.PlanResourceChangeRequest{PriorState: value, ProposedNewState: value, Config: encode(t, build(block, inFullConfig, flipped))}
	}
	for name, req := range map[string]*tfprotov6.PlanResourceChangeRequest{
		"a change":                   {PriorState: machine, ProposedNewState: with("power_on").PriorState, Config: config},
		"a new machine":              {PriorState: null, ProposedNewState: machine, Config: config},
		"a machine to destroy":       {PriorState: machine, ProposedNewState: null, Config: null},
		"nothing at all":             {PriorState: null, ProposedNewState: null, Config: null},
		"a private state":            {PriorState: machine, ProposedNewState: machine, Config: config, PriorPrivate: []byte(`{"machine":"e30="}`)},
		"a private state of garbage": {PriorState: machine, ProposedNewState: machine, Config: config, PriorPrivate: []byte("?")},
		"a deferral": {
			PriorState: machine, ProposedNewState: machine, Config: config,
			ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: true},
		},
		"protection":                 with("deletion_protection"),
		"a name that stays taken":    with("purge_on_destroy"),
		"a default out of force":     {PriorState: with("shutdown_before_destroy").PriorState, ProposedNewState: with("shutdown_before_destroy").PriorState, Config: encode(t, build(block, inShortConfig, ""))},
		"no values":                  {},
		"JSON":                       {PriorState: &tfprotov6.DynamicValue{JSON: []byte("{}")}, ProposedNewState: &tfprotov6.DynamicValue{JSON: []byte("{}")}},
		"garbage":                    {PriorState: garbage, ProposedNewState: garbage},
		"a resource that is unknown": {TypeName: "cloudserver_disc", PriorState: machine, ProposedNewState: machine},
	} {
		if req.TypeName == "" {
			req.TypeName = "cloudserver_vm"
		}
		if answer := b.fast(t.Context(), req); answer != nil {
			t.Errorf("%s: answered with %v", name, answer)
		}
	}
	if b.fast(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: "cloudserver_vm", PriorState: machine, ProposedNewState: machine, Config: config}) == nil {
		t.Error("the plain machine is not answered: the cases prove nothing")
	}
}

// TestProtectionByDefaultIsLeftToTheFramework: while the provider block protects machines, or may do so, a machine without
// protection may have to change.
func TestProtectionByDefaultIsLeftToTheFramework(t *testing.T) {
	t.Parallel()
	for _, value := range []any{true, acctest.Unknown} {
		b := openWith(t, map[string]any{"deletion_protection": value})
		block := b.schemas.ResourceSchemas["cloudserver_vm"].Block
		machine, config := encode(t, build(block, inState, "")), encode(t, build(block, inShortConfig, ""))
		if b.fast(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: "cloudserver_vm", PriorState: machine, ProposedNewState: machine, Config: config}) != nil {
			t.Errorf("%v: answered", value)
		}
	}
}

func encode(t *testing.T, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}
