package group_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWritesReachTheirOwnGroup: another group has this one's ID as its name.
func TestWritesReachTheirOwnGroup(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	id := o.Get("id").(string)
	decoy := fmt.Sprint(e.AddGroup("demo", id, false))
	d = e.NewDriver(t, nil)
	config := map[string]any{"name": "staging"}
	if read := d.MustRefresh(ctx, o); read.Get("name") != "production" || read.Get("id") != id {
		t.Errorf("read as %v", read.Get(""))
	}
	e.ResetJournal()
	o = d.MustApply(ctx, groupType, o, config)
	acctest.ExpectCalls(t, e, "PUT /accounts/demo/groups/production")
	e.ResetJournal()
	d.MustApply(ctx, groupType, o, nil)
	acctest.ExpectCalls(t, e, "DELETE /accounts/demo/groups/staging")
	if names := groupNames(t, e); !slices.Contains(names, any(id)) || slices.Contains(names, any("staging")) {
		t.Errorf("groups left: %v, want the decoy %s", names, decoy)
	}
}

func TestNewNameOfDigitsIsRefused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "4711", false)
	o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
	for _, prior := range []*acctest.Object{nil, o} {
		plan := d.Plan(ctx, groupType, prior, map[string]any{"name": "4712"})
		if text := acctest.DiagText(plan.Errors()); !strings.Contains(text, `error at name: Invalid name of a group`) {
			t.Errorf("planned:\n%s", text)
		}
	}
	imported := d.MustImport(ctx, groupType, "demo/4711")
	d.ExpectPlan(ctx, imported, map[string]any{"name": "4711"}, acctest.ActionNoOp)
	d.MustApply(ctx, groupType, imported, map[string]any{"name": "renamed"})
}

func TestOneNameTwice(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	config := map[string]any{"name": "production"}
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	run := e.NewDriver(t, nil).OneRun()
	run.Plan(ctx, groupType, nil, map[string]any{"name": "production", "account": "other"})
	if plan := run.Plan(ctx, groupType, nil, config); len(plan.Diagnostics) > 0 {
		t.Errorf("the first: %s", acctest.DiagText(plan.Diagnostics))
	}
	plan := run.Plan(ctx, groupType, nil, config)
	if text := acctest.DiagText(plan.Errors()); !strings.Contains(text, `error at name: Duplicate group "production" of account "demo"`) {
		t.Errorf("the second: %s", text)
	}
	alias := e.NewDriver(t, nil).OneRun() // another configured provider
	if plan := alias.Plan(ctx, groupType, nil, config); len(plan.Diagnostics) > 0 {
		t.Errorf("through an alias: %s", acctest.DiagText(plan.Diagnostics))
	}
	o := d.MustApply(ctx, groupType, nil, config)
	for name, plan := range map[string]func(*acctest.Driver) *acctest.PlanResult{
		"replaced": func(d *acctest.Driver) *acctest.PlanResult {
			return d.Plan(ctx, groupType, o, map[string]any{"name": "production", "account": "other"})
		},
		"tainted": func(d *acctest.Driver) *acctest.PlanResult {
			return d.Plan(ctx, groupType, d.MustRefresh(ctx, o).Taint(), config)
		},
	} {
		if plan := plan(e.NewDriver(t, nil).OneRun()); plan.Action != acctest.ActionReplace || len(plan.Diagnostics) > 0 {
			t.Errorf("%s: %s %s", name, plan.Action, acctest.DiagText(plan.Diagnostics))
		}
	}
}

