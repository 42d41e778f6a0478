package vm_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// named is the configuration of a machine with a name.
func named(name string, more ...given) object {
	return configured(append([]given{{"name": name}}, more...)...)
}

// TestNamesTwice: a second machine of one name that one run is to create, or to
// rename, is an error; two providers, a replacement and two runs are none.
func TestNamesTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		one := d.OneRun()
		if plan := one.Plan(ctx, vmType, nil, named("web1")); plan.Action != create {
			t.Errorf("the first: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, named("web1")).Diagnostics, "error at name:", `Two machines of this configuration are named "web1"`, "count.index")
		for name, plan := range map[string]*acctest.PlanResult{
			"another group":    one.Plan(ctx, vmType, nil, named("web1", inPrivate)),
			"another name":     one.Plan(ctx, vmType, nil, named("web2")),
			"another provider": e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, nil, named("web1")),
		} {
			if plan.Action != create {
				t.Errorf("%s: %s\n%s", name, plan.Action, acctest.DiagText(plan.Diagnostics))
			}
		}
		expectSent(t, e, "")
	})
}

// TestNamesOfOneThatStays: a machine keeps its name, with or without a change, and
// another resource wants it. That is an error in either order of the plans. A
// machine that leaves its name or is replaced is in nobody's way, nor is one in
// another group that gets the name of its group.
func TestNamesOfOneThatStays(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stays, other object
		twice        bool
	}{
		"something else does":    {named("web1", given{"keymap": "de"}), named("web1"), true},
		"it is renamed":          {named("web2"), named("web1"), false},
		"it moves":               {named("web1", inPrivate), named("web1"), false},
		"the other is elsewhere": {named("web1"), named("web1", inPrivate), false},
		"it is replaced":         {named("web1", given{"zone_name": "manchester"}), named("web2"), false},
		"replaced and wanted":    {named("web1", given{"zone_name": "manchester"}), named("web1"), true},
		"it is destroyed":        {nil, named("web1"), false},
		"the group is new":       {named("web1"), named("web1", given{"group": "new"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, named("web1", inYork))
				for _, first := range []bool{true, false} {
					one := e.NewDriver(t, nil).OneRun()
					one.Plan(ctx, "cloudserver_group", nil, object{"name": "new"})
					prior := one.MustRefresh(ctx, o)
					var plans []*acctest.PlanResult
					for _, stays := range []bool{first, !first} {
						if stays && test.stays != nil {
							config := object{"zone_name": "york"}
							maps.Copy(config, test.stays)
							plans = append(plans, one.Plan(ctx, vmType, prior, config))
						} else if stays {
							plans = append(plans, one.Plan(ctx, vmType, prior, nil))
						} else {
							plans = append(plans, one.Plan(ctx, vmType, nil, test.other))
						}
					}
					text := acctest.DiagText(plans[0].Diagnostics) + acctest.DiagText(plans[1].Diagnostics)
					if strings.Contains(text, "Two machines of this configuration") != test.twice || !test.twice && strings.Contains(text, "error") {
						t.Errorf("first %t:\n%s", first, text)
					}
				}
			})
		})
	}
}

// TestNamesOfAForcedReplacement: Terraform plans it as no change, and then as a
// creation.
func TestNamesOfAForcedReplacement(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, named("web1"))
		one := e.NewDriver(t, nil).OneRun()
		if plan := one.PlanReplace(ctx, one.MustRefresh(ctx, o), named("web1")); plan.Action != replace {
			t.Errorf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, named("web1")).Diagnostics, "Two machines of this configuration")
	})
}

