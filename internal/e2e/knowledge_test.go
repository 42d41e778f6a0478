// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// These tests show that nothing depends on what a process happens to have read before, or on a request that failed.

// TestTwoProviderBlocks creates a group by one provider block and its machine by another, which has listed the groups
// before: each block is a process of its own.
func TestTwoProviderBlocks(t *testing.T) {
	inSimulation(t, "two blocks", func(t *testing.T) {
		ctx := t.Context()
		machines, e := acctest.Drive(t, emulator.Options{}, nil)
		groups := e.NewDriver(t, nil)
		machines.MustApply(ctx, vmType, nil, smallMachine(object{"name": "early"}))
		group := groups.MustApply(ctx, "cloudserver_group", nil, object{"name": "web"})
		machine := machines.MustApply(ctx, vmType, nil, smallMachine(object{"name": "web1", "group": "web"}))
		if got, want := machine.Get("group_id"), group.Get("id"); got != want {
			t.Errorf("the machine is in group %v, want %v", got, want)
		}
	})
}

// TestFailuresAreNotKept lets one look at the groups fail, after all retries, while many machines are created.
func TestFailuresAreNotKept(t *testing.T) {
	const machines = 40
	inSimulation(t, "one failure", func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, object{"plan_checks": false, "max_retries": 0})
		e.Inject(emulator.Fault{
			Status: http.StatusInternalServerError, Times: 1,
			Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/groups") },
		})
		var failed int
		for i := range machines {
			plan := d.Plan(t.Context(), vmType, nil, smallMachine(object{"name": fmt.Sprint("web", i)}))
			if _, diags := d.Apply(t.Context(), vmType, plan); acctest.HasErrors(diags) {
				failed++
			}
		}
		if failed != 1 || len(e.Machines()) != machines-1 {
			t.Errorf("%d creations of %d failed, want 1", failed, machines)
		}
	})
}

// TestHiddenAccountAfterAProof purges two machines. The account is visible when the first is refreshed, and hidden a
// moment later: that the service answers 404 for the second proves nothing.
func TestHiddenAccountAfterAProof(t *testing.T) {
	inSimulation(t, "hidden between two reads", func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		first := d.MustApply(ctx, vmType, nil, smallMachine(object{"name": "web1"}))
		second := d.MustApply(ctx, vmType, nil, smallMachine(object{"name": "web2"}))
		e.Purge(e.Machines()[0].ID)
		if left := d.MustRefresh(ctx, first); left != nil {
			t.Error("a purged machine stays in the state")
		}
		time.Sleep(5 * time.Second)
		e.CloseAccount(emulator.DemoAccount, true)
		left, diags := d.Refresh(ctx, second)
		if left == nil || !acctest.HasErrors(diags) || !strings.Contains(acctest.DiagText(diags), "cannot see account") {
			t.Errorf("the machine of a hidden account: %v, %s", left, acctest.DiagText(diags))
		}
	})
}

// TestLastingRefusals answers the requests of a wait with nothing but refusals. The wait ends after two minutes, with the
// cause: raising a timeout would not help.
func TestLastingRefusals(t *testing.T) {
	slowBoot := emulator.Options{BootTime: time.Hour, ShutdownTime: time.Hour}
	reads := func(r emulator.Request) bool { return r.Method == http.MethodGet }
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound} {
		refuse := func(e *acctest.Emulator) {
			if status == http.StatusNotFound {
				e.CloseAccount(emulator.DemoAccount, true)
			} else {
				e.Inject(emulator.Fault{Status: status, Match: reads})
			}
		}
		for name, test := range map[string]struct {
			config object
			to     object
		}{
			"creation": {config: object{}},
			"update":   {config: object{"power_on": false}, to: object{"power_on": true}},
		} {
			inSimulation(t, fmt.Sprintf("%s, %d", name, status), func(t *testing.T) {
				ctx := t.Context()
				d, e := acctest.Drive(t, slowBoot, nil)
				var o *acctest.Object
				config := smallMachine(test.config)
				if test.to != nil {
					o = d.MustApply(ctx, vmType, nil, config)
					config = smallMachine(test.to)
				}
				plan := d.Plan(ctx, vmType, o, config)
				time.AfterFunc(10*time.Second, func() { refuse(e) })
				began := time.Now()
				_, diags := d.Apply(ctx, vmType, plan)
				text := acctest.DiagText(acctest.Errors(diags))
				if took := time.Since(began); took < 2*time.Minute || took > 7*time.Minute {
					t.Errorf("took %s", took)
				}
				if !strings.Contains(text, fmt.Sprint(status)) || strings.Contains(text, "timeouts.") {
					t.Errorf("want the cause, and no advice to wait longer:\n%s", text)
				}
			})
		}
	}
}

// TestRenamedBlock renames a block without moved: its machine is destroyed, and another one with its name is created. One
// warning says so, in every order in which Terraform may refresh and plan the two. A tainted machine is planned as a
// creation alone, and is no reason for it.
func TestRenamedBlock(t *testing.T) {
	const refresh, create, destroy = "refresh", "create", "destroy"
	var texts sync.Map
	for _, order := range [][]string{
		{refresh, destroy, create},
		{refresh, create, destroy},
		{create, refresh, destroy},
		{destroy, create}, // without a refresh
		{create, destroy},
		{refresh, create}, // tainted
	} {
		inSimulation(t, strings.Join(order, ", "), func(t *testing.T) {
			ctx := t.Context()
			before, e := acctest.Drive(t, emulator.Options{}, nil)
			config := smallMachine(object{"name": "web1"})
			o := before.MustApply(ctx, vmType, nil, config)
			d := e.NewDriver(t, nil)
			var warnings []*tfprotov6.Diagnostic
			for _, step := range order {
				switch step {
				case refresh:
					o = d.MustRefresh(ctx, o)
				case create:
					warnings = append(warnings, d.Plan(ctx, vmType, nil, config).Warnings()...)
				case destroy:
					warnings = append(warnings, d.Plan(ctx, vmType, o, nil).Warnings()...)
				}
			}
			if order[len(order)-1] == create && order[0] == refresh && len(order) == 2 {
				if len(warnings) != 0 {
					t.Errorf("a tainted machine: %s", acctest.DiagText(warnings))
				}
				return
			}
			text := acctest.DiagText(warnings)
			if len(warnings) != 1 || !strings.Contains(text, "moved") {
				t.Fatalf("want one warning that names moved, got\n%s", text)
			}
			if first, _ := texts.LoadOrStore("text", text); first != text {
				t.Errorf("another order says\n%s\nthis one\n%s", first, text)
			}
		})
	}
}
