package e2e_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// destroyed has the objects that a DELETE destroys, with the plan that sends it, and a function that reports whether the
// object exists afterwards.
func destroyed() map[string]func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (plan *acctest.PlanResult, isThere func() bool) {
	type object = map[string]any
	machine := func(t *testing.T, d *acctest.Driver, config object) *acctest.Object {
		t.Helper()
		config["name"] = "web1"
		return d.MustApply(t.Context(), "cloudserver_vm", nil, config)
	}
	vda, vdb := object{"label": "vda", "size": 25600}, object{"label": "vdb", "size": 25600}
	first := func(e *acctest.Emulator) emulator.Machine {
		if machines := e.Machines(); len(machines) > 0 {
			return machines[0]
		}
		return emulator.Machine{}
	}
	return map[string]func(*testing.T, *acctest.Driver, *acctest.Emulator) (*acctest.PlanResult, func() bool){
		"machine": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.PlanResult, func() bool) {
			o := machine(t, d, object{"disc": []object{vda}})
			return d.Plan(t.Context(), "cloudserver_vm", o, nil), func() bool { return first(e).ID != 0 }
		},
		"machine, soft": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.PlanResult, func() bool) {
			o := machine(t, d, object{"disc": []object{vda}, "purge_on_destroy": false})
			return d.Plan(t.Context(), "cloudserver_vm", o, nil), func() bool { return !first(e).Deleted }
		},
		"disc": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.PlanResult, func() bool) {
			o := machine(t, d, object{"disc": []object{vda, vdb}})
			return d.Plan(t.Context(), "cloudserver_vm", o, object{"name": "web1", "disc": []object{vda}}), func() bool { return len(first(e).Discs) == 2 }
		},
		"group": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.PlanResult, func() bool) {
			o := d.MustApply(t.Context(), "cloudserver_group", nil, object{"name": "production"})
			return d.Plan(t.Context(), "cloudserver_group", o, nil), func() bool {
				_, diags := d.Import(t.Context(), "cloudserver_group", "demo/production")
				return !acctest.HasErrors(diags)
			}
		},
		"backup schedule": func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) (*acctest.PlanResult, func() bool) {
			machine(t, d, object{"disc": []object{vda}})
			m := first(e)
			o := d.MustApply(t.Context(), "cloudserver_backup_schedule", nil, object{
				"virtual_machine_id": fmt.Sprint(m.ID), "disc_id": fmt.Sprint(m.Discs[0].ID), "start_at": "2030-01-31 04:00:00", "interval_seconds": 604800,
			})
			return d.Plan(t.Context(), "cloudserver_backup_schedule", o, nil), func() bool {
				b := first(e).Discs[0].Backups
				return b != nil && len(b.Schedules) > 0
			}
		},
	}
}

// TestDeletionThatIsAnsweredOddly: a DELETE promises 204. After any other success the result is checked: what is gone
// leaves the state without an error, and what still exists is requested again, or stays in the state with an error.
func TestDeletionThatIsAnsweredOddly(t *testing.T) {
	t.Parallel()
	for noun, arrange := range destroyed() {
		for _, body := range []string{"", "{}", "OK", `{"error":"not today"}`, "<html>"} {
			for _, carriedOut := range []bool{true, false} {
				for times := range 2 { // 0: always
					t.Run(fmt.Sprintf("%s %q carried out %t times %d", noun, body, carriedOut, times), func(t *testing.T) {
						t.Parallel()
						synctest.Test(t, func(t *testing.T) {
							d, e := acctest.Drive(t, emulator.Options{}, nil)
							plan, isThere := arrange(t, d, e)
							e.Inject(emulator.Fault{
								Match:  func(r emulator.Request) bool { return r.Method == http.MethodDelete },
								Status: http.StatusOK, Body: body, AfterEffect: carriedOut, Times: times,
							})
							after, diags := d.Apply(t.Context(), plan.TypeName, plan)
							failed := acctest.HasErrors(diags)
							switch {
							case failed != isThere():
								t.Errorf("failed is %t, and it is there: %t\n%s", failed, isThere(), acctest.DiagText(diags))
							case failed && after == nil:
								t.Errorf("it is there, and nothing tracks it\n%s", acctest.DiagText(diags))
							case carriedOut && failed:
								t.Errorf("it is gone\n%s", acctest.DiagText(diags))
							}
						})
					})
				}
			}
		}
	}
}