// TestNamesOfAReplacement are not taken twice.
func TestNamesOfAReplacement(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(inYork))
		one := e.NewDriver(t, nil).OneRun()
		plan := one.Plan(ctx, vmType, one.MustRefresh(ctx, o), configured(given{"zone_name": "manchester"}))
		if plan.Action != replace {
			t.Errorf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
		one = e.NewDriver(t, nil).OneRun()
		plan = one.Plan(ctx, vmType, one.MustRefresh(ctx, o).Taint(), configured(inYork))
		if plan.Action != replace || strings.Contains(acctest.DiagText(plan.Diagnostics), "taken") {
			t.Errorf("plan of a tainted machine: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
	})
}

// TestNamesExchanged is refused at plan with the two steps that do it, within a
// group and between groups.
func TestNamesExchanged(t *testing.T) {
	t.Parallel()
	for name, from := range map[string][]string{"two": {"web1", "web2"}, "three": {"web1", "web2", "web3"}} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			var machines []*acctest.Object
			for _, name := range from {
				machines = append(machines, d.MustApply(ctx, vmType, nil, named(name)))
			}
			one := e.NewDriver(t, nil).OneRun()
			e.ResetJournal()
			var text string
			for i, o := range machines {
				machines[i] = one.MustRefresh(ctx, o)
			}
			for i, o := range machines {
				plan := one.Plan(ctx, vmType, o, named(from[(i+1)%len(from)]))
				text += acctest.DiagText(plan.Diagnostics)
				if last := i == len(machines)-1; (plan.Action == refused) != last {
					t.Errorf("machine %d: %s\n%s", i, plan.Action, text)
				}
			}
			if !strings.Contains(text, "Cannot exchange the names of machines in one apply") || !strings.Contains(text, "two steps") || strings.Contains(text, `The name "`) {
				t.Errorf("the plans say\n%s", text)
			}
			expectSent(t, e, "")
		})
	}
}

// TestNamesInAChain renames each machine to the old name of the next one,
// all at once: each waits for its name, and nothing fails.
func TestNamesInAChain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		from := []string{"web1", "web2", "web3", "web4"}
		var machines []*acctest.Object
		for _, name := range from {
			machines = append(machines, d.MustApply(ctx, vmType, nil, named(name)))
		}
		one := e.NewDriver(t, nil).OneRun()
		plans := make([]*acctest.PlanResult, len(machines))
		plans[0] = one.Plan(ctx, vmType, one.MustRefresh(ctx, machines[0]), nil) // count is one less
		for i := 1; i < len(machines); i++ {
			plans[i] = one.Plan(ctx, vmType, one.MustRefresh(ctx, machines[i]), named(from[i-1]))
			if len(plans[i].Diagnostics) > 0 {
				t.Errorf("plan %d:\n%s", i, acctest.DiagText(plans[i].Diagnostics))
			}
		}
		// The destroy comes last, as late as Terraform may do it.
		var wait sync.WaitGroup
		for i := len(plans) - 1; i >= 0; i-- {
			wait.Go(func() {
				time.Sleep(time.Duration(len(plans)-i) * 200 * time.Millisecond)
				if _, diags := one.Apply(ctx, vmType, plans[i]); acctest.HasErrors(diags) {
					t.Errorf("apply %d:\n%s", i, acctest.DiagText(diags))
				}
			})
		}
		wait.Wait()
		var names []string
		for _, m := range e.Machines() {
			names = append(names, m.Name)
		}
		if diff := cmp.Diff([]string{"web1", "web2", "web3"}, names); diff != "" {
			t.Error(diff)
		}
	})
}

