package group_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// faults are what can happen to one request.
var faults = map[string]emulator.Fault{
	"cut before":  {Cut: true},
	"cut after":   {Cut: true, AfterEffect: true},
	"500 before":  {Status: 500},
	"500 after":   {Status: 500, AfterEffect: true},
	"503":         {Status: 503},
	"404":         {Status: 404},
	"404 page":    {Status: 404, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}},
	"401":         {Status: 401},
	"400":         {Status: 400, Body: `{"name":["is invalid"]}`},
	"{}":          {Status: 200, Body: "{}", AfterEffect: true},
	"[]":          {Status: 200, Body: "[]", AfterEffect: true},
	"nothing":     {Status: 200, AfterEffect: true},
	"garbage":     {Status: 200, Body: "<html>", AfterEffect: true},
	"502 for all": {Status: 502},
}

// TestEveryFault plays each fault at each request of a group's life, and applies
// again until the configuration is reached: no group is lost, none is left over,
// and no other group is touched.
func TestEveryFault(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		for at := range 10 {
			for _, retries := range []int{0, 2} {
				t.Run(fmt.Sprintf("%s at request %d with %d retries", name, at, retries), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { liveThrough(t, fault, name == "502 for all", at, retries) })
				})
			}
		}
	}
}

func liveThrough(t *testing.T, fault emulator.Fault, persists bool, at, retries int) {
	settings := map[string]any{"max_retries": retries}
	d, e := acctest.Drive(t, emulator.Options{}, settings)
	e.AddGroup(emulator.DemoAccount, "theirs", false)
	looking := false // at what there is, which no fault may hide
	fault.Skip, fault.Times, fault.Match = at, 1, func(emulator.Request) bool { return !looking }
	if persists {
		fault.Times = 6
	}
	e.Inject(fault)
	var o *acctest.Object
	for _, config := range []map[string]any{{"name": "production"}, {"name": "staging"}, nil} {
		o = reach(t, d, o, config)
		want := []any{"default", "private", "theirs"}
		if config != nil {
			want = append(want, config["name"])
		}
		looking = true
		names := groupNames(t, e)
		looking = false
		slices.SortFunc(want, compareNames)
		if !slices.Equal(names, want) {
			t.Fatalf("groups %v, want %v\n%v", names, want, e.AllCalls())
		}
		if config != nil && (o == nil || o.Get("name") != config["name"]) {
			t.Fatalf("the state has %v", o.Get(""))
		}
		time.Sleep(time.Minute) // failed look-ups are remembered for so long
	}
}

func compareNames(a, b any) int { return slices.Compare([]string{a.(string)}, []string{b.(string)}) }

// reach refreshes and applies until that succeeds, as a user does. A group that
// exists although its creation failed is imported.
func reach(t *testing.T, d *acctest.Driver, o *acctest.Object, config map[string]any) *acctest.Object {
	t.Helper()
	for range 8 {
		read, diags := d.Refresh(t.Context(), o)
		if !acctest.HasErrors(diags) {
			if o != nil && read == nil && config != nil {
				t.Fatalf("forgotten: %v", o.Get(""))
			}
			o = read
			plan := d.Plan(t.Context(), groupType, o, config)
			if len(plan.Errors()) == 0 {
				if o, diags = d.Apply(t.Context(), groupType, plan); !acctest.HasErrors(diags) {
					return o
				}
				if imported, problems := d.Import(t.Context(), groupType, fmt.Sprintf("demo/%v", config["name"])); o == nil && config != nil && !acctest.HasErrors(problems) {
					o = imported
				}
			}
		}
		time.Sleep(time.Minute)
	}
	t.Fatal("the configuration is not reached")
	return nil
}
