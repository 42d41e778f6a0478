// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// failedUpdate is an update that fails.
type failedUpdate struct {
	name     string
	options  emulator.Options
	provider given
	was, to  given
	fault    emulator.Fault
	between  func(*testing.T, *acctest.Emulator) // the plan and the apply
	stop     time.Duration                       // after which the apply is interrupted; 0: never
}

func failedUpdates() []failedUpdate {
	two, four := given{"cores": 2, leave: true}, given{"cores": 4, leave: true}
	slow, slowly := with(two, "timeouts.update", "1m"), with(four, "timeouts.update", "1m")
	const notOffered = `{"cores":["is not included in the list"]}`
	return []failedUpdate{
		{name: "no permission, nothing changed", was: two, to: with(two, "name", "web2"), fault: refuse("PUT", "", `"name"`, 0)},
		{name: "no permission, while it is down", was: two, to: four, fault: refuse("PUT", "", `"cores"`, 0)},
		{name: "no permission to start it again", was: two, to: four, fault: refuse("PUT", "", `"power_on":true`, 0)},
		{name: "no permission to stop it", was: two, to: four, fault: refuse("POST", "/signal", "", 0)},
		{name: "a refused value, nothing changed", was: two, to: with(two, "keymap", "xx"), provider: given{"plan_checks": false}},
		{name: "a refused value, while it is down", was: two, to: four, fault: answer("PUT", `"cores"`, http.StatusBadRequest, notOffered)},
		{name: "a refused value after a move", was: two, to: with(four, "name", "web2"), fault: answer("PUT", `"cores"`, http.StatusBadRequest, notOffered)},
		{name: "a sick service, nothing changed", was: slow, to: with(slow, "name", "web2"), fault: answer("PUT", "", http.StatusServiceUnavailable, "")},
		{name: "a sick service, while it is down", was: slow, to: slowly, fault: answer("PUT", `"cores"`, http.StatusBadGateway, "")},
		{name: "a guest that does not shut down in time", was: with(slow, "on_shutdown_timeout", "fail"), to: with(slowly, "on_shutdown_timeout", "fail"), options: emulator.Options{IgnorePowerdown: true}},
		{name: "a machine that does not start in time", was: slow, to: slowly, options: emulator.Options{BootTime: 3 * time.Minute}},
		{name: "a machine that is purged before", was: two, to: four, between: func(t *testing.T, e *acctest.Emulator) { e.Purge(onlyMachine(t, e).ID) }},
		{name: "a machine that is soft-deleted before", was: two, to: four, between: func(t *testing.T, e *acctest.Emulator) { e.SoftDelete(onlyMachine(t, e).ID) }},
		{name: "a machine that is switched off before", was: two, to: four, between: func(t *testing.T, e *acctest.Emulator) { changeMachine(t, e, switchOff) }},
		{name: "an account that is hidden before", was: two, to: four, between: func(_ *testing.T, e *acctest.Emulator) { hideAccount(e, 0) }},
		{name: "a disc that is purged before", was: with(two, "disc", discs("vda:25600", "vdb:5000")), to: with(two, "disc", discs("vda:25600", "vdb:6000")), between: func(t *testing.T, e *acctest.Emulator) {
			changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[:1] })
		}},
		{name: "a group that does not exist", was: two, to: with(two, "group", "prod")},
		{name: "an interrupt", was: two, to: four, stop: 2 * time.Second},
		{name: "an interrupt, while it boots", was: two, to: four, stop: 20 * time.Second},
		{name: "one slot, and a machine that stays down", was: two, to: four, provider: given{"max_unavailable": 1}, fault: refuse("PUT", "", `"power_on":true`, 0)},
		{name: "a machine that is not ready", was: overHTTP, to: with(overHTTP, "cores", 4), options: emulator.Options{Guests: true}, between: notHealthy},
		{name: "a machine that is not ready, with one slot", was: overHTTP, to: with(overHTTP, "cores", 4), options: emulator.Options{Guests: true}, provider: given{"max_unavailable": 1}, between: notHealthy},
	}
}

func notHealthy(t *testing.T, e *acctest.Emulator) {
	changeMachine(t, e, func(m *emulator.Machine) { m.HTTPStatus = http.StatusServiceUnavailable })
}

func switchOff(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }

// answer returns a fault: requests are answered with a status and a body.
func answer(method, body string, status int, text string) emulator.Fault {
	fault := refuse(method, "", body, 0)
	fault.Status, fault.Body = status, text
	if strings.HasPrefix(text, "{") {
		fault.Header = http.Header{"Content-Type": {"application/json"}}
	}
	return fault
}

// TestFailureTexts: testdata/failures.txt has what a user reads after each failure, so that a review sees the whole text.
func TestFailureTexts(t *testing.T) {
	t.Parallel()
	updates := failedUpdates()
	texts := make([]string, len(updates))
	t.Run("all", func(t *testing.T) {
		var writing sync.Mutex
		for i, test := range updates {
			inWorldNamed(t, test.name, test.options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(test.was))
				d = e.NewDriver(t, test.provider)
				plan := d.Plan(ctx, vmType, d.MustRefresh(ctx, o), configured(test.to))
				if acctest.HasErrors(plan.Diagnostics) {
					t.Fatal(acctest.DiagText(plan.Diagnostics))
				}
				if test.fault.Match != nil {
					e.Inject(test.fault)
				}
				if test.between != nil {
					test.between(t, e)
				}
				if test.stop > 0 {
					stopAfter(t, d, test.stop)
				}
				planned := acctest.DiagText(plan.Diagnostics) // is said again by the apply
				_, diags := d.Apply(ctx, vmType, plan)
				if !acctest.HasErrors(diags) {
					t.Error("it does not fail")
				}
				writing.Lock()
				defer writing.Unlock()
				texts[i] = fmt.Sprintf("# %s\n%s", test.name, strings.TrimPrefix(acctest.DiagText(diags), planned))
			})
		}
	})
	acctest.ExpectFile(t, "testdata/failures.txt", strings.Join(texts, "\n"))
}
