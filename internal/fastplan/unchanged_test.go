package fastplan_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fastplan"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// both asks the framework and this package for the same plan.
type both struct {
	schemas   *tfprotov6.GetProviderSchemaResponse
	framework tfprotov6.ProviderServer
	unchanged *fastplan.Unchanged
	data      *tfkit.ProviderData
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
	server, unchanged, err := fastplan.NewServer(p, false)
	if err != nil {
		t.Fatal(err)
	}
	b := both{framework: server, unchanged: unchanged}
	acctest.NewDriver(t, server, (&acctest.Emulator{Emulator: e, URL: "http://127.0.0.1"}).ProviderConfig(settings))
	own, ok := p.(interface{ Data() *tfkit.ProviderData })
	if !ok {
		t.Fatalf("%T has no data", p)
	}
	b.data = own.Data()
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

// fast returns the answer without the framework, or nil.
func (b both) fast(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) *tfprotov6.PlanResourceChangeResponse {
	answer, _ := b.unchanged.Plan(ctx, b.data, req)
	return answer
}

// privates are private states that plans without changes find.
var privates = map[string]string{
	"none": "", "empty": "{}", "protected": `{"protected":true}`, "imported": `{"from":"import"}`, "without an image": `{"from":"no_image"}`,
	"of a refresh": `{"discs":{}}`, "a foreign disc": `{"discs":{"9":{"label":"old","grade":"sata","size":1024}}}`,
	"another label": `{"discs":{"7":{"label":"8","grade":"ssd"}}}`, "an account": `{"account":"demo","set":"7"}`,
}

// privateState returns the private state of a resource.
func privateState(kept string) []byte {
	if kept == "" {
		return nil
	}
	encoded, _ := json.Marshal(map[string][]byte{"kept": []byte(kept), ".framework": []byte("true")})
	return encoded
}

// TestUnchangedPlanIsTheFrameworks compares plans of every resource, with each attribute configured or left out, each
// boolean true or false, and each private state: an answer equals the framework's in every field.
func TestUnchangedPlanIsTheFrameworks(t *testing.T) {
	t.Parallel()
	b := open(t)
	for typeName, schema := range b.schemas.ResourceSchemas {
		t.Run(typeName, func(t *testing.T) {
			answered := 0
			for _, flipped := range append(booleans(schema.Block, ""), "") {
				state := build(schema.Block, inState, flipped)
				for _, configured := range []func(*tfprotov6.SchemaAttribute) bool{inShortConfig, inFullConfig, inShortConfigWith(flipped)} {
					config, proposed := build(schema.Block, configured, flipped), build(schema.Block, inProposal(configured), flipped)
					for _, identity := range []*tfprotov6.ResourceIdentityData{nil, b.identity(t, typeName)} {
						for _, kept := range privates {
							req := &tfprotov6.PlanResourceChangeRequest{
								TypeName: typeName, PriorState: encode(t, state), ProposedNewState: encode(t, proposed), Config: encode(t, config),
								PriorIdentity: identity, PriorPrivate: privateState(kept),
							}
							if b.compare(t, req, state, flipped) {
								answered++
							}
						}
					}
				}
			}
			if least := 3 * len(privates); answered < least { // for the short configuration, too
				t.Errorf("%d plans were answered, want at least %d", answered, least)
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

// inProposal is what Terraform proposes if nothing changes: the state, with the write-only values of the configuration.
func inProposal(configured func(*tfprotov6.SchemaAttribute) bool) func(*tfprotov6.SchemaAttribute) bool {
	return func(a *tfprotov6.SchemaAttribute) bool { return !a.WriteOnly || configured(a) }
}

// inShortConfigWith is inShortConfig with the attribute at a path.
func inShortConfigWith(path string) func(*tfprotov6.SchemaAttribute) bool {
	return func(a *tfprotov6.SchemaAttribute) bool {
		return inShortConfig(a) || inFullConfig(a) && a.Name == path[strings.LastIndex(path, ".")+1:]
	}
}

// samples are the values of attributes that accept few values, and the usual values of booleans.
var samples = map[string]any{
	"reimage.on_change": "replace", "shutdown_timeout": "2m", "power_on": true, "autoreboot_on": true, "purge_on_destroy": true,
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

// TestWhatIsAnswered lists plans of machines that the framework has to make, because they change something, or may, and
// plans that it need not make.
func TestWhatIsAnswered(t *testing.T) {
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
	without := func(flipped string) *tfprotov6.PlanResourceChangeRequest {
		req := with(flipped)
		req.Config = encode(t, build(block, inShortConfig, ""))
		return req
	}
	keeping := func(kept string) *tfprotov6.PlanResourceChangeRequest {
		return &tfprotov6.PlanResourceChangeRequest{PriorState: machine, ProposedNewState: machine, Config: config, PriorPrivate: privateState(kept)}
	}
	proposing := func(flipped string) *tfprotov6.PlanResourceChangeRequest {
		proposed := encode(t, build(block, inProposal(inFullConfig), flipped))
		return &tfprotov6.PlanResourceChangeRequest{PriorState: machine, ProposedNewState: proposed, Config: config}
	}
	for name, c := range map[string]struct {
		*tfprotov6.PlanResourceChangeRequest
		answered bool
	}{
		"a change":                   {&tfprotov6.PlanResourceChangeRequest{PriorState: machine, ProposedNewState: with("power_on").PriorState, Config: config}, false},
		"a new machine":              {&tfprotov6.PlanResourceChangeRequest{PriorState: null, ProposedNewState: machine, Config: config}, false},
		"a machine to destroy":       {&tfprotov6.PlanResourceChangeRequest{PriorState: machine, ProposedNewState: null, Config: null}, false},
		"nothing at all":             {&tfprotov6.PlanResourceChangeRequest{PriorState: null, ProposedNewState: null, Config: null}, false},
		"owed power":                 {keeping(`{"owed":{"power_on":true,"autoreboot_on":true}}`), false},
		"owed readiness":             {keeping(`{"unready":true}`), false},
		"a disc elsewhere":           {keeping(`{"discs":{"7":{"machine":"8"}}}`), false},
		"a private state of garbage": {&tfprotov6.PlanResourceChangeRequest{PriorState: machine, ProposedNewState: machine, Config: config, PriorPrivate: []byte("?")}, false},
		"a deferral": {&tfprotov6.PlanResourceChangeRequest{
			PriorState: machine, ProposedNewState: machine, Config: config,
			ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: true},
		}, false},
		"a default out of force":             {without("shutdown_before_destroy"), false},
		"protection that is not configured":  {without("deletion_protection"), false},
		"a machine that the service starts":  {with("power_on"), false},
		"no values":                          {&tfprotov6.PlanResourceChangeRequest{}, false},
		"JSON":                               {&tfprotov6.PlanResourceChangeRequest{PriorState: &tfprotov6.DynamicValue{JSON: []byte("{}")}, ProposedNewState: &tfprotov6.DynamicValue{JSON: []byte("{}")}}, false},
		"garbage":                            {&tfprotov6.PlanResourceChangeRequest{PriorState: garbage, ProposedNewState: garbage}, false},
		"a resource that is unknown":         {&tfprotov6.PlanResourceChangeRequest{TypeName: "cloudserver_disc", PriorState: machine, ProposedNewState: machine}, false},
		"a password, and a change":           {proposing("power_on"), false},
		"a plain machine":                    {keeping(""), true},
		"a password and a script":            {proposing(""), true},
		"a machine without autoreboot_on":    {with("autoreboot_on"), true},
		"protection":                         {with("deletion_protection"), true},
		"a name that stays taken":            {with("purge_on_destroy"), true},
		"an imported machine":                {keeping(privates["imported"]), true},
		"a machine without an image":         {keeping(privates["without an image"]), true},
		"a machine with three discs":         {keeping(privates["of a refresh"]), true},
		"a machine with a disc of no block":  {keeping(privates["a foreign disc"]), false}, // its plan warns of the disc
		"a machine with a disc of two names": {keeping(privates["another label"]), true},
	} {
		if c.TypeName == "" {
			c.TypeName = "cloudserver_vm"
		}
		if answer := b.fast(t.Context(), c.PlanResourceChangeRequest); (answer != nil) != c.answered {
			t.Errorf("%s: answered with %v", name, answer)
		}
	}
}

// TestProtectionByDefault: while the provider block protects machines, or may do so, a machine without protection may
// have to change. One that has it, or has its own, has not.
func TestProtectionByDefault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value                       any
		unprotected, protected, own bool
	}{{false, true, false, true}, {true, false, true, true}, {acctest.Unknown, false, false, true}} {
		b := openWith(t, map[string]any{"deletion_protection": c.value})
		block := b.schemas.ResourceSchemas["cloudserver_vm"].Block
		answered := func(flipped string, configured func(*tfprotov6.SchemaAttribute) bool) bool {
			machine, config := encode(t, build(block, inState, flipped)), encode(t, build(block, configured, flipped))
			return b.fast(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: "cloudserver_vm", PriorState: machine, ProposedNewState: machine, Config: config}) != nil
		}
		for what, is := range map[string][2]bool{
			"without protection":        {answered("", inShortConfig), c.unprotected},
			"with that of the provider": {answered("deletion_protection", inShortConfig), c.protected},
			"with its own":              {answered("deletion_protection", inFullConfig), c.own},
		} {
			if is[0] != is[1] {
				t.Errorf("%v, a machine %s: answered %t", c.value, what, is[0])
			}
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
