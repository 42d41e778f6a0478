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

// TestPlaceOfAMachineWithDotsInItsName reads group and account from what follows
// the name.
func TestPlaceOfAMachineWithDotsInItsName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	id := e.AddMachine("other", emulator.DefaultGroup, emulator.Machine{Name: "web.example"})
	o, diags := d.Import(ctx, vmType, fmt.Sprint(id))
	if len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	expectState(t, o, given{"name": "web.example", "group": "default", "account": "other"})

	// It is renamed, and moved to where only the host name tells.
	private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
	meanwhile(t, e, func(m *emulator.Machine) { m.Name, m.GroupID = "db.example", private })
	expectState(t, d.MustRefresh(ctx, o), given{"name": "db.example", "group": "private", "account": "demo"})
}

// TestPlaceOfAMachineWithoutAHostName comes from the groups that the service
// lists.
func TestPlaceOfAMachineWithoutAHostName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1", Cores: 2, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	hostname := regexp.MustCompile(`"hostname":"[^"]*",?`)
	e.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
		return status, header, hostname.ReplaceAll(body, nil)
	}})
	o, diags := d.Import(ctx, vmType, fmt.Sprint(id))
	if len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	expectState(t, o, given{"group": "private", "account": "demo", "hostname": nil})
	e.ResetJournal()
	config := configured(given{"group": "private", "cores": 4, "reimage": nil})
	o = d.MustApply(ctx, vmType, o, config)
	expectSent(t, e, "PUT cores=4")
	d.ExpectPlan(ctx, o, config, noop)
}

// TestPlaceRenamedInTheSameApply: the group of a machine is renamed between the plan
// of the machine and its apply, as another resource of the configuration does. The
// next refresh has the new name.
func TestPlaceRenamedInTheSameApply(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		place := given{"group_id": idOf(e.AddGroup(emulator.DemoAccount, "old", false)), "reimage": nil}
		o := d.MustApply(ctx, vmType, nil, configured(place))
		config := configured(place, given{"name": "web2"})
		plan := d.Plan(ctx, vmType, o, config)
		if err := e.RenameGroup(emulator.DemoAccount, "old", "new"); err != nil {
			t.Fatal(err)
		}
		o, diags := d.Apply(ctx, vmType, plan)
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		o = e.NewDriver(t, nil).MustRefresh(ctx, o)
		expectState(t, o, given{"name": "web2", "group": "new"})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestPlaceThatIsNamedByDigits moves to the group of that name, not to the one
// that has it for its id.
func TestPlaceThatIsNamedByDigits(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		wanted := e.AddGroup(emulator.DemoAccount, "2024", false)
		o := d.MustApply(ctx, vmType, nil, configured())
		config := configured(given{"group": "2024"})
		o = d.MustApply(ctx, vmType, o, config)
		if is := only(t, e); is.GroupID != wanted {
			t.Errorf("in group %d, want %d", is.GroupID, wanted)
		}
		expectState(t, o, given{"group": "2024", "group_id": fmt.Sprint(wanted)})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestPlaceOfAGroupWithDots: a hostname such as web1.team.a.demo.… cannot be
// split, so group and account come from the groups that the service lists.
func TestPlaceOfAGroupWithDots(t *testing.T) {
	inWorld(t, emulator.Options{DottedGroups: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddAccount("a", false) // that a wrong split would find
		e.AddGroup("a", "team", false)
		team := e.AddGroup(emulator.DemoAccount, "team.a", false)
		config := configured(image, given{"group": "team.a"})
		id := d.MustApply(ctx, vmType, nil, config).Get("id").(string)
		d = e.NewDriver(t, nil)
		o, diags := d.Import(ctx, vmType, id)
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		expectState(t, d.MustRefresh(ctx, o), given{"account": "demo", "group": "team.a", "group_id": idOf(team)})
		data, diags := d.ReadData(ctx, vmType, object{"id": id})
		if acctest.HasErrors(diags) || data.Get("group") != "team.a" || data.Get("account") != "demo" {
			t.Errorf("the data source tells %v of %v\n%s", data.Get("group"), data.Get("account"), acctest.DiagText(diags))
		}
		d.MustInvoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": id, "state": "stop"})
		d.MustApply(ctx, vmType, o, nil)
	})
}

// TestPlaceAfterAMoveIntoAGroupWithDots is drift of the group, and nothing else.
func TestPlaceAfterAMoveIntoAGroupWithDots(t *testing.T) {
	inWorld(t, emulator.Options{DottedGroups: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddAccount("a", false)
		e.AddGroup("a", "team", false)
		team := e.AddGroup(emulator.DemoAccount, "team.a", false)
		o := d.MustApply(ctx, vmType, nil, configured(image, given{"account": "demo", "group": "default"}))
		meanwhile(t, e, func(m *emulator.Machine) { m.GroupID = team })
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"account": "demo", "group": "team.a"})
		e.ResetJournal()
		plan := d.ExpectPlan(ctx, o, configured(image, given{"account": "demo", "group": "default"}), update)
		if _, diags := d.Apply(ctx, vmType, plan); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		expectSent(t, e, "PUT group_id=#")
	})
}

// TestPlaceThatCannotBeAsked leaves the state as it is.
func TestPlaceThatCannotBeAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		d := e.NewDriver(t, map[string]any{"max_retries": 0})
		o := d.MustApply(ctx, vmType, nil, configured())
		private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
		meanwhile(t, e, func(m *emulator.Machine) { m.GroupID = private })
		e.Inject(emulator.Fault{Status: http.StatusInternalServerError, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/groups") }})
		d = e.NewDriver(t, map[string]any{"max_retries": 0})
		kept, diags := d.Refresh(ctx, o)
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot find the group of", "The state is unchanged")
		expectState(t, kept, given{"group": "default", "account": "demo"})
	})
}
