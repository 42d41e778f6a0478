// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLocationOfNamesWithDots: a hostname such as web.example.team.a.demo.… cannot be split, so group and account are
// found in the groups that the service lists. Only the group drifts if the machine is moved.
func TestLocationOfNamesWithDots(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddAccount("a", false) // that a wrong split would find
		e.AddGroup("a", "team", false)
		team := e.AddGroup(emulator.DemoAccount, "team.a", false)
		config := configured(image, given{"account": "demo", "group": "team.a"})
		id := d.MustApply(ctx, vmType, nil, config).Get("id").(string)
		changeMachine(t, e, func(m *emulator.Machine) { m.Name = "web.example" })
		d = e.NewDriver(t, nil)
		o := mustImport(t, d, id)
		expectState(t, d.MustRefresh(ctx, o), given{"account": "demo", "group": "team.a", "group_id": idOf(team), "name": "web.example"})
		data, diags := d.ReadData(ctx, vmType, object{"id": id})
		if acctest.HasErrors(diags) || data.Get("group") != "team.a" || data.Get("account") != "demo" {
			t.Errorf("the data source tells %v of %v\n%s", data.Get("group"), data.Get("account"), acctest.DiagText(diags))
		}
		d.MustInvoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": id, "state": "stop"})

		private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
		changeMachine(t, e, func(m *emulator.Machine) { m.Name, m.GroupID = "db.example", private })
		e.ResetJournal()
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"name": "db.example", "group": "private", "account": "demo"})
		d.MustApply(ctx, vmType, o, config)
		expectSent(t, e, "PUT group_id=# name=web1")
	})
}

// TestLocationThatCannotBeAsked: if the groups cannot be listed, the state stays as it is.
func TestLocationThatCannotBeAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured())
		private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
		changeMachine(t, e, func(m *emulator.Machine) { m.GroupID = private })
		e.Inject(emulator.Fault{Status: http.StatusInternalServerError, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/groups") }})
		kept, diags := e.NewDriver(t, given{"max_retries": 0}).Refresh(t.Context(), o)
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot find the group of virtual machine "web1"`, "500", "The state is unchanged")
		expectState(t, kept, given{"group": "default", "account": "demo"})
	})
}

// TestLocationOfAGroupThatIsNotListed: an import knows only the ID of the group.
func TestLocationOfAGroupThatIsNotListed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured())
		e.Inject(emulator.Fault{
			Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/groups") },
			Status: http.StatusForbidden,
		})
		imported := mustImport(t, e.NewDriver(t, nil), o.Get("id").(string))
		expectState(t, imported, given{"account": emulator.DemoAccount, "group": o.Get("group_id")})
	})
}

// TestGroupRenamed: a machine moves to the group that has the configured name now.
func TestGroupRenamed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx, config := t.Context(), configured(given{"group": "prod"})
		e.AddGroup(emulator.DemoAccount, "prod", false)
		o := d.MustApply(ctx, vmType, nil, config)
		d.MustApply(ctx, "cloudserver_group", d.MustImport(ctx, "cloudserver_group", "demo/prod"), object{"name": "old"})
		wanted := e.AddGroup(emulator.DemoAccount, "prod", false)
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"group": "old"})
		o = mustApply(t, d, d.ExpectPlan(ctx, o, config, update))
		expectState(t, o, given{"group": "prod", "group_id": idOf(wanted)})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestGroupThatWasRenamedBefore: with -refresh=false after -target of the group, the machine's state has the old name.
func TestGroupThatWasRenamedBefore(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		group := d.MustApply(ctx, "cloudserver_group", nil, object{"name": "blue"})
		o := d.MustApply(ctx, vmType, nil, configured(given{"group": "blue"}))
		group = d.MustApply(ctx, "cloudserver_group", group, object{"name": "green"})
		d = e.NewDriver(t, nil)
		d.Plan(ctx, "cloudserver_group", group, object{"name": "green"})
		plan := d.Plan(ctx, vmType, o, configured(given{"group": "green"}))
		if len(plan.Diagnostics) > 0 || plan.Get("ipv4_address") != o.Get("ipv4_address") {
			t.Errorf("%v\n%s", plan.Changes(), acctest.DiagText(plan.Diagnostics))
		}
	})
}

// TestGroupThatThisRunRenames: a machine that refers to the name of the group stays in it. Its addresses are known at
// plan, nothing is sent, and its hostname is correct after the apply. If the group's plan is not known, as with another
// alias of the provider, the machine moves.
func TestGroupThatThisRunRenames(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		in := func(group string) object { return configured(given{"group": group}) }
		group := d.MustApply(ctx, "cloudserver_group", nil, object{"name": "blue"})
		o := d.MustApply(ctx, vmType, nil, in("blue"))
		planner := e.NewDriver(t, nil)
		group, o = planner.MustRefresh(ctx, group), planner.MustRefresh(ctx, o)
		renamed := planner.Plan(ctx, "cloudserver_group", group, object{"name": "green"})
		plan := planner.ExpectPlan(ctx, o, in("green"), update)
		stays := given{"ipv4_address": o.Get("ipv4_address"), "group_id": o.Get("group_id"), "hostname": acctest.Unknown}
		for path, want := range stays {
			if got := plan.Get(path); got != want {
				t.Errorf("%s is planned as %v, want %v", path, got, want)
			}
		}
		if len(plan.Diagnostics) > 0 {
			t.Error(acctest.DiagText(plan.Diagnostics))
		}
		alias := e.NewDriver(t, nil)
		if moved := alias.Plan(ctx, vmType, alias.MustRefresh(ctx, o), in("green")); moved.Get("ipv4_address") != acctest.Unknown {
			t.Error("through an alias, the group may be another one")
		}
		applier := e.NewDriver(t, nil)
		if _, diags := applier.Apply(ctx, "cloudserver_group", renamed); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		e.ResetJournal()
		o = mustApply(t, applier, plan)
		expectSent(t, e, "")
		expectState(t, o, given{
			"group": "green", "group_id": group.Get("id"), "ipv4_address": plan.Get("ipv4_address"), "hostname": "web1.green.demo." + emulator.ClusterDomain,
		})
		later := e.NewDriver(t, nil)
		later.ExpectPlan(ctx, later.MustRefresh(ctx, o), in("green"), noop)
	})
}

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
