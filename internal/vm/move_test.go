package vm_test

import (
	"net/http"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMove moves the machine in place, to another group or to another account. The rest of the update happens there.
func TestMove(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to    given
		group string
	}{
		"another group, another name":    {given{"group": "private", "name": "web2"}, "demo/private"},
		"the group of the same name":     {given{"account": "other"}, "other/default"},
		"another group there":            {given{"account": "other", "group": "blue"}, "other/blue"},
		"a group named by digits":        {given{"group": "1002"}, "demo/1002"}, // not the one with that ID
		"where the block ips is no good": {given{"group": "default"}, "demo/default"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			e.AddAccount("other", false)
			e.AddGroup("other", "blue", false)
			was := given{"cores": 2, leave: true}
			switch test.group {
			case "demo/1002":
				e.AddGroup(emulator.DemoAccount, "1002", false)
				was["group"] = "private"
			case "demo/default":
				was = with(with(addressed, "cores", 2), leave, true)
			}
			o := d.MustApply(ctx, vmType, nil, configured(was))
			before := onlyMachine(t, e)
			d = e.NewDriver(t, nil)
			config := configured(was, test.to, given{"cores": 4, "disc": discs("vda:30000")})
			plan := d.ExpectPlan(ctx, o, config, update)
			if len(plan.Diagnostics) != 2 { // the restart and the move
				t.Errorf("the plan says\n%s", acctest.DiagText(plan.Diagnostics))
			}
			for _, path := range []string{"hostname", "ipv4_address"} {
				if plan.Get(path) != acctest.Unknown {
					t.Errorf("%s is planned as %v, though it may change", path, plan.Get(path))
				}
			}
			moved := "PUT group_id=#; "
			if test.to["name"] != nil {
				moved = "PUT group_id=# name=web2; "
			}
			o = applyCleanly(t, d, e, o, config, moved+stop+"PUT cores=4; PUT disc size=30000; "+start)
			is := onlyMachine(t, e)
			if is.ID != before.ID || is.Discs[0].ID != before.Discs[0].ID || is.Account+"/"+is.Group != test.group {
				t.Errorf("the machine is %+v", is)
			}
			if moved := o.Get("account_id") != "1001"; moved != (is.Account != emulator.DemoAccount) {
				t.Errorf("account_id is %v", o.Get("account_id"))
			}
			expectState(t, o, given{"account": is.Account, "group": is.Group, "group_id": idOf(is.GroupID), "hostname": is.Hostname, "name": is.Name})
		})
	}
}

// TestMoveRefused: if the group does not exist, or the name is taken there, nothing is stopped or changed.
func TestMoveRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to given
		says     []string
	}{
		"no group of that name": {
			from: inPrivate,
			to:   given{"account": "other", "group": "private"},
			says: []string{"error at group: Cannot move", `Account "other" has no group "private"`},
		},
		"the same, left out": {
			from: inPrivate,
			to:   given{"account": "other"},
			says: []string{"error at group: Cannot move", `Account "other" has no group "private"`},
		},
		"none in its account": {
			to:   given{"group": "nowhere"},
			says: []string{"error at group: Cannot move", `Account "demo" has no group "nowhere"`, "Nothing was changed", `"default", "private"`},
		},
		"no such account": {
			to:   given{"account": "othr"},
			says: []string{"error at account:", `There is no account "othr"`, `"other"`},
		},
		"the name is taken there": {
			to:   given{"account": "other"},
			says: []string{"error at name:", "has already been taken", `virtual machine "web1"`},
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			e.AddAccount("other", false)
			was := configured(test.from, given{"cores": 2, leave: true})
			o := d.MustApply(ctx, vmType, nil, was)
			before := onlyMachine(t, e)
			e.AddMachine("other", emulator.DefaultGroup, emulator.Machine{Name: "web1"})
			d = e.NewDriver(t, nil)
			plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(test.from, test.to, given{"cores": 4, leave: true, "keymap": "de"}))
			diags := plan.Errors()
			if plan.Action != refused {
				o, diags = d.Apply(ctx, vmType, plan)
			}
			acctest.ExpectError(t, acctest.Errors(diags), test.says...)
			if is, _ := e.Machine(before.ID); is.GroupID != before.GroupID || is.Name != "web1" || is.Cores != 2 || is.Keymap != "" || !is.PowerOn || !is.AutorebootOn {
				t.Errorf("the machine is %+v", is)
			}
			d.ExpectPlan(ctx, o, was, noop)
		})
	}
}

// TestMoveLostAnswer loses the answer to the PUT that moves the machine. A move is not repeated, because its path may lead
// to another machine by then. The state has the new location, and the next apply does the rest.
func TestMoveLostAnswer(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]given{
		"another group":   {"group": "private"},
		"another account": {"account": "other"},
	} {
		inWorldNamed(t, name, emulator.Options{}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			e.AddAccount("other", false)
			o := d.MustApply(t.Context(), vmType, nil, configured(given{"cores": 2, leave: true}))
			id := onlyMachine(t, e).ID
			var namesake int64
			fault := refuse("PUT", "", `"group_id"`, 1)
			fault.Status, fault.Rewrite = 0, func(int, http.Header, []byte) (int, http.Header, []byte) {
				namesake = e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: idOf(id)})
				return http.StatusGatewayTimeout, http.Header{}, nil
			}
			e.Inject(fault)
			config := configured(to, given{"cores": 4, leave: true})
			o = expectFailure(t, d, o, config, "Cannot move")
			applyCleanly(t, d, e, o, config, stop+"PUT cores=4; "+start)
			if stranger, _ := e.Machine(namesake); stranger.Group != emulator.DefaultGroup {
				t.Errorf("another machine was moved: %+v", stranger)
			}
			if is, _ := e.Machine(id); !is.PowerOn || !is.AutorebootOn || is.Cores != 4 {
				t.Errorf("the machine is %+v", is)
			}
		})
	}
}
