package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNameTakenAtARename plans renames and moves of machines onto names that
// others have, with a provider that has read nothing yet.
func TestNameTakenAtARename(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
		e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
		first := d.MustApply(ctx, vmType, nil, configured())
		second := d.MustApply(ctx, vmType, nil, configured(given{"name": "web2"}))
		d = e.NewDriver(t, nil)
		e.ResetJournal()
		for _, test := range []struct {
			of    *acctest.Object
			to    given
			warns string // "" for none
		}{
			{first, given{"cores": 1}, ""},
			{second, given{"name": "taken"}, `The name "taken" is taken in group "default" of account "demo"`},
			{first, given{"name": "taken"}, `The name "taken" is taken in group "default" of account "demo"`},
			{first, given{"name": "free"}, ""},
			{first, given{"name": "web2"}, ""}, // its holder is in the state: the plan may free the name
			{first, given{"group": "private"}, `The name "web1" is taken in group "private" of account "demo"`},
			{first, given{"group": "private", "name": "free"}, ""},
		} {
			plan := d.Plan(ctx, vmType, test.of, configured(given{"name": test.of.Get("name")}, test.to))
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action == refused || !strings.Contains(text, test.warns) || strings.Contains(text, "is taken") != (test.warns != "") {
				t.Errorf("%v to %v: %s\n%s", test.of.Get("name"), test.to, plan.Action, text)
			}
		}
	})
}

// TestRenameInAGroupThatWasRenamed: the group has another name than in the state,
// because the same apply has just renamed it. The machine stays in it.
func TestRenameInAGroupThatWasRenamed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		group := d.MustApply(ctx, "cloudserver_group", nil, given{"name": "web"})
		in := given{"group_id": group.Get("id")}
		o := d.MustApply(ctx, vmType, nil, configured(in))
		e.AddMachine(emulator.DemoAccount, "web", emulator.Machine{Name: "taken"})
		if err := e.RenameGroup(emulator.DemoAccount, "web", "web2"); err != nil {
			t.Fatal(err)
		}
		d = e.NewDriver(t, nil)
		for name, warns := range map[string]string{"free": "", "taken": `The name "taken" is taken`} {
			text := acctest.DiagText(d.Plan(ctx, vmType, o, configured(in, given{"name": name})).Diagnostics)
			if !strings.Contains(text, warns) || warns == "" && text != "" {
				t.Errorf("%s: want %q, got:\n%s", name, warns, text)
			}
		}
	})
}
