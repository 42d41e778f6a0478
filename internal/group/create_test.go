package group_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGroupThatIsNotCreated: no group that may be somebody else's is adopted, and "Nothing was created" is only
// reported if that is known.
func TestGroupThatIsNotCreated(t *testing.T) {
	t.Parallel()
	isPost := func(r emulator.Request) bool { return r.Method == http.MethodPost }
	firstRead := emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodGet }, Times: 1, Status: 500}
	forbidden, failed, lost := emulator.Fault{Match: isPost, Status: 403}, emulator.Fault{Match: isPost, Status: 500}, emulator.Fault{Match: isPost, Cut: true}
	failedOnce, lostOnce := failed, lost
	failedOnce.Times, lostOnce.Times = 1, 1
	const importIt = `= "demo/private"`
	for name, test := range map[string]struct {
		name    string
		retries int
		faults  []emulator.Fault
		known   bool // whether it is known that nothing was created
		want    []string
	}{
		"taken":                  {name: "private", retries: 1, known: true, want: []string{`error at name: Cannot create group "private" of account "demo"`, importIt}},
		"bad name":               {name: "Not A Label", retries: 1, known: true, want: []string{"error at name: "}},
		"refused":                {name: "x1", retries: 1, faults: []emulator.Fault{forbidden}, known: true},
		"lost":                   {name: "x1", retries: 1, faults: []emulator.Fault{lost}},
		"500":                    {name: "x1", retries: 1, faults: []emulator.Fault{failed}},
		"500, then 403":          {name: "x1", retries: 1, faults: []emulator.Fault{failedOnce, forbidden}},
		"lost, and there before": {name: "private", faults: []emulator.Fault{lostOnce}, known: true, want: []string{"If no other workspace manages that group, import it", importIt}},
		"lost, and nobody knows": {name: "private", faults: []emulator.Fault{firstRead, lostOnce}, want: []string{`group "private" exists now (ID 1003), but it may have existed before`, importIt}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, map[string]any{"plan_checks": false, "max_retries": test.retries})
				for _, fault := range test.faults {
					e.Inject(fault)
				}
				o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, map[string]any{"name": test.name}))
				text := acctest.DiagText(diags)
				if o != nil || !acctest.HasErrors(diags) || strings.Contains(text, "Nothing was created.") != test.known {
					t.Errorf("got %v\n%s", o.Get(""), text)
				}
				for _, want := range test.want {
					if !strings.Contains(text, want) {
						t.Errorf("want %q in:\n%s", want, text)
					}
				}
				if calls := slices.Compact(e.Calls()); !slices.Equal(calls, []string{"POST /accounts/demo/groups"}) {
					t.Errorf("calls: %v", calls)
				}
			})
		})
	}
}
