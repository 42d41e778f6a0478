package vm_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLocationOfNamesWithDots: a hostname such as web.example.team.a.demo.… cannot be split, so group and account are
// found in the groups that the service lists. Only the group drifts if the machine is moved.
func TestLocationOfNamesWithDots(t *testing.T) {
	inWorld(t, emulator.Options{DottedGroups: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
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

// TestLocationOfAMachineWithoutAHostName: group and account are found in the groups that the service lists.
func TestLocationOfAMachineWithoutAHostName(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := addImportable(e)
		hostname := regexp.MustCompile(`"hostname":"[^"]*",?`)
		e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
			return status, header, hostname.ReplaceAll(body, nil)
		}})
		o := mustImport(t, d, idOf(id))
		expectState(t, o, given{"group": "private", "account": "demo", "hostname": nil})
		config := reportedConfig()
		config["cores"] = 1
		applyCleanly(t, d, e, o, config, "PUT cores=1")
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
		acctest.ExpectError(t, acctest.Errors(diags), "error at hostname: Cannot read", "cannot tell which group that is in", "500", "The state is unchanged")
		expectState(t, kept, given{"group": "default", "account": "demo"})
	})
}

// TestGroupRenamed: a machine whose group is configured by ID stays in it, even if the same apply has just renamed the
// group. A machine whose group is configured by name moves to the group that has the name now.
func TestGroupRenamed(t *testing.T) {
	t.Parallel()
	for name, byID := range map[string]bool{"by its ID": true, "by its name": false} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			location := given{"group": "prod"}
			if id := e.AddGroup(emulator.DemoAccount, "prod", false); byID {
				location = given{"group_id": idOf(id)}
			}
			o := d.MustApply(ctx, vmType, nil, configured(location))
			d.ExpectPlan(ctx, o, configured(given{"group": "prod"}), noop) // the same location
			renames := d.Plan(ctx, vmType, o, configured(location, given{"name": "web2"}))
			if err := e.RenameGroup(emulator.DemoAccount, "prod", "old"); err != nil {
				t.Fatal(err)
			}
			wanted := e.AddGroup(emulator.DemoAccount, "prod", false)
			if byID {
				o = mustApply(t, d, renames)
			}
			d = e.NewDriver(t, nil)
			o = d.MustRefresh(ctx, o)
			expectState(t, o, given{"group": "old"})
			if byID {
				d.ExpectPlan(ctx, o, configured(location, given{"name": "web2"}), noop)
				return
			}
			o = mustApply(t, d, d.ExpectPlan(ctx, o, configured(location), update))
			expectState(t, o, given{"group": "prod", "group_id": idOf(wanted)})
			d.ExpectPlan(ctx, o, configured(location), noop)
		})
	}
}

// TestGroupByNameAndByID: group and group_id together are accepted if they are the same group, as -generate-config-out
// writes them, and refused if they are known to be different groups.
func TestGroupByNameAndByID(t *testing.T) {
	t.Parallel()
	both := configured(given{"group": "private", "group_id": privateID})
	two := configured(given{"group": "default", "group_id": privateID})
	nowhere := configured(given{"group": "private", "group_id": "99999"})
	const conflict = "error at group: Conflicting group and group_id"
	for _, checks := range []bool{true, false} {
		inBubbleNamed(t, fmt.Sprintf("plan_checks %t", checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			ctx, d := t.Context(), e.NewDriver(t, given{"plan_checks": checks})
			if checks {
				acctest.ExpectError(t, d.Plan(ctx, vmType, nil, two).Diagnostics, conflict)
				acctest.ExpectError(t, d.Plan(ctx, vmType, nil, nowhere).Errors(), "error at group_id: Conflicting group and group_id", "there is no group with the ID 99999")
			} else {
				expectApplyFailure(t, d, d.Plan(ctx, vmType, nil, two), "error at group: Cannot create", "not \"default\"", "Nothing was created.")
				expectApplyFailure(t, d, d.Plan(ctx, vmType, nil, nowhere), "error at group_id: Cannot create", "there is no group with the ID 99999", "Nothing was created.")
				if len(e.Machines()) > 0 {
					t.Errorf("created %+v", e.Machines())
				}
			}
			o := d.MustApply(ctx, vmType, d.MustApply(ctx, vmType, nil, configured()), both) // instead of none
			d.ExpectPlan(ctx, o, both, noop)
			expectState(t, o, given{"group": "private", "group_id": privateID})
			other := groupID(e, emulator.DemoAccount, emulator.DefaultGroup)
			changeMachine(t, e, func(m *emulator.Machine) { m.GroupID = other })
			o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), both)
			d.ExpectPlan(ctx, o, both, noop)
			if checks {
				acctest.ExpectError(t, d.Plan(ctx, vmType, o, two).Diagnostics, conflict)
				acctest.ExpectError(t, d.Plan(ctx, vmType, o, nowhere).Errors(), "error at group_id: Conflicting group and group_id")
			} else {
				elsewhere := d.MustApply(ctx, vmType, o, configured(given{"group": "default"}))
				e.ResetJournal()
				expectApplyFailure(t, d, d.Plan(ctx, vmType, elsewhere, configured(given{"group": "wrong", "group_id": privateID})), "error at group: Cannot move", "not \"wrong\"")
				expectSent(t, e, "")
				d.MustApply(ctx, vmType, elsewhere, both)
			}
			expectState(t, d.MustApply(ctx, vmType, nil, configured(both, given{"name": "web2"})), given{"group": "private", "group_id": privateID})
		})
	}
}

