package provider

import (
	"bytes"
	"maps"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// values are what a test sets in an object; all else is null.
type values map[string]any

// The framework is asked the same: where the plan is answered without it, the
// answer is its own, and where it would plan a change, it is asked.
func TestUnchangedPlanIsTheFrameworks(t *testing.T) {
	t.Parallel()
	p := New("test")()
	u, framework := &unchangedPlans{provider: p}, providerserver.NewProtocol6(p)()
	none := []tftypes.Value{} // a block in a list is never null
	machine := values{
		"id": "7", "name": "web1", "account": "demo", "group": "default", "group_id": "3", "cores": 2, "memory": 4096, "power_on": true,
		"allow_stopping_for_update": true, "shutdown_timeout": "2m", "shutdown_before_destroy": false, "deletion_protection": false, "purge_on_destroy": true,
		"disc": none, "reimage": values{"distribution": "bookworm", "on_change": "replace"},
	}
	config := values{"name": "web1", "cores": 2, "disc": none, "reimage": values{"distribution": "bookworm"}}
	shutDown, inPlace := values{"shutdown_before_destroy": true}, values{"reimage": values{"distribution": "bookworm", "on_change": "reimage"}}

	for name, c := range map[string]struct {
		prior, proposed, config values
		identity                bool
		unchanged               bool
		private                 bool
		kept                    bool // the plan says so in its private state
	}{
		"nothing changes":                {machine, machine, config, false, true, false, false},
		"with an identity":               {machine, machine, config, true, true, false, false},
		"a default that is not in force": {with(machine, shutDown), with(machine, shutDown), config, false, false, false, false},
		"another value than the default": {with(machine, shutDown), with(machine, shutDown), with(config, shutDown), false, true, false, false},
		"a default within a block":       {with(machine, inPlace), with(machine, inPlace), config, false, false, false, false},
		"another value within a block":   {with(machine, inPlace), with(machine, inPlace), with(config, inPlace), false, true, false, false},
		"a default that is missing":      {with(machine, values{"shutdown_timeout": nil}), with(machine, values{"shutdown_timeout": nil}), config, false, false, false, false},
		"no block":                       {with(machine, values{"reimage": nil}), with(machine, values{"reimage": nil}), with(config, values{"reimage": nil}), false, true, false, false},
		"a change":                       {machine, with(machine, values{"name": "web2"}), with(config, values{"name": "web2"}), false, false, false, false},
		"a new machine":                  {nil, machine, config, false, false, false, false},
		"a machine to destroy":           {machine, nil, nil, false, false, false, false},
		"nothing at all":                 {nil, nil, nil, false, false, false, false},
		"a protected machine":            {with(machine, values{"deletion_protection": true}), with(machine, values{"deletion_protection": true}), with(config, values{"deletion_protection": true}), false, false, false, true},
		"a name that stays taken":        {with(machine, values{"purge_on_destroy": false}), with(machine, values{"purge_on_destroy": false}), with(config, values{"purge_on_destroy": false}), false, false, false, true},
		"a private state":                {machine, machine, config, false, false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			machines, ok := u.kind(t.Context(), "cloudserver_vm")
			if !ok {
				t.Fatal("machines are no such resource any more")
			}
			object := machines.object
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName:   "cloudserver_vm",
				PriorState: encode(t, object, c.prior), ProposedNewState: encode(t, object, c.proposed), Config: encode(t, object, c.config),
			}
			if c.private {
				req.PriorPrivate = []byte(`{"machine":"e30="}`)
			}
			if c.identity {
				identity := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}
				req.PriorIdentity = &tfprotov6.ResourceIdentityData{IdentityData: encode(t, identity, values{"id": "7"})}
			}
			got := u.plan(t.Context(), req)
			if (got != nil) != c.unchanged {
				t.Fatalf("answered without the framework: %t, want %t", got != nil, c.unchanged)
			}
			want, err := framework.PlanResourceChange(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			unchanged := decode(t, object, want.PlannedState).Equal(decode(t, object, req.PriorState))
			if got == nil {
				if unchanged && c.prior != nil && !c.private && !c.kept {
					t.Error("the framework plans no change either: the case proves nothing")
				}
				return
			}
			if !unchanged {
				t.Error("the framework plans a change")
			}
			if !bytes.Equal(got.PlannedPrivate, want.PlannedPrivate) || !reflect.DeepEqual(got.PlannedIdentity, want.PlannedIdentity) {
				t.Errorf("private state %s, identity %v; the framework: %s, %v", got.PlannedPrivate, got.PlannedIdentity, want.PlannedPrivate, want.PlannedIdentity)
			}
			if len(want.RequiresReplace) > 0 || len(want.Diagnostics) > 0 || want.Deferred != nil {
				t.Errorf("the framework says more: %v, %v, %v", want.RequiresReplace, want.Diagnostics, want.Deferred)
			}
		})
	}
}

// What another server wrote, or nobody, is the framework's to refuse.
func TestUnchangedPlanLeavesToTheFramework(t *testing.T) {
	t.Parallel()
	u := &unchangedPlans{provider: New("test")()}
	garbage := &tfprotov6.DynamicValue{MsgPack: []byte{0xc1}}
	for name, req := range map[string]*tfprotov6.PlanResourceChangeRequest{
		"no values":         {TypeName: "cloudserver_vm"},
		"JSON":              {TypeName: "cloudserver_vm", PriorState: &tfprotov6.DynamicValue{JSON: []byte("{}")}, ProposedNewState: &tfprotov6.DynamicValue{JSON: []byte("{}")}},
		"garbage":           {TypeName: "cloudserver_vm", PriorState: garbage, ProposedNewState: garbage},
		"another resource":  {TypeName: "cloudserver_group", PriorState: garbage, ProposedNewState: garbage},
		"no such resource":  {TypeName: "cloudserver_disc", PriorState: garbage, ProposedNewState: garbage},
		"garbage to change": {TypeName: "cloudserver_vm", PriorState: garbage, ProposedNewState: &tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}},
	} {
		if answer := u.plan(t.Context(), req); answer != nil {
			t.Errorf("%s: answered with %v", name, answer)
		}
	}
}

// with gives values with others in place of some of them.
func with(all, others values) values {
	changed := maps.Clone(all)
	maps.Copy(changed, others)
	return changed
}

// encode writes an object as Terraform does; nil is null.
func encode(t *testing.T, object tftypes.Type, v values) *tfprotov6.DynamicValue {
	t.Helper()
	value := tftypes.NewValue(object, nil)
	if v != nil {
		value = build(t, object, v)
	}
	dynamic, err := tfprotov6.NewDynamicValue(object, value)
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

func decode(t *testing.T, object tftypes.Type, dynamic *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	value, err := dynamic.Unmarshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func build(t *testing.T, of tftypes.Type, v values) tftypes.Value {
	t.Helper()
	object, ok := of.(tftypes.Object)
	if !ok {
		t.Fatalf("%s is no object", of)
	}
	members := map[string]tftypes.Value{}
	for name, member := range object.AttributeTypes {
		switch value := v[name].(type) {
		case values:
			members[name] = build(t, member, value)
		default:
			members[name] = tftypes.NewValue(member, value)
		}
	}
	return tftypes.NewValue(object, members)
}
