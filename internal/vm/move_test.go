package vm_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// olderState is the machine as the older provider's state may hold it.
func olderState(id any, more map[string]any) acctest.MoveSource {
	state := map[string]any{
		"id": id, "name": "web1", "group": "default", "group_id": 1002, "zone": "york", "cores": 2, "memory": 2048, "os": "bookworm", "disc_size": 25,
		"ipv4": "198.51.100.2", "ipv6": "2001:db8::2", "root_password": "marker-1-marker", "power_on": true, "reboot": false,
		"ssh_public_key": nil, "firstboot_script": "",
	}
	for name, value := range more {
		state[name] = value
	}
	return acctest.MoveSource{ProviderAddress: "registry.terraform.io/somebody/bigv", TypeName: "bigv_vm", State: state}
}

func olderMachine() emulator.Machine {
	return emulator.Machine{
		Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, LastImagedWith: "bookworm",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
	}
}

// onOlderMachine runs a test in a bubble with the machine of an older state.
func onOlderMachine(t *testing.T, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		test(t, d, e, e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, olderMachine()))
	})
}

func TestMove(t *testing.T) {
	t.Parallel()
	disc := []map[string]any{{"label": "vda", "size": 25600}}
	full := map[string]any{
		"name": "web1", "group": "default", "zone_name": "york", "cores": 2, "memory": 2048, "power_on": true, "disc": disc,
		"reimage": map[string]any{"distribution": "bookworm", "root_password": "marker-1-marker"},
	}
	for name, test := range map[string]struct {
		more   map[string]any
		config map[string]any
		want   acctest.Action
	}{
		"everything configured":         {nil, full, acctest.ActionNoOp},
		"numbers as text":               {map[string]any{"cores": "2", "memory": "2048", "power_on": "true", "group_id": "1002"}, full, acctest.ActionNoOp},
		"an older state that is sparse": {map[string]any{"group": nil, "group_id": nil, "zone": "", "cores": nil, "memory": 0, "power_on": nil, "ipv4": []string{}}, full, acctest.ActionNoOp},
		"the least":                     {nil, map[string]any{"name": "web1", "disc": disc}, acctest.ActionUpdate},
		"no image anywhere":             {map[string]any{"os": nil}, map[string]any{"name": "web1", "disc": disc}, acctest.ActionNoOp},
		"a key that was not reported":   {nil, withImage(full, "ssh_public_key", "ssh-ed25519 AAAA"), acctest.ActionUpdate},
		"no password":                   {nil, withImage(full, "root_password", nil), acctest.ActionNoOp},
		"another distribution":          {nil, withImage(full, "distribution", "noble"), acctest.ActionReplace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onOlderMachine(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				ctx := t.Context()
				moved, diags := d.Move(ctx, "cloudserver_vm", olderState(id, test.more))
				if len(diags) > 0 {
					t.Fatal(acctest.DiagText(diags))
				}
				plan := d.ExpectPlan(ctx, moved, test.config, test.want)
				if test.want == acctest.ActionReplace {
					return
				}
				e.ResetJournal()
				o, diags := d.Apply(ctx, "cloudserver_vm", plan)
				if acctest.HasErrors(diags) || len(e.Calls()) > 0 {
					t.Errorf("want nothing done, got %q\n%s", e.Calls(), acctest.DiagText(diags))
				}
				d.ExpectPlan(ctx, o, test.config, acctest.ActionNoOp)
			})
		})
	}
}

// withImage is a copy of a configuration with one attribute of its image set.
func withImage(config map[string]any, name string, value any) map[string]any {
	image := map[string]any{"distribution": "bookworm", "root_password": "marker-1-marker"}
	image[name] = value
	changed := map[string]any{"reimage": image}
	for key, v := range config {
		if key != "reimage" {
			changed[key] = v
		}
	}
	return changed
}