// TestGroupsRenamedToOneName: the error names the other group, in whatever order they are planned. A replacement that a
// user forces is one group, although it is planned twice.
func TestGroupsRenamedToOneName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	a, b := d.MustApply(ctx, groupType, nil, map[string]any{"name": "a01"}), d.MustApply(ctx, groupType, nil, map[string]any{"name": "b01"})
	x := map[string]any{"name": "c01"}
	for _, other := range []*acctest.Object{b, nil} {
		for _, order := range [][]*acctest.Object{{a, other}, {other, a}} {
			run := e.NewDriver(t, nil).OneRun()
			if plan := run.Plan(ctx, groupType, order[0], x); len(plan.Diagnostics) > 0 {
				t.Error(acctest.DiagText(plan.Diagnostics))
			}
			want := "creates a group with this name"
			if order[0] != nil {
				want = fmt.Sprintf("renames group %q (ID %s) to this name", order[0].Get("name"), order[0].Get("id"))
			}
			acctest.ExpectError(t, run.Plan(ctx, groupType, order[1], x).Diagnostics, `error at name: Duplicate group "c01" of account "demo"`, want)
		}
	}
	run := e.NewDriver(t, nil).OneRun()
	if plan := run.PlanReplace(ctx, a, x); plan.Action != acctest.ActionReplace || len(plan.Diagnostics) > 0 {
		t.Errorf("forced: %s", acctest.DiagText(plan.Diagnostics))
	}
	acctest.ExpectError(t, run.Plan(ctx, groupType, b, x).Diagnostics, `renames group "a01"`)
	if o := d.MustApply(ctx, groupType, a, x); strings.Contains(string(o.Private), "planned") {
		t.Errorf("the private state has %s", o.Private)
	}
}

// TestRenameByNameWhoseAnswerIsLost: the next attempt uses the old name, which no group has any more.
func TestRenameByNameWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
		e.AddGroup("demo", o.Get("id").(string), false)
		d = e.NewDriver(t, nil)
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == http.MethodPut }, Times: 1, Cut: true, AfterEffect: true})
		o = d.MustApply(ctx, groupType, o, map[string]any{"name": "staging"})
		if o.Get("name") != "staging" {
			t.Errorf("renamed to %v", o.Get("name"))
		}
	})
}

// TestNamesInAChain renames each group to the name that the next one frees, all at the same time, and creates one with
// the first name: each waits for its name.
func TestNamesInAChain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		from := []string{"web-a", "web-b", "web-c", "web-d"}
		process := e.NewDriver(t, nil)
		one := e.NewDriver(t, nil).OneRun()
		plans := []*acctest.PlanResult{one.Plan(ctx, groupType, nil, map[string]any{"name": "web-d"})}
		for i, name := range from {
			o := d.MustApply(ctx, groupType, nil, map[string]any{"name": name})
			var config map[string]any // the first is destroyed
			if i > 0 {
				config = map[string]any{"name": from[i-1]}
			}
			plans = append(plans, one.Plan(ctx, groupType, one.MustRefresh(ctx, o), config))
		}
		before := groupNames(t, e)
		var wait sync.WaitGroup
		for i, plan := range plans {
			if len(plan.Diagnostics) > 0 {
				t.Errorf("plan %d:\n%s", i, acctest.DiagText(plan.Diagnostics))
			}
			wait.Go(func() { // the destroy comes last, as late as Terraform may do it
				time.Sleep(time.Duration(len(plans)-(i+len(plans)-1)%len(plans)) * 200 * time.Millisecond)
				if _, diags := process.Apply(ctx, groupType, plan); acctest.HasErrors(diags) {
					t.Errorf("apply %d:\n%s", i, acctest.DiagText(diags))
				}
			})
		}
		wait.Wait()
		if after := groupNames(t, e); !slices.Equal(after, before) {
			t.Errorf("groups left: %v, want %v", after, before)
		}
	})
}

// TestNameThatNobodyGivesUp: the rename is refused within seconds, and so are two groups that would swap their names,
// because groups do not step aside.
func TestNameThatNobodyGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		first := d.MustApply(ctx, groupType, nil, map[string]any{"name": "a1"})
		second := d.MustApply(ctx, groupType, nil, map[string]any{"name": "b1"})
		began := time.Now()
		var all sync.WaitGroup
		for o, name := range map[*acctest.Object]string{first: "b1", second: "a1", nil: "default"} {
			all.Go(func() {
				_, diags := d.Apply(ctx, groupType, d.Plan(ctx, groupType, o, map[string]any{"name": name}))
				if text := acctest.DiagText(diags); !strings.Contains(text, "already been taken") || !strings.Contains(text, "apply again") {
					t.Errorf("renamed: %s", text)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
		if names := groupNames(t, e); !slices.Contains(names, "a1") || !slices.Contains(names, "b1") {
			t.Errorf("groups left: %v", names)
		}
	})
}
