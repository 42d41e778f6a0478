// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// countDefinitionRequests counts the requests for definitions.
func countDefinitionRequests(e *acctest.Emulator) int {
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
		if asked := countDefinitionRequests(e); asked != 1 {
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
		if asked := countDefinitionRequests(e); asked != 0 || acctest.HasErrors(plan.Diagnostics) {
			t.Errorf("asked %d times about what is deployed\n%s", asked, acctest.DiagText(plan.Diagnostics))
		}
		plan = d.Plan(ctx, vmType, o, configured(all, given{"disc": discs("vda:25600:sata", "vdb:100:ssd")}))
		acctest.ExpectError(t, plan.Errors(), "error at disc.1.storage_grade:", `"another"`)
	})
}

// TestPlanChecksNeverStandInTheWay: what cannot be checked is planned.
func TestPlanChecksNeverStandInTheWay(t *testing.T) {
	t.Parallel()
	unlisted := given{"zone_name": "atlantis"}
	unknown := given{
		"zone_name": acctest.Unknown, "hardware_profile": acctest.Unknown, "reimage.distribution": acctest.Unknown, "reimage.root_password": acctest.Unknown,
		"disc": objects{{"label": "vda", "size": 25600, "storage_grade": acctest.Unknown}},
	}
	fails := func(e *acctest.Emulator) {
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Path == "/definitions" }, Status: http.StatusInternalServerError})
	}
	missing := func(e *acctest.Emulator) {
		e.SetDefinitions(func(sets map[string]any) { delete(sets, "zone_names") })
	}
	for name, test := range map[string]struct {
		settings, config given
		world            func(*acctest.Emulator)
		warns            string
		asked            int // for definitions
	}{
		"definitions that cannot be read": {settings: given{"max_retries": 0}, config: unlisted, world: fails, warns: "The plan is not checked against the service", asked: 1},
		"a set that is missing":           {config: unlisted, world: missing, asked: 1},
		"switched off":                    {settings: given{"plan_checks": false}, config: unlisted},
		"values that are not known yet":   {config: unknown},
		"an endpoint that is not":         {settings: given{"endpoint": acctest.Unknown}, config: unlisted},
	} {
		inBubbleNamed(t, name, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			if test.world != nil {
				test.world(e)
			}
			plan := e.NewDriver(t, test.settings).Plan(t.Context(), vmType, nil, configured(test.config))
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action != create || !strings.Contains(text, test.warns) || (text == "") != (test.warns == "") || countDefinitionRequests(e) != test.asked {
				t.Errorf("%s, after %q\n%s", plan.Action, e.AllCalls(), text)
			}
			if calls := e.AllCalls(); test.settings != nil && test.asked == 0 && len(calls) > 0 {
				t.Errorf("asked %q", calls)
			}
		})
	}
}

// TestMissingGroupIsSuggestedAtPlan: the warning suggests an existing group. If the provider's default is to blame, it says
// so, at plan and at apply.
func TestMissingGroupIsSuggestedAtPlan(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "production", false)
	const suggestion = `Did you mean "production"?`
	expectSays(t, d.Plan(t.Context(), vmType, nil, configured(given{"group": "prodution"})).Diagnostics, "warning at group: ", suggestion, "Unless another resource creates the group")
	for attribute, test := range map[string]struct {
		value, suggestion string
	}{"group": {"prodution", suggestion}, "account": {"dmeo", `Did you mean "demo"?`}} {
		where := []string{test.suggestion, attribute + " in the provider block", "CLOUDSERVER_" + strings.ToUpper(attribute)}
		d := e.NewDriver(t, given{attribute: test.value})
		plan := d.Plan(t.Context(), vmType, nil, configured())
		expectSays(t, plan.Diagnostics, where...)
		if attribute == "account" {
			continue
		}
		_, diags := d.Apply(t.Context(), vmType, plan)
		expectSays(t, diags, where...)
	}
}

// TestPlanChecksOfAServiceThatHangs: a plan of many machines waits for the checks once, and not for each machine.
func TestPlanChecksOfAServiceThatHangs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		says  string
	}{
		"no answer":   {emulator.Fault{Delay: time.Hour}, "The service did not answer within 10s."},
		"maintenance": {emulator.Fault{Status: http.StatusServiceUnavailable, Body: "maintenance"}, "503 Service Unavailable: maintenance"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			e.Inject(test.fault)
			began := time.Now()
			for i := range 40 {
				plan := d.Plan(t.Context(), vmType, nil, named(fmt.Sprint("web", i)))
				expectSays(t, plan.Diagnostics, "The plan is not checked against the service", test.says)
			}
			if took := time.Since(began); took > 11*time.Second {
				t.Errorf("took %s", took)
			}
			time.Sleep(time.Hour) // requests that were given up end
		})
	}
}