// TestNamesInAGroupByID: a group is the same, whether it is given by name or by ID.
func TestNamesInAGroupByID(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, named("web1"))
		created := named("web1")
		created["group_id"] = o.Get("group_id")
		for name, twice := range map[string]bool{"web1": true, "web2": false} {
			one := e.NewDriver(t, nil).OneRun()
			one.Plan(ctx, vmType, one.MustRefresh(ctx, o), named(name))
			plan := one.Plan(ctx, vmType, nil, created)
			if text := acctest.DiagText(plan.Diagnostics); strings.Contains(text, "Two machines") != twice || acctest.HasErrors(plan.Diagnostics) != twice {
				t.Errorf("beside a machine that is to be %q, the plan says\n%s", name, text)
			}
		}
		one, run := e.NewDriver(t, nil).OneRun(), e.NewDriver(t, nil).OneRun()
		renamed := one.Plan(ctx, vmType, one.MustRefresh(ctx, o), named("web2"))
		added := one.Plan(ctx, vmType, nil, created)
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, diags := run.Apply(ctx, vmType, added); acctest.HasErrors(diags) {
				t.Errorf("apply:\n%s", acctest.DiagText(diags))
			}
		})
		time.Sleep(time.Second)
		if _, diags := run.Apply(ctx, vmType, renamed); acctest.HasErrors(diags) {
			t.Errorf("apply:\n%s", acctest.DiagText(diags))
		}
		wait.Wait()
	})
}

// TestNamesThatNobodyGivesUp are asked for once: the refusal comes at once.
func TestNamesThatNobodyGivesUp(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
		o := d.MustApply(ctx, vmType, nil, named("web1"))
		e.ResetJournal()
		began := time.Now()
		plan := d.Plan(ctx, vmType, o, named("taken"))
		if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, `The name "taken" is taken`) || !strings.Contains(text, fmt.Sprintf("id = %q", idOf(id))) {
			t.Errorf("the plan says\n%s", text)
		}
		_, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), "error at name: Cannot update", "has already been taken")
		expectSent(t, e, "PUT name=taken")
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// TestNamesOfCreateBeforeDestroy are named as the cause.
func TestNamesOfCreateBeforeDestroy(t *testing.T) {
	s := newShape(t)
	text := func(zone string) string {
		return web(fmt.Sprintf("  zone_name = %q\n  lifecycle { create_before_destroy = true }", zone))
	}
	s.apply(text("york"), "create zone_name=york")
	s.refuse(text("manchester"), "If it is the old machine of a replacement with create_before_destroy, use a name that differs")
	s.run(t)
}

// TestPlacesExchanged: two machines of one name that would exchange their groups
// are refused at plan, too.
func TestPlacesExchanged(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		first := d.MustApply(ctx, vmType, nil, configured(given{"group": "default"}))
		second := d.MustApply(ctx, vmType, nil, configured(inPrivate))
		one := e.NewDriver(t, nil).OneRun()
		first, second = one.MustRefresh(ctx, first), one.MustRefresh(ctx, second)
		e.ResetJournal()
		text := acctest.DiagText(one.Plan(ctx, vmType, first, configured(inPrivate)).Diagnostics)
		plan := one.Plan(ctx, vmType, second, configured(given{"group": "default"}))
		if plan.Action != refused || text != "" || !strings.Contains(acctest.DiagText(plan.Diagnostics), "Cannot exchange") {
			t.Errorf("%s, then %s\n%s", text, plan.Action, acctest.DiagText(plan.Diagnostics))
		}
		expectSent(t, e, "")
	})
}

// TestNameOfADestroyedMachine is taken by another resource of the same run: the
// creation waits for the destroy, and no warning says that the name is taken.
func TestNameOfADestroyedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		process := e.NewDriver(t, nil)
		one := process.OneRun()
		o = one.MustRefresh(ctx, o)
		gone, made := one.Plan(ctx, vmType, o, nil), one.Plan(ctx, vmType, nil, configured())
		if text := acctest.DiagText(append(gone.Diagnostics, made.Diagnostics...)); text != "" {
			t.Errorf("the plans say\n%s", text)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, diags := process.Apply(ctx, vmType, made); acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
		})
		time.Sleep(time.Second)
		if _, diags := process.Apply(ctx, vmType, gone); acctest.HasErrors(diags) {
			t.Error(acctest.DiagText(diags))
		}
		wait.Wait()
		if is := only(t, e); idOf(is.ID) == o.Get("id") {
			t.Error("the old machine is there")
		}
	})
}
