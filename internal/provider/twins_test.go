package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTwins: two resources have one object. Whatever one of them does that ends the object is an error while the other
// keeps it, in either order, refreshed or not, and a warning where the object can be made again. If both end it, it is
// what was asked for. A resource alone is never told anything.
func TestTwins(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	machine := object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}}
	vm := d.MustApply(ctx, "cloudserver_vm", nil, machine)
	for typeName, test := range map[string]struct {
		config object
		has    *acctest.Object
		again  bool // it can be made again
	}{
		"cloudserver_vm":    {config: machine, has: vm},
		"cloudserver_group": {config: object{"name": "production"}},
		"cloudserver_rdns":  {config: object{"address": vm.Get("ipv4_address"), "hostname": "www.example.com"}, again: true},
		"cloudserver_backup_schedule": {config: object{
			"virtual_machine_id": vm.Get("id"), "disc_id": vm.Get("disc.0.id"), "start_at": "2030-01-31 04:00:00 UTC", "interval_seconds": 604800,
		}, again: true},
	} {
		o := test.has
		if o == nil {
			o = d.MustApply(ctx, typeName, nil, test.config)
		}
		does := map[string]func(*acctest.Driver, *acctest.Object) *acctest.PlanResult{
			"keeps": func(d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
				return d.Plan(ctx, typeName, o, test.config)
			},
			"destroys": func(d *acctest.Driver, o *acctest.Object) *acctest.PlanResult { return d.Plan(ctx, typeName, o, nil) },
			"replaces": func(d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
				return d.PlanReplace(ctx, o, test.config)
			},
			"is tainted": func(d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
				return d.Plan(ctx, typeName, o.Taint(), test.config)
			},
		}
		for one, first := range does {
			if plan := first(e.NewDriver(t, nil).OneRun(), o); acctest.HasErrors(plan.Diagnostics) {
				t.Errorf("%s %s alone: %s", typeName, one, acctest.DiagText(plan.Diagnostics))
			}
			for other, second := range does {
				pair := []string{one, other}
				if !slices.Contains(pair, "keeps") && one != other { // with a replacement that is forced, the first to be planned cannot know
					continue
				}
				for _, refresh := range []bool{true, false} {
					run := e.NewDriver(t, nil).OneRun()
					a, b := *o, *o
					if refresh {
						run.MustRefresh(ctx, &a)
						run.MustRefresh(ctx, &b)
					}
					plans := []*acctest.PlanResult{first(run, &a), second(run, &b)}
					text := acctest.DiagText(append(plans[0].Diagnostics, plans[1].Diagnostics...))
					name := fmt.Sprintf("%s: one %s, the other %s, refresh %t", typeName, one, other, refresh)
					failed := len(plans[0].Errors()) + len(plans[1].Errors())
					switch {
					case one == other && one == "keeps":
						if failed > 0 || !strings.Contains(text, "Two resources manage one object") {
							t.Errorf("%s: %s", name, text)
						}
					case one == other:
						if failed > 0 && one == "destroys" {
							t.Errorf("%s: %s", name, text)
						}
					case slices.Contains(pair, "is tainted") && typeName == "cloudserver_backup_schedule":
						if failed > 0 || !strings.Contains(text, "Two backup schedules of one disc have the same times") {
							t.Errorf("%s: %s", name, text)
						}
					case slices.Contains(pair, "is tainted"):
						if failed != 1 || !strings.Contains(text, "uplicate") && !strings.Contains(text, "Two machines of this configuration are to be named") {
							t.Errorf("%s: %s", name, text)
						}
					case test.again:
						if failed > 0 || !strings.Contains(text, "is removed for one resource, and another one has it") && !slices.Contains(pair, "replaces") {
							t.Errorf("%s: %s", name, text)
						}
					case failed != 1 || !strings.Contains(text, "Cannot destroy") || !strings.Contains(text, "terraform state rm"):
						t.Errorf("%s: %s", name, text)
					}
				}
			}
		}
	}
}
