package vmaction_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestProtectedMachines: an action that loses data is refused, at plan and when it is
// invoked, for a machine that this process knows as protected: from a refresh, from a
// plan, or from the state alone, which is all that it gets with -refresh=false and
// -invoke. Nothing is sent.
func TestProtectedMachines(t *testing.T) {
	t.Parallel()
	const lift, leave = "apply deletion_protection = false first", "leave deletion_protection out of this apply"
	for name, test := range map[string]struct {
		state, plan any // deletion_protection
		knows       func(context.Context, *acctest.Driver, *acctest.Object, map[string]any)
		says        string // "": not refused
	}{
		"the state":          {state: true, plan: true, knows: upgrades, says: lift},
		"a refresh":          {state: true, plan: true, knows: refreshes, says: lift},
		"a plan that lifts":  {state: true, plan: false, knows: plans, says: lift},
		"a plan that sets":   {state: false, plan: true, knows: plans, says: leave},
		"nothing is known":   {state: true, plan: true, knows: func(context.Context, *acctest.Driver, *acctest.Object, map[string]any) {}},
		"not protected":      {state: false, plan: false, knows: plans},
		"lifted, and read":   {state: true, plan: false, knows: applies},
		"set, by this apply": {state: false, plan: true, knows: applies, says: lift},
		"destroyed":          {state: false, knows: applies},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, nil)
				ctx := t.Context()
				config := func(protected any) map[string]any {
					if protected == nil {
						return nil
					}
					return map[string]any{"name": "web1", "deletion_protection": protected, "disc": []map[string]any{{"label": "vda", "size": 25600}}}
				}
				o := d.MustApply(ctx, vmType, nil, config(test.state))
				id, disc := o.Get("id"), o.Get("disc.0.id")
				run := e.NewDriver(t, nil).OneRun()
				test.knows(ctx, run, o, config(test.plan))
				e.ResetJournal()
				for action, config := range map[string]map[string]any{
					reimage:                    {"virtual_machine_id": id, "distribution": "bookworm", "allow_stopping": true, "ssh_public_key": "ssh-ed25519 AAAA"},
					"cloudserver_disc_restore": {"virtual_machine_id": id, "disc_id": disc, "backup_id": "4711", "confirm": true},
					purge:                      {"virtual_machine_id": id, "name": "web1"},
				} {
					diags := run.PlanAction(ctx, action, config)
					if test.says == "" {
						if strings.Contains(acctest.DiagText(diags), "deletion_protection") {
							t.Errorf("%s: %s", action, acctest.DiagText(diags))
						}
						continue
					}
					acctest.ExpectError(t, diags, "error at virtual_machine_id: Cannot ", "deletion_protection", test.says)
					known := `("web1")`
					if action == "cloudserver_disc_restore" {
						known = `("vda" of virtual machine "web1")`
					}
					if text := acctest.DiagText(diags); !strings.Contains(text, known) {
						t.Errorf("%q is not in %s", known, text)
					}
				}
				for action, config := range map[string]map[string]any{ // that lose nothing
					power:                     {"virtual_machine_id": id, "state": "stop"},
					"cloudserver_disc_backup": {"virtual_machine_id": id, "disc_id": disc},
				} {
					if diags := run.PlanAction(ctx, action, config); strings.Contains(acctest.DiagText(diags), "deletion_protection") {
						t.Errorf("%s: %s", action, acctest.DiagText(diags))
					}
				}
				acctest.ExpectCalls(t, e)
			})
		})
	}
}

func upgrades(ctx context.Context, d *acctest.Driver, o *acctest.Object, _ map[string]any) {
	d.Upgrade(ctx, o)
}

func refreshes(ctx context.Context, d *acctest.Driver, o *acctest.Object, _ map[string]any) {
	d.MustRefresh(ctx, o)
}

func plans(ctx context.Context, d *acctest.Driver, o *acctest.Object, config map[string]any) {
	d.Plan(ctx, vmType, o, config)
}

func applies(ctx context.Context, d *acctest.Driver, o *acctest.Object, config map[string]any) {
	d.MustApply(ctx, vmType, o, config)
}

// TestProtectedMachineWhenInvoked: the process that applies may know about the protection although the plan of the
// action could not, because its machine was unknown.
func TestProtectedMachineWhenInvoked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), vmType, nil, map[string]any{"name": "web1", "deletion_protection": true, "disc": []map[string]any{{"label": "vda", "size": 25600}}})
		e.ResetJournal()
		config := map[string]any{"virtual_machine_id": acctest.Unknown, "distribution": "bookworm", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}
		if diags := d.PlanAction(t.Context(), reimage, config); len(diags) > 0 {
			t.Error(acctest.DiagText(diags))
		}
		config["virtual_machine_id"] = o.Get("id")
		_, diags := d.InvokePlanned(t.Context(), reimage, config)
		acctest.ExpectError(t, diags, "Cannot reimage virtual machine", "deletion_protection is true")
		acctest.ExpectCalls(t, e)
	})
}
