package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestPlaceOfAGroupWithDots: a hostname such as web1.team.a.demo.… cannot be
// split, so group and account come from the groups that the service lists.
func TestPlaceOfAGroupWithDots(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(ctx *dotted) *acctest.Object{
		"created":        func(c *dotted) *acctest.Object { return c.made },
		"imported by ID": func(c *dotted) *acctest.Object { return c.imported(c.d.Import(c.t.Context(), vmType, c.id)) },
		"imported by identity": func(c *dotted) *acctest.Object {
			return c.imported(c.d.ImportByIdentity(c.t.Context(), vmType, object{"id": c.id}))
		},
		"imported by name": func(c *dotted) *acctest.Object {
			return c.imported(c.d.Import(c.t.Context(), vmType, "demo/team.a/web1"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, emulator.Options{DottedGroups: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				e.AddAccount("a", false) // that a wrong split would find
				e.AddGroup("a", "team", false)
				team := e.AddGroup(emulator.DemoAccount, "team.a", false)
				config := configured(image, given{"group": "team.a"})
				made := d.MustApply(ctx, vmType, nil, config)
				c := &dotted{t, e.NewDriver(t, nil), made.Get("id").(string), made}
				o := c.d.MustRefresh(ctx, test(c))
				expectState(t, o, given{"account": "demo", "group": "team.a", "group_id": idOf(team)})
				c.d.ExpectPlan(ctx, o, config, noop)
				data, diags := c.d.ReadData(ctx, vmType, object{"id": c.id})
				if acctest.HasErrors(diags) || data.Get("group") != "team.a" || data.Get("account") != "demo" {
					t.Errorf("the data source tells %v of %v\n%s", data.Get("group"), data.Get("account"), acctest.DiagText(diags))
				}
				c.d.MustInvoke(ctx, "cloudserver_vm_power", object{"virtual_machine_id": c.id, "state": "stop"})
				c.d.MustApply(ctx, vmType, o, nil)
				if left := e.Machines(); len(left) > 0 {
					t.Errorf("left: %+v", left)
				}
			})
		})
	}
}

// dotted is what a case of TestPlaceOfAGroupWithDots has.
type dotted struct {
	t    *testing.T
	d    *acctest.Driver
	id   string
	made *acctest.Object
}

func (c *dotted) imported(o *acctest.Object, diags any) *acctest.Object {
	c.t.Helper()
	if o == nil {
		c.t.Fatal(diags)
	}
	return o
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

// TestPlaceIsAskedOnceARun however many machines need it.
func TestPlaceIsAskedOnceARun(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		for _, name := range []string{"web1", "web2", "web3"} {
			e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: name})
		}
		d := e.NewDriver(t, nil)
		e.ResetJournal()
		for _, m := range e.Machines() {
			if _, diags := d.Import(ctx, vmType, idOf(m.ID)); acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
		}
		asked := 0
		for _, call := range e.AllCalls() {
			if strings.HasSuffix(call, "/groups") || strings.HasSuffix(call, "/accounts") {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times: %q", asked, e.AllCalls())
		}
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
