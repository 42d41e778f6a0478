package vm_test

import (
	"fmt"
	"net/http"
	"regexp"
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
