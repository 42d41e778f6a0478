package vm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNameTakenAtARename plans renames and moves to names that other machines have, with a provider that has read nothing
// yet.
func TestNameTakenAtARename(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
		e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
		in := given{"group": "blue"}
		e.AddGroup(emulator.DemoAccount, "blue", false)
		e.AddMachine(emulator.DemoAccount, "blue", emulator.Machine{Name: "taken"})
		first, second := d.MustApply(ctx, vmType, nil, named("web1")), d.MustApply(ctx, vmType, nil, named("web2"))
		third := d.MustApply(ctx, vmType, nil, named("web3", in))
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
				warns: `has the name "taken"`,
			},
			{
				of:    first,
				to:    named("taken"),
				warns: `has the name "taken"`,
			},
			{of: first, to: named("free")},
			{
				of:    first,
				to:    named("web1", inPrivate),
				warns: `has the name "web1"`,
			},
			{of: first, to: named("free", inPrivate)},
			{of: third, to: named("free", in)},
			{of: third, to: named("taken", in), warns: "is taken"},
			{to: named("taken", in), warns: "import {"},
		} {
			plan := d.Plan(ctx, vmType, test.of, test.to)
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action == refused || !strings.Contains(text, test.warns) || strings.Contains(text, "is taken") != (test.warns != "") {
				t.Errorf("%v to %v: %s\n%s", test.of, test.to, plan.Action, text)
			}
		}
	})
}

// TestNameOfAStranger: the apply tries for half a minute, because it may still be deleting the machine that has the name.
// The machine keeps its name, and the error names the one that has the wanted name.
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
				if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "warning at name") || !strings.Contains(text, "machine "+idOf(id)+" has the name") {
					t.Errorf("the plan says\n%s", text)
				}
				began := time.Now()
				after := expectApplyFailure(t, d, plan, "error at name: Cannot", "machine "+idOf(id)+" has the name")
				switch took := time.Since(began); {
				case took > time.Minute:
					t.Errorf("took %s", took)
				case prior == nil:
					continue
				case after.Get("name") != "web1" || after.Get("cores") != o.Get("cores"):
					t.Errorf("the state has %v", after.Get(""))
				case strings.Trim(strings.ReplaceAll(sent(e), "PUT name=taken", ""), "; ") != "":
					t.Errorf("sent %s", sent(e))
				}
			}
		})
	}
}
