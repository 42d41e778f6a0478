package vm_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNameTakenAtARename plans renames and moves to names that other machines have, with a provider that has read nothing
// yet. In some cases the same apply has just renamed the group, so it has another name than in the state.
func TestNameTakenAtARename(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
		e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
		in := given{"group_id": idOf(e.AddGroup(emulator.DemoAccount, "blue", false))}
		e.AddMachine(emulator.DemoAccount, "blue", emulator.Machine{Name: "taken"})
		first, second := d.MustApply(ctx, vmType, nil, named("web1")), d.MustApply(ctx, vmType, nil, named("web2"))
		third := d.MustApply(ctx, vmType, nil, named("web3", in))
		if err := e.RenameGroup(emulator.DemoAccount, "blue", "red"); err != nil {
			t.Fatal(err)
		}
		d = e.NewDriver(t, nil)
		for _, test := range []struct {
			of    *acctest.Object
			to    object
			warns string // "" for none
		}{
			{of: first, to: named("web1", given{"cores": 1})},
			{
				of:    second,
				to:    named("taken"),
				warns: ` in group "default" of account "demo" has the name "taken"`,
			},
			{
				of:    first,
				to:    named("taken"),
				warns: ` in group "default" of account "demo" has the name "taken"`,
			},
			{of: first, to: named("free")},
			{of: first, to: named("web2")}, // its holder is in the state: the plan may free the name
			{
				of:    first,
				to:    named("web1", inPrivate),
				warns: ` in group "private" of account "demo" has the name "web1"`,
			},
			{of: first, to: named("free", inPrivate)},
			{of: third, to: named("free", in)},
			{of: third, to: named("taken", in), warns: "is taken"},
			{to: named("taken", in), warns: `in group "red"`}, // the group has a name although it is configured by its ID
		} {
			plan := d.Plan(ctx, vmType, test.of, test.to)
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action == refused || !strings.Contains(text, test.warns) || strings.Contains(text, "is taken") != (test.warns != "") {
				t.Errorf("%v to %v: %s\n%s", test.of, test.to, plan.Action, text)
			}
		}
	})
}

// TestNameOfAStranger: the update gives up within seconds. The machine keeps its name, and the error names the machine
// that has the wanted one. There is no wait for a soft-deleted machine.
func TestNameOfAStranger(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]bool{"live": false, "soft-deleted": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
			if deleted {
				e.SoftDelete(id)
			}
			o := d.MustApply(ctx, vmType, nil, named("web1"))
			for _, prior := range []*acctest.Object{o, nil} {
				e.ResetJournal()
				plan := d.Plan(ctx, vmType, prior, named("taken", given{"cores": 2, leave: true}))
				if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "warning at name") || !strings.Contains(text, fmt.Sprintf("id = %q", idOf(id))) {
					t.Errorf("the plan says\n%s", text)
				}
				began := time.Now()
				after := expectApplyFailure(t, d, plan, "error at name: Cannot", "has already been taken", idOf(id))
				switch took := time.Since(began); {
				case took > 15*time.Second, deleted && took > time.Second:
					t.Errorf("took %s", took)
				case prior == nil:
					continue
				case after.Get("name") != "web1" || after.Get("cores") != o.Get("cores"):
					t.Errorf("the state has %v", after.Get(""))
				case deleted:
					expectSent(t, e, "PUT name=taken")
				}
			}
		})
	}
}
