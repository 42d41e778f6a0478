package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// throttlings counts the warnings that the service rejects all requests with 429.
func throttlings(diags []*tfprotov6.Diagnostic) (n int) {
	for _, warning := range acctest.Warnings(diags) {
		if strings.Contains(warning.Summary, "asks to wait") {
			n++
		}
	}
	return n
}

// TestLastingThrottlingIsOneWarning: while the service answers 429 for longer than the timeouts of several creations,
// each error mentions it, and a single warning explains it.
func TestLastingThrottlingIsOneWarning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: time.Minute}, nil)
		began := time.Now()
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool {
				return !strings.HasSuffix(r.Path, "/vm_create") && time.Since(began) > 30*time.Second
			},
			Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"60"}},
		})
		const machines = 10
		plans := make([]*acctest.PlanResult, machines)
		for i := range plans {
			plans[i] = d.Plan(t.Context(), "cloudserver_vm", nil, object{
				"name": fmt.Sprintf("web%d", i), "disc": []object{{"label": "vda", "size": 25600}}, "timeouts": object{"create": "100s"},
			})
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		warnings := 0
		for _, plan := range plans {
			all.Go(func() {
				_, diags := d.Apply(t.Context(), plan.TypeName, plan)
				if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "timed out") || !strings.Contains(text, "429 Too Many Requests and asked to wait 1m0s") {
					t.Error(text)
				}
				mu.Lock()
				defer mu.Unlock()
				warnings += throttlings(diags)
			})
		}
		all.Wait()
		if warnings != 1 {
			t.Errorf("%d warnings", warnings)
		}
	})
}

// TestThrottlingIsToldByWhateverEndsFirst: a plan, a refresh, an import, a data source or an apply reports it, once in
// a process.
func TestThrottlingIsToldByWhateverEndsFirst(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic{
		"refresh": func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic {
			_, diags := d.Refresh(t.Context(), o)
			return diags
		},
		"import": func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic {
			_, diags := d.Import(t.Context(), "cloudserver_group", "demo/production")
			return diags
		},
		"plan": func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic {
			return d.Plan(t.Context(), "cloudserver_vm", nil, object{"name": "web9", "disc": []object{{"label": "vda", "size": 25600}}}).Diagnostics
		},
		"apply": func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic {
			_, diags := d.Apply(t.Context(), "cloudserver_group", d.Plan(t.Context(), "cloudserver_group", o, nil))
			return diags
		},
		"data source": func(t *testing.T, d *acctest.Driver, o *acctest.Object) []*tfprotov6.Diagnostic {
			_, diags := d.ReadData(t.Context(), "cloudserver_vms", nil)
			return diags
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, nil)
				o := d.MustApply(t.Context(), "cloudserver_group", nil, object{"name": "production"})
				// one answer: a plan asks several things side by side, and each of two would take one
				e.Inject(emulator.Fault{Times: 1, Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"30"}}})
				fresh := e.NewDriver(t, nil)
				first := throttlings(do(t, fresh, o))
				_, diags := fresh.Refresh(t.Context(), o)
				if again := throttlings(diags); first != 1 || again != 0 {
					t.Errorf("%d warnings, then %d", first, again)
				}
				time.Sleep(time.Minute) // what a plan asks goes on after it
			})
		})
	}
}

// TestOneMistakeIsExplainedOnce: what all calls of a run meet is explained by its first error. A process that serves
// several runs explains it each time, because what one of them was told, another was not.
func TestOneMistakeIsExplainedOnce(t *testing.T) {
	const explanation, again = "These credentials lack permission", "Another of these errors says what to do."
	for name, oneRun := range map[string]bool{"one run": true, "several runs": false} {
		t.Run(name, func(t *testing.T) {
			d, e := acctest.Drive(t, emulator.Options{}, nil)
			if !oneRun { // configured without a validation before it
				server := acctest.NewServer(t, provider.NewWithTransport("test", e.Transport())())
				d = acctest.NewDriver(t, server, e.ProviderConfig(nil))
			}
			e.Inject(emulator.Fault{
				Match:  func(r emulator.Request) bool { return r.Path != "/definitions" },
				Status: http.StatusForbidden,
			})
			for i := range 3 {
				config := object{"name": fmt.Sprintf("web%d", i), "disc": []object{{"label": "vda", "size": 25600}}}
				text := acctest.DiagText(d.Plan(t.Context(), "cloudserver_vm", nil, config).Diagnostics)
				explained := strings.Contains(text, explanation)
				if explained != (i == 0 || !oneRun) || explained == strings.Contains(text, again) {
					t.Errorf("plan %d:\n%s", i, text)
				}
			}
		})
	}
}
