package group_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func isPost(r emulator.Request) bool { return r.Method == http.MethodPost }

// TestCreateOnce: whatever gets lost, there is one group and it is tracked.
func TestCreateOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		calls int // that may have changed something
	}{
		"lost after the effect":  {emulator.Fault{Match: isPost, Times: 1, Cut: true, AfterEffect: true}, 1},
		"lost before the effect": {emulator.Fault{Match: isPost, Times: 1, Cut: true}, 2},
		"500 after the effect":   {emulator.Fault{Match: isPost, Times: 1, Status: 500, AfterEffect: true}, 1},
		"garbage":                {emulator.Fault{Match: isPost, Times: 1, Status: 201, Body: "<html>", AfterEffect: true}, 1},
		"{}":                     {emulator.Fault{Match: isPost, Times: 1, Status: 201, Body: "{}", AfterEffect: true}, 1},
		"nothing":                {emulator.Fault{Match: isPost, Times: 1, Status: 201, AfterEffect: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, nil)
				e.Inject(test.fault)
				config := map[string]any{"name": "production"}
				o := d.MustApply(t.Context(), groupType, nil, config)
				if calls := e.Calls(); len(calls) != test.calls {
					t.Errorf("calls: %v", calls)
				}
				d.ExpectPlan(t.Context(), o, config, acctest.ActionNoOp)
				if names := groupNames(t, e); len(names) != 3 {
					t.Errorf("groups: %v", names)
				}
			})
		})
	}
}

// TestSomebodysGroupIsNotAdopted: the answer is lost before the effect, and a group
// that is not this one has the name.
func TestSomebodysGroupIsNotAdopted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		machines bool // in the group
		unlisted bool // what existed before is not known
		want     string
	}{
		"empty and there before":          {false, false, `A group of this name exists already`},
		"empty, and nobody knows":         {false, true, `group "private" exists now (ID 1003), but it may have existed before`},
		"with machines, and nobody knows": {true, true, `but it may have existed before`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, map[string]any{"plan_checks": false, "max_retries": 0})
				if test.machines {
					e.AddMachine("demo", "private", emulator.Machine{Name: "theirs"})
				}
				if test.unlisted {
					e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodGet }, Times: 1, Status: 500})
				}
				e.Inject(emulator.Fault{Match: isPost, Times: 1, Cut: true})
				o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, map[string]any{"name": "private"}))
				text := acctest.DiagText(diags)
				if o != nil || !strings.Contains(text, test.want) || !strings.Contains(text, `= "demo/private"`) {
					t.Errorf("got %v, %s", o.Get(""), text)
				}
				if strings.Contains(text, "Nothing was created") && strings.Contains(text, "may have existed") {
					t.Errorf("it is not known whether anything was created:\n%s", text)
				}
				for _, call := range e.Calls() {
					if call != "POST /accounts/demo/groups" {
						t.Errorf("sent %s", call)
					}
				}
			})
		})
	}
}

// TestNothingWasCreatedOnlyWhereKnown: after an ambiguous failure nobody knows.
func TestNothingWasCreatedOnlyWhereKnown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault emulator.Fault
		known bool
	}{
		"refused":       {emulator.Fault{Match: isPost, Status: 403}, true},
		"lost":          {emulator.Fault{Match: isPost, Cut: true}, false},
		"500":           {emulator.Fault{Match: isPost, Status: 500}, false},
		"500, then 403": {emulator.Fault{Match: isPost, Times: 1, Status: 500}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, e := acctest.Drive(t, emulator.Options{}, map[string]any{"max_retries": 1})
				e.Inject(test.fault)
				e.Inject(emulator.Fault{Match: isPost, Status: 403})
				o, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, nil, map[string]any{"name": "x1"}))
				text := acctest.DiagText(diags)
				if o != nil || !acctest.HasErrors(diags) || strings.Contains(text, "Nothing was created.") != test.known {
					t.Errorf("got %v\n%s", o.Get(""), text)
				}
			})
		})
	}
}
