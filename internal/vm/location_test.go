package vm_test

import (
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
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot find the group of virtual machine "web1"`, "500", "The state is unchanged")
		expectState(t, kept, given{"group": "default", "account": "demo"})
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

// TestHiddenAccount: with credentials that cannot see the account, no operation concludes that a machine is gone.
func TestHiddenAccount(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(image))
		destroy := d.Plan(ctx, vmType, o, nil)
		e.AddAccount("other", false)
		e.AddUser(emulator.User{Name: "them", Accounts: []string{"other"}})
		e.AddAPIKey(emulator.APIKey{Key: "apikey.them", User: "them"})
		e.ResetJournal()
		theirs := func() *acctest.Driver { return e.NewDriver(t, given{"token": "apikey.them"}) }

		kept, diags := theirs().Refresh(ctx, o)
		acctest.ExpectError(t, diags, "error at account:", `Cannot read virtual machine "web1"`, `cannot see account "demo"`, "The state is unchanged")
		destroyed, failures := theirs().Apply(ctx, vmType, destroy)
		acctest.ExpectError(t, failures, `Cannot delete virtual machine "web1"`, `cannot see account "demo"`, "stays in the state")
		if kept == nil || destroyed == nil {
			t.Fatal("the machine has left the state")
		}
		_, diags = theirs().Import(ctx, vmType, o.Get("id").(string))
		acctest.ExpectError(t, diags, "Cannot import virtual machine "+o.Get("id").(string))
		acctest.ExpectError(t, theirs().Plan(ctx, vmType, nil, named("web2")).Diagnostics, "error at account:", `"demo"`)
		_, diags = theirs().ReadData(ctx, vmType, object{"id": o.Get("id")})
		acctest.ExpectError(t, diags, "error at id:", "visible to these credentials")
		_, diags = theirs().Invoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": o.Get("id"), "state": "stop"})
		acctest.ExpectError(t, diags, "whether these credentials see")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, o, configured(image), noop)
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

// TestGroupThatThisRunCreates: nothing is asked for a group that does not exist yet.
func TestGroupThatThisRunCreates(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		planner := e.NewDriver(t, nil)
		group := planner.Plan(ctx, "cloudserver_group", nil, object{"name": "blue"})
		e.ResetJournal()
		plan := planner.Plan(ctx, vmType, nil, configured(given{"group": "blue"}))
		if calls := e.AllCalls(); plan.Action != create || len(calls) > 0 || len(plan.Diagnostics) > 0 {
			t.Errorf("%s, asked %v\n%s", plan.Action, calls, acctest.DiagText(plan.Diagnostics))
		}
		applier := e.NewDriver(t, nil)
		if _, diags := applier.Apply(ctx, "cloudserver_group", group); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		expectState(t, mustApply(t, applier, plan), given{"group": "blue"})
	})
}
