package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestMoveAndRenameAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		was := only(t, e)
		e.ResetJournal()
		config := configured(inPrivate, given{"name": "web2", "disc": discs("vda:30000")})
		plan := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
		for _, path := range []string{"hostname", "group_id", "ipv4_address"} {
			if plan.Get(path) != acctest.Unknown {
				t.Errorf("%s is planned as %v, though it may change", path, plan.Get(path))
			}
		}
		o = d.MustApply(ctx, vmType, o, config)
		expectSent(t, e, "PUT group_id=# name=web2; PUT disc size=30000")
		is := only(t, e)
		if is.ID != was.ID || is.Discs[0].ID != was.Discs[0].ID || is.Group != "private" {
			t.Errorf("the machine is %+v", is)
		}
		expectState(t, o, given{"hostname": "web2.private.demo." + emulator.ClusterDomain, "group": "private", "group_id": fmt.Sprint(is.GroupID), "name": "web2"})
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	})
}

func TestMoveThatTheServiceRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to   given
		says []string
	}{
		"the name is taken in the new group": {given{"group": "private", "keymap": "de"}, []string{"error at name:", "has already been taken"}},
		"there is no such group":             {given{"group": "nowhere", "keymap": "de"}, []string{`Cannot move`, "error at group:", `Account "demo" has no group "nowhere"`, "Nothing was changed.", `"default", "private"`}},
		"the name is taken in its own group": {given{"name": "neighbour", "keymap": "de"}, []string{"error at name:", "has already been taken"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true}))
				id := only(t, e).ID
				e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
				e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "neighbour"})
				config := configured(test.to, given{"cores": 4, leave: true})
				kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
				acctest.ExpectError(t, acctest.Errors(diags), append(test.says, `virtual machine "web1"`)...)
				m, _ := e.Machine(id)
				if m.Group != "default" || m.Name != "web1" || m.Cores != 2 || m.Keymap != "" || !m.PowerOn || !m.AutorebootOn {
					t.Errorf("the machine is %+v", m)
				}
				expectState(t, kept, given{"group": "default", "name": "web1", "cores": int64(2), "keymap": nil, "power_on": true, "autoreboot_on": true})
				d.ExpectPlan(ctx, kept, configured(given{"cores": 2, leave: true}), acctest.ActionNoOp)
			})
		})
	}
}

// TestMoveElsewhereIsDrift follows a machine that somebody renamed and moved,
// and takes it back.
func TestMoveElsewhereIsDrift(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(given{"group": "default"})
		o := d.MustApply(ctx, vmType, nil, config)
		private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
		meanwhile(t, e, func(m *emulator.Machine) { m.GroupID, m.Name = private, "strayed" })
		e.ResetJournal()
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"group": "private", "name": "strayed", "group_id": fmt.Sprint(private)})
		plan := d.ExpectPlan(ctx, o, config, acctest.ActionUpdate)
		if changes := strings.Join(plan.Changes(), " "); !strings.Contains(changes, "group") || !strings.Contains(changes, "name") {
			t.Errorf("the plan changes %s", changes)
		}
		o = d.MustApply(ctx, vmType, o, config)
		expectSent(t, e, "PUT group_id=# name=web1")
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	})
}

// TestMoveKeepsTheBlockIPs: the block holds what the machine was created with, and
// a move to another network is no reason for a new machine.
func TestMoveKeepsTheBlockIPs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(addressed))
		config := configured(addressed, given{"group": "default"})
		o = d.MustApply(ctx, vmType, o, config)
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
	})
}