// TestHiddenAccount: with credentials that cannot see the account, no operation concludes that a machine is gone.
func TestHiddenAccount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(image))
		destroy := d.Plan(ctx, vmType, o, nil)
		e.AddAccount("other", false)
		e.AddUser("them", "test-only")
		e.RestrictUser("them", "other")
		e.AddAPIKey("apikey.them", "them")
		e.ResetJournal()
		theirs := func() *acctest.Driver { return e.NewDriver(t, given{"token": "apikey.them"}) }

		kept, diags := theirs().Refresh(ctx, o)
		acctest.ExpectError(t, diags, `Cannot read virtual machine "web1"`, `does not show the account "demo"`, "The state is unchanged", "state rm")
		destroyed, failures := theirs().Apply(ctx, vmType, destroy)
		acctest.ExpectError(t, failures, `Cannot delete virtual machine "web1"`, "The state is unchanged")
		if kept == nil || destroyed == nil {
			t.Fatal("the machine has left the state")
		}
		_, diags = theirs().Import(ctx, vmType, o.Get("id").(string))
		acctest.ExpectError(t, diags, "Cannot import virtual machine "+o.Get("id").(string))
		acctest.ExpectError(t, theirs().Plan(ctx, vmType, nil, named("web2")).Diagnostics, "error at account:", `"demo"`)
		_, diags = theirs().ReadData(ctx, vmType, object{"id": o.Get("id")})
		acctest.ExpectError(t, diags, "error at id:", "visible to these credentials")
		_, diags = theirs().Invoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": o.Get("id"), "state": "stop"})
		acctest.ExpectError(t, diags, "visible to these credentials")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, o, configured(image), noop)
	})
}

// TestGroupThatThisRunRenames: a machine that refers to the name of the group stays in it. Its addresses are known at
// plan, nothing is sent, and its hostname is correct after the apply. The same holds if the group's ID is also
// configured. If the group's plan is not known, as with another alias of the provider, the machine moves.
func TestGroupThatThisRunRenames(t *testing.T) {
	t.Parallel()
	for name, withID := range map[string]bool{"by its name": false, "by both": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			group := d.MustApply(ctx, "cloudserver_group", nil, object{"name": "blue"})
			location := func(name string) object {
				config := configured(given{"group": name})
				if withID {
					config["group_id"] = group.Get("id")
				}
				return config
			}
			o := d.MustApply(ctx, vmType, nil, location("blue"))
			planner := e.NewDriver(t, nil).OneRun()
			group, o = planner.MustRefresh(ctx, group), planner.MustRefresh(ctx, o)
			renamed := planner.Plan(ctx, "cloudserver_group", group, object{"name": "green"})
			plan := planner.Plan(ctx, vmType, o, location("green"))
			if plan.Action != update || len(plan.Diagnostics) > 0 || plan.Get("ipv4_address") != o.Get("ipv4_address") || plan.Get("group_id") != o.Get("group_id") || plan.Get("hostname") != acctest.Unknown {
				t.Errorf("%s: address %v, group_id %v, hostname %v\n%s", plan.Action, plan.Get("ipv4_address"), plan.Get("group_id"), plan.Get("hostname"), acctest.DiagText(plan.Diagnostics))
			}
			alias := e.NewDriver(t, nil).OneRun()
			if alias := alias.Plan(ctx, vmType, alias.MustRefresh(ctx, o), configured(given{"group": "green"})); alias.Get("ipv4_address") != acctest.Unknown {
				t.Error("through an alias, the group may be another one")
			}
			applier := e.NewDriver(t, nil).OneRun()
			if _, diags := applier.Apply(ctx, "cloudserver_group", renamed); acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			e.ResetJournal()
			o = mustApply(t, applier, plan)
			expectSent(t, e, "")
			expectState(t, o, given{"group": "green", "group_id": group.Get("id"), "ipv4_address": plan.Get("ipv4_address"), "hostname": "web1.green.demo." + emulator.ClusterDomain})
			later := e.NewDriver(t, nil)
			later.ExpectPlan(ctx, later.MustRefresh(ctx, o), location("green"), noop)
		})
	}
}