// TestMoveLeavesThePasswordBehind: no state holds one.
func TestMoveLeavesThePasswordBehind(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for name, more := range map[string]map[string]any{
		"present":  nil,
		"null":     {"root_password": nil},
		"no image": {"os": ""},
	} {
		moved, diags := d.Move(t.Context(), "cloudserver_vm", olderState("1", more))
		if len(diags) > 0 {
			t.Fatal(acctest.DiagText(diags))
		}
		if image, ok := moved.Get("reimage").(map[string]any); ok != (name != "no image") || ok && image["root_password"] != nil {
			t.Errorf("%s: got %v", name, moved.Get("reimage"))
		}
		if text, err := moved.JSON(); err != nil || strings.Contains(text, "marker-1") {
			t.Errorf("%s: the state has the password: %v %s", name, err, text)
		}
		if moved.GetIdentity("id") != "1" {
			t.Errorf("%s: identity %v", name, moved.GetIdentity("id"))
		}
	}
}

func TestMoveRefusals(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	from := func(change func(*acctest.MoveSource)) acctest.MoveSource {
		source := olderState(1, nil)
		change(&source)
		return source
	}
	for name, test := range map[string]struct {
		source acctest.MoveSource
		want   string
	}{
		"another type":     {from(func(s *acctest.MoveSource) { s.TypeName = "bigv_group" }), "Unable to Move Resource State"},
		"another provider": {from(func(s *acctest.MoveSource) { s.ProviderAddress = "registry.terraform.io/somebody/other" }), "Unable to Move Resource State"},
		"no id":            {from(func(s *acctest.MoveSource) { s.State["id"] = nil }), "Cannot move the state of a bigv_vm"},
		"an id of text":    {from(func(s *acctest.MoveSource) { s.State["id"] = "web1.default" }), `its id "web1.default" is not a numeric id`},
	} {
		if _, diags := d.Move(t.Context(), "cloudserver_vm", test.source); !strings.Contains(acctest.DiagText(diags), test.want) {
			t.Errorf("%s: want %q, got %q", name, test.want, acctest.DiagText(diags))
		}
	}
}

// TestMoveFromTheSameType copies the state as it is, private state included: a
// fork or a mirror of the provider has another address.
func TestMoveFromTheSameType(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(image, given{"deletion_protection": true})
		made := d.MustApply(ctx, vmType, nil, config)
		text, err := made.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var state map[string]any
		if err := json.Unmarshal([]byte(text), &state); err != nil {
			t.Fatal(err)
		}
		e.ResetJournal()
		moved, diags := d.Move(ctx, vmType, acctest.MoveSource{
			ProviderAddress: "registry.example.com/mirror/cloudserver", TypeName: vmType, State: state, Private: made.Private,
		})
		if len(diags) > 0 {
			t.Fatal(acctest.DiagText(diags))
		}
		if !moved.State.Equal(made.State) || moved.GetIdentity("id") != made.Get("id") || privateState(t, moved) != privateState(t, made) {
			t.Errorf("moved\n%v, %s\nwas\n%v, %s", moved.Get(""), privateState(t, moved), made.Get(""), privateState(t, made))
		}
		d.ExpectPlan(ctx, moved, config, noop)
		acctest.ExpectError(t, d.PlanReplace(ctx, moved, config).Errors(), "deletion_protection is true") // what the private state knows
		expectSent(t, e, "")
	})
}

// TestMoveFromABareAddress is what older releases of OpenTofu pass. The state
// can be destroyed before it was ever read.
func TestMoveFromABareAddress(t *testing.T) {
	t.Parallel()
	onOlderMachine(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		ctx := t.Context()
		source := olderState(id, nil)
		source.ProviderAddress = "bigv"
		moved, diags := d.Move(ctx, vmType, source)
		if len(diags) > 0 {
			t.Fatal(acctest.DiagText(diags))
		}
		d.MustApply(ctx, vmType, moved, nil)
		if left := e.Machines(); len(left) > 0 {
			t.Errorf("left: %+v", left)
		}
	})
}
