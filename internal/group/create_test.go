// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestCreate: whatever becomes of the request, there is one group, and it is in the state or the error says what to do.
func TestCreate(t *testing.T) {
	t.Parallel()
	isPost := func(r emulator.Request) bool { return r.Method == http.MethodPost }
	const importIt = `= "demo/private"`
	for name, test := range map[string]struct {
		name    string
		fault   emulator.Fault
		created bool
		want    string
	}{
		"taken":          {name: "private", want: importIt},
		"taken for now":  {name: "ending", created: true},
		"a bad name":     {name: "Not A Label", want: "error at name: "},
		"refused":        {name: "x1", fault: emulator.Fault{Status: 403}, want: "403 Forbidden"},
		"not sent":       {name: "x1", fault: emulator.Fault{Cut: true}, want: "If the group was created after all, import it."},
		"an answer lost": {name: "x1", fault: emulator.Fault{Cut: true, AfterEffect: true}, created: true, want: "warning at name: The creation of the group was not confirmed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, map[string]any{"plan_checks": false, "max_retries": 1})
				ending := e.NewDriver(t, nil).MustApply(t.Context(), groupType, nil, map[string]any{"name": "ending"})
				e.ResetJournal()
				if test.fault.Status != 0 || test.fault.Cut {
					test.fault.Match = isPost
					e.Inject(test.fault)
				}
				go func() {
					time.Sleep(20 * time.Second)
					d.MustApply(t.Context(), groupType, ending, nil)
				}()
				o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, map[string]any{"name": test.name}))
				text := acctest.DiagText(diags)
				if (o != nil) != test.created || acctest.HasErrors(diags) == test.created || !strings.Contains(text, test.want) {
					t.Errorf("got %v, want %q in\n%s", o.Get(""), test.want, text)
				}
				names := groupNames(t, e)
				if test.created && !slices.Contains(names, any(test.name)) {
					t.Errorf("groups: %v", names)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// TestTwoBlocks: the second block of a group is an error at once, and says so instead of how to import the group.
func TestTwoBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := acctest.Drive(t, emulator.Options{}, nil)
		team, crew := map[string]any{"name": "team"}, map[string]any{"name": "crew"}
		plan := d.Plan(t.Context(), groupType, nil, team)
		o := d.MustApply(t.Context(), groupType, nil, team)
		began := time.Now()
		_, diags := d.Apply(t.Context(), groupType, plan)
		text := acctest.DiagText(acctest.Errors(diags))
		if !strings.Contains(text, "error at name: ") || !strings.Contains(text, "Two blocks describe it") || strings.Contains(text, "import") {
			t.Error(text)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %s", took)
		}
		o = d.MustApply(t.Context(), groupType, o, crew)
		second := d.MustApply(t.Context(), groupType, nil, team) // renamed: the name is free
		d.MustApply(t.Context(), groupType, o, nil)
		d.MustApply(t.Context(), groupType, second, crew)
	})
}
