package e2e_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRoundTrips counts the requests that wait for each other: in simulated time only the service takes time, the same
// for each request. Independent requests are sent at the same time, and there are no more of them because of that.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	const vm = "cloudserver_vm"
	machine := func(changes map[string]any) map[string]any {
		c := config(0)
		maps.Copy(c, changes)
		return c
	}
	unchecked := map[string]any{"plan_checks": false}
	for name, test := range map[string]struct {
		settings       map[string]any
		run            func(*testing.T, *acctest.Driver, *acctest.Object)
		trips, request int
	}{
		"plan of a new machine": {run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			d.Plan(t.Context(), vm, nil, machine(map[string]any{"name": "web1"}))
		}, trips: 1, request: 3},
		"plan of a new machine without checks": {settings: unchecked, run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			d.Plan(t.Context(), vm, nil, machine(map[string]any{"name": "web1"}))
		}},
		"plan of a new machine with addresses": {run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			d.Plan(t.Context(), vm, nil, machine(map[string]any{"name": "web1", "ips": map[string]any{"ipv4": "192.0.2.1", "ipv6": "2001:db8::1"}}))
		}, trips: 1, request: 5},
		"plan of a new machine by group_id": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.Plan(t.Context(), vm, nil, machine(map[string]any{"name": "web1", "group_id": o.Get("group_id")}))
		}, trips: 2, request: 4}, // which name the group has decides how it is asked
		"plan of a new machine of a name and a kind that there is not": {run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			wrong := machine(map[string]any{"zone_name": "atlantis", "keymap": "xx"})
			text := acctest.DiagText(d.Plan(t.Context(), vm, nil, wrong).Diagnostics)
			zone, keymap, taken := strings.Index(text, "error at zone_name"), strings.Index(text, "error at keymap"), strings.Index(text, "warning at name")
			if zone < 0 || keymap < zone || taken < keymap {
				t.Errorf("not in the order of the checks:\n%s", text)
			}
		}, trips: 1, request: 3},
		"creation": {run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			d.MustApply(t.Context(), vm, nil, machine(map[string]any{"name": "web1"}))
		}, trips: 3, request: 5}, // the checks, the creation and a look
		"creation without checks": {settings: unchecked, run: func(t *testing.T, d *acctest.Driver, _ *acctest.Object) {
			d.MustApply(t.Context(), vm, nil, machine(map[string]any{"name": "web1"}))
		}, trips: 2, request: 2},
		"plan of another name and another image": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.ExpectPlan(t.Context(), o, machine(map[string]any{"name": "web1", "keymap": "de"}), acctest.ActionUpdate)
		}, trips: 2, request: 4}, // the refresh, and the checks
		"plan without a change": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.ExpectPlan(t.Context(), o, machine(nil), acctest.ActionNoOp)
		}, trips: 1, request: 1},
		"plan of an action": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.PlanAction(t.Context(), "cloudserver_vm_reimage", map[string]any{"virtual_machine_id": o.Get("id"), "distribution": "bookworm", "allow_stopping": true})
		}, trips: 1, request: 2},
		"change of cores": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.MustApply(t.Context(), vm, o, machine(map[string]any{"cores": 4, "allow_stopping_for_update": true}))
		}, trips: 7, request: 7}, // a look, autoreboot_on, the signal, a look, the cores, the start and a look (API.md §3, power)
		"destroy": {run: func(t *testing.T, d *acctest.Driver, o *acctest.Object) {
			d.MustApply(t.Context(), vm, o, nil)
		}, trips: 2, request: 2}, // a look and the request
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{Latency: latency}, nil)
				o := d.MustApply(t.Context(), vm, nil, machine(nil))
				d = e.NewDriver(t, test.settings)
				e.ResetJournal()
				began := time.Now()
				test.run(t, d, o)
				took := time.Since(began)
				if trips := int(took / latency); trips != test.trips || took%latency != 0 || len(e.AllCalls()) != test.request {
					t.Errorf("%d round trips (%s), want %d, and %d requests, want %d:\n%v", trips, took, test.trips, len(e.AllCalls()), test.request, e.AllCalls())
				}
			})
		})
	}
}

// TestRoundTripsFailTogether: a cause that fails all questions is reported once, as the failure of the first question,
// whichever is answered first.
func TestRoundTripsFailTogether(t *testing.T) {
	t.Parallel()
	for _, late := range []string{"/definitions", "/accounts"} {
		synctest.Test(t, func(t *testing.T) {
			d, e := acctest.Drive(t, emulator.Options{Latency: latency}, map[string]any{"max_retries": 0})
			e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return strings.HasPrefix(r.Path, late) }, Delay: time.Second, Status: http.StatusInternalServerError})
			e.Inject(emulator.Fault{Status: http.StatusInternalServerError})
			text := acctest.DiagText(d.Plan(t.Context(), "cloudserver_vm", nil, config(0)).Diagnostics)
			if !strings.Contains(text, "GET /definitions answered 500") || strings.Contains(text, "GET /accounts") || len(e.AllCalls()) != 3 {
				t.Errorf("%s answers late: after %v\n%s", late, e.AllCalls(), text)
			}
		})
	}
}
