package vm_test

import (
	"fmt"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestMoveToAnotherAccount moves the machine in place, to the group of the same
// name or to the one with the configured ID, and goes on with it there.
func TestMoveToAnotherAccount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to    func(blue int64) given
		group string
	}{
		"the group of the same name": {func(int64) given { return given{"account": "other"} }, "default"},
		"another group":              {func(int64) given { return given{"account": "other", "group": "blue"} }, "blue"},
		"the group with an ID":       {func(blue int64) given { return given{"account": "other", "group_id": fmt.Sprint(blue)} }, "blue"},
		"by the ID alone":            {func(blue int64) given { return given{"group_id": fmt.Sprint(blue)} }, "blue"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				e.AddAccount("other", false)
				to := test.to(e.AddGroup("other", "blue", false))
				o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
				was := only(t, e)
				d = e.NewDriver(t, nil)
				e.ResetJournal()
				config := configured(to, given{"cores": 4, leave: true, "disc": discs("vda:30000")})
				plan := d.ExpectPlan(ctx, o, config, update)
				if len(plan.Diagnostics) != 2 { // the restart and the move
					t.Errorf("the plan says\n%s", acctest.DiagText(plan.Diagnostics))
				}
				o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
				expectSent(t, e, "PUT group_id=#; "+stop+"PUT cores=4; PUT disc size=30000; "+start)
				is := only(t, e)
				if is.ID != was.ID || is.Discs[0].ID != was.Discs[0].ID || is.Account != "other" || is.Group != test.group {
					t.Errorf("the machine is %+v", is)
				}
				expectState(t, o, given{"account": "other", "group": test.group, "group_id": fmt.Sprint(is.GroupID)})
				d.ExpectPlan(ctx, o, config, noop)
			})
		})
	}
}

// TestMoveToAnAccountWithoutTheGroup is refused before anything is stopped.
func TestMoveToAnAccountWithoutTheGroup(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to given
		says     []string
	}{
		"no group of that name":      {inPrivate, given{"account": "other", "group": "private"}, []string{"error at group: Cannot move", `Account "other" has no group "private"`}},
		"the same, left out":         {inPrivate, given{"account": "other"}, []string{"error at group: Cannot move", `Account "other" has no group "private"`}},
		"no such account":            {nil, given{"account": "othr"}, []string{"error at account:", `There is no account "othr"`, `"other"`}},
		"a group of another account": {nil, given{"account": "demo", "group_id": "1005"}, []string{"error at account: Cannot move", `belongs to the account "other", not to "demo"`}},
		"no such group ID":           {nil, given{"group_id": "999"}, []string{"error at group_id:", "no group with the ID 999"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				e.AddAccount("other", false)
				o := d.MustApply(ctx, vmType, nil, configured(test.from, given{"cores": 2, leave: true}))
				was := only(t, e)
				e.ResetJournal()
				plan := d.Plan(ctx, vmType, o, configured(test.to, given{"cores": 4, leave: true}))
				diags := plan.Errors()
				if plan.Action != refused {
					_, applied := d.Apply(ctx, vmType, plan)
					diags = acctest.Errors(applied)
				}
				acctest.ExpectError(t, diags, test.says...)
				expectSent(t, e, "")
				if is := only(t, e); is.GroupID != was.GroupID || !is.PowerOn {
					t.Errorf("the machine is %+v", is)
				}
			})
		})
	}
}

// TestMoveLostAnswer loses the answer to the PUT that moves the machine: the
// retry looks for the machine where it was going, and the machine comes back on.
func TestMoveLostAnswer(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]given{
		"another group":   {"group": "private"},
		"another account": {"account": "other"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, emulator.Options{IDsWin: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				e.AddAccount("other", false)
				o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
				id := only(t, e).ID
				config := configured(to, given{"cores": 4, leave: true})
				plan := d.Plan(ctx, vmType, o, config)
				lost := refuse("PUT", "", `"group_id"`, 1)
				lost.Status, lost.Cut, lost.AfterEffect = 0, true, true
				e.Inject(lost)
				namesake := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: idOf(id)})
				e.ResetJournal()
				o, diags := d.Apply(ctx, vmType, plan)
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				expectSent(t, e, "PUT group_id=#; "+stop+"PUT cores=4; "+start)
				if stranger, _ := e.Machine(namesake); stranger.Group != emulator.DefaultGroup {
					t.Errorf("another machine was moved: %+v", stranger)
				}
				if is, _ := e.Machine(id); !is.PowerOn || !is.AutorebootOn || is.Cores != 4 {
					t.Errorf("the machine is %+v", is)
				}
				d.ExpectPlan(ctx, o, config, noop)
			})
		})
	}
}

// TestGroupIDFollowsARename plans nothing for a machine that names its group by
// its ID when the group is renamed.
func TestGroupIDFollowsARename(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(given{"group_id": privateID})
		o := d.MustApply(ctx, vmType, nil, config)
		d.ExpectPlan(ctx, o, configured(inPrivate), noop) // the same place
		if err := e.RenameGroup(emulator.DemoAccount, "private", "secret"); err != nil {
			t.Fatal(err)
		}
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"group": "secret", "group_id": privateID})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestGroupNameTakenByAnotherGroup: the group was renamed, and another one has
// its name now. The configuration means the name, so the machine moves.
func TestGroupNameTakenByAnotherGroup(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddGroup(emulator.DemoAccount, "prod", false)
		config := configured(given{"group": "prod"})
		o := d.MustApply(ctx, vmType, nil, config)
		if err := e.RenameGroup(emulator.DemoAccount, "prod", "old"); err != nil {
			t.Fatal(err)
		}
		wanted := e.AddGroup(emulator.DemoAccount, "prod", false)
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"group": "old"})
		plan := d.ExpectPlan(ctx, o, config, update)
		if plan.Get("group") != "prod" {
			t.Errorf("the plan changes %v", plan.Changes())
		}
		o = d.MustApply(ctx, vmType, o, config)
		if is := only(t, e); is.GroupID != wanted {
			t.Errorf("in group %d, want %d", is.GroupID, wanted)
		}
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestMovedElsewhereWithoutAnAccount: somebody has moved the machine to another
// account, and the configuration names a group alone.
func TestMovedElsewhereWithoutAnAccount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddAccount("other", false)
		o := d.MustApply(ctx, vmType, nil, configured(inPrivate))
		o = d.MustApply(ctx, vmType, o, configured(given{"account": "other", "group": "default"}))
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, configured(inPrivate)).Diagnostics, "error at account: Missing account", `account = "other"`, `account = "demo"`)
		d.ExpectPlan(ctx, o, configured(inPrivate, given{"account": "demo"}), update)
		d.ExpectPlan(ctx, o, configured(), noop)
	})
}
