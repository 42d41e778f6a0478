package vm_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// definitionsAsked counts the questions for definitions.
func definitionsAsked(e *acctest.Emulator) int {
	asked := 0
	for _, call := range e.AllCalls() {
		if call == "GET /definitions" {
			asked++
		}
	}
	return asked
}

func TestPlanChecksAskOnceAndOnlyForWhatIsNew(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		all := given{"reimage.distribution": "bookworm", "zone_name": "york", "hardware_profile": "virtio2013", "disc": discs("vda:25600:sata")}
		config := configured(all)
		o := d.MustApply(ctx, vmType, nil, config)
		if asked := definitionsAsked(e); asked != 1 {
			t.Errorf("asked %d times in one process, want once", asked)
		}

		// The service has stopped offering all of it, and another process plans.
		e.SetDefinitions(func(sets map[string]any) {
			for _, id := range []string{"distributions", "zone_names", "hardware_profiles", "storage_grades"} {
				sets[id] = []string{"another"}
			}
		})
		d = e.NewDriver(t, nil)
		e.ResetJournal()
		d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
		more := configured(all, given{"name": "web2", "disc": discs("vda:51200:sata")})
		plan := d.ExpectPlan(ctx, o, more, acctest.ActionUpdate)
		if asked := definitionsAsked(e); asked != 0 || acctest.HasErrors(plan.Diagnostics) {
			t.Errorf("asked %d times about what is deployed\n%s", asked, acctest.DiagText(plan.Diagnostics))
		}
		plan = d.Plan(ctx, vmType, o, configured(all, given{"disc": discs("vda:25600:sata", "vdb:100:ssd")}))
		acctest.ExpectError(t, plan.Errors(), "error at disc.1.storage_grade:", `"another"`)
	})
}

func TestPlanChecksNeverStandInTheWay(t *testing.T) {
	t.Parallel()
	unlisted := given{"zone_name": "atlantis"}
	inBubbleNamed(t, "definitions that cannot be read are a warning", func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		d := e.NewDriver(t, map[string]any{"max_retries": 0})
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Path == "/definitions" }, Status: http.StatusInternalServerError})
		plan := d.Plan(t.Context(), vmType, nil, configured(unlisted))
		if text := acctest.DiagText(plan.Diagnostics); plan.Action != create || !strings.Contains(text, "The plan is not checked against the service") {
			t.Errorf("%s\n%s", plan.Action, text)
		}
	})
	inBubbleNamed(t, "a set that is missing says nothing", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		e.SetDefinitions(func(sets map[string]any) { delete(sets, "zone_names") })
		if plan := d.Plan(t.Context(), vmType, nil, configured(unlisted)); plan.Action != create || len(plan.Diagnostics) > 0 {
			t.Errorf("%s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
	})
	inBubbleNamed(t, "they can be switched off", func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		d := e.NewDriver(t, map[string]any{"plan_checks": false})
		plan := d.Plan(t.Context(), vmType, nil, configured(unlisted))
		if calls := e.AllCalls(); plan.Action != create || len(plan.Diagnostics) > 0 || len(calls) > 0 {
			t.Errorf("%s, after %q\n%s", plan.Action, calls, acctest.DiagText(plan.Diagnostics))
		}
	})
	inBubbleNamed(t, "unknown values are not checked", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		plan := d.Plan(t.Context(), vmType, nil, configured(given{
			"zone_name": acctest.Unknown, "hardware_profile": acctest.Unknown, "reimage.distribution": acctest.Unknown, "reimage.root_password": acctest.Unknown,
			"disc": objects{{"label": "vda", "size": 100, "storage_grade": acctest.Unknown}},
		}))
		if plan.Action != create || len(plan.Diagnostics) > 0 || slices.Contains(e.AllCalls(), "GET /definitions") {
			t.Errorf("%s, after %q\n%s", plan.Action, e.AllCalls(), acctest.DiagText(plan.Diagnostics))
		}
	})
	inBubbleNamed(t, "an endpoint that is not known yet", func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		d := e.NewDriver(t, map[string]any{"endpoint": acctest.Unknown})
		plan := d.Plan(t.Context(), vmType, nil, configured(unlisted))
		if calls := e.AllCalls(); plan.Action != create || len(plan.Diagnostics) > 0 || len(calls) > 0 {
			t.Errorf("%s, after %q\n%s", plan.Action, calls, acctest.DiagText(plan.Diagnostics))
		}
	})
}
