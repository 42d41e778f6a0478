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

// TestGroupThatIsNotCreated: nothing is taken for the new group that may be somebody
// else's, and "Nothing was created" is only said where that is known.
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
		known   bool // that nothing was created
		want    []string
	}{
		"taken":                  {"private", 1, nil, true, []string{`error at name: Cannot create group "private" of account "demo"`, importIt}},
		"bad name":               {"Not A Label", 1, nil, true, []string{"error at name: "}},
		"refused":                {"x1", 1, []emulator.Fault{forbidden}, true, nil},
		"lost":                   {"x1", 1, []emulator.Fault{lost}, false, nil},
		"500":                    {"x1", 1, []emulator.Fault{failed}, false, nil},
		"500, then 403":          {"x1", 1, []emulator.Fault{failedOnce, forbidden}, false, nil},
		"lost, and there before": {"private", 0, []emulator.Fault{lostOnce}, true, []string{"A group of this name exists already", importIt}},
		"lost, and nobody knows": {"private", 0, []emulator.Fault{firstRead, lostOnce}, false, []string{`group "private" exists now (ID 1003), but it may have existed before`, importIt}},
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
