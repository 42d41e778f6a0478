package vm_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shift returns machines of which each gets the name of the previous one. The first one is destroyed, as if the first
// element of a list was removed.
func shift(n int) func(*testing.T, *acctest.Driver) []transition {
	return func(t *testing.T, d *acctest.Driver) []transition {
		transitions := ring(n)(t, d)
		transitions[0].config = nil
		return transitions
	}
}

// ring returns machines of which each gets the name of the previous one, and the first one that of the last.
func ring(n int) func(*testing.T, *acctest.Driver) []transition {
	return func(t *testing.T, d *acctest.Driver) (transitions []transition) {
		for i := range n {
			transitions = append(transitions, transition{d.MustApply(t.Context(), vmType, nil, named(fmt.Sprintf("web%d", i))), named(fmt.Sprintf("web%d", (i+n-1)%n))})
		}
		return transitions
	}
}

// swapGroups returns two machines with the same name that swap their groups.
func swapGroups(t *testing.T, d *acctest.Driver) []transition {
	one := d.MustApply(t.Context(), vmType, nil, named("web1"))
	two := d.MustApply(t.Context(), vmType, nil, named("web1", inPrivate))
	return []transition{{one, named("web1", given{"group_id": privateID})}, {two, named("web1", given{"group_id": defaultID})}}
}

// slowDestroy returns a shift whose first machine has a guest that does not shut down.
func slowDestroy(t *testing.T, d *acctest.Driver) []transition {
	transitions := shift(5)(t, d)
	slow := named("web0", given{"shutdown_before_destroy": true, "shutdown_timeout": "3m"})
	transitions[0].o = d.MustApply(t.Context(), vmType, transitions[0].o, slow)
	return transitions
}

// TestNamesWithinOneApply: names are passed on, in whatever order Terraform updates the machines.
func TestNamesWithinOneApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		make     func(*testing.T, *acctest.Driver) []transition
		parallel int
		applies  int
		killed   time.Duration
	}{
		{name: "exchange", make: ring(2), parallel: 2, applies: 1},
		{name: "exchange", make: ring(2), parallel: 1, applies: 3},
		{name: "groups", make: swapGroups, parallel: 10, applies: 1},
		{name: "groups", make: swapGroups, parallel: 1, applies: 3},
		{name: "shift of 2", make: shift(2), parallel: 1, applies: 3},
		{name: "shift of 12", make: shift(12), parallel: 12, applies: 1},
		{name: "shift of 12", make: shift(12), parallel: 2, applies: 3},
		{name: "ring of 12", make: ring(12), parallel: 10, applies: 1},
		{name: "ring of 12", make: ring(12), parallel: 1, applies: 3},
		{name: "slow destroy", make: slowDestroy, parallel: 10, applies: 1},
		{name: "killed", make: ring(12), parallel: 10, applies: 3, killed: 2 * time.Second},
		{name: "killed", make: shift(12), parallel: 2, applies: 4, killed: 20 * time.Second},
	} {
		for _, order := range []string{"forwards", "backwards", "shuffled"} {
			options := emulator.Options{Latency: 50 * time.Millisecond, BootTime: time.Nanosecond, ShutdownTime: time.Hour}
			inWorldNamed(t, fmt.Sprintf("%s at %d %s", c.name, c.parallel, order), options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				transitions := c.make(t, d)
				switch order {
				case "backwards":
					slices.Reverse(transitions)
				case "shuffled":
					acctest.Random(t).Shuffle(len(transitions), func(i, j int) { transitions[i], transitions[j] = transitions[j], transitions[i] })
				}
				run := terraform{t: t, e: e, parallel: c.parallel, killed: c.killed}
				for applies := 1; ; applies++ {
					failures := run.apply(transitions)
					for _, text := range failures {
						if run.killed == 0 && !strings.Contains(text, "apply again") {
							t.Errorf("apply %d:\n%s", applies, text)
						}
					}
					if len(failures) == 0 && run.killed == 0 {
						break
					}
					if applies == c.applies {
						t.Fatalf("not done after %d applies:\n%s", applies, failures[0])
					}
					run.killed = 0
				}
				run.expectNames(transitions)
			})
		}
	}
}

// TestNameTakenAtARename plans renames and moves to names that other machines have, with a provider that has read nothing
// yet. In some cases the same apply has just renamed the group, so it has another name than in the state.
func TestNameTakenAtARename(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
		e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
		in := given{"group_id": idOf(e.AddGroup(emulator.DemoAccount, "blue", false))}
		e.AddMachine(emulator.DemoAccount, "blue", emulator.Machine{Name: "taken"})
		first, second := d.MustApply(ctx, vmType, nil, named("web1")), d.MustApply(ctx, vmType, nil, named("web2"))
		third := d.MustApply(ctx, vmType, nil, named("web3", in))
		if err := e.RenameGroup(emulator.DemoAccount, "blue", "red"); err != nil {
			t.Fatal(err)
		}
		d = e.NewDriver(t, nil)
		for _, test := range []struct {
			of    *acctest.Object
			to    object
			warns string // "" for none
		}{
			{of: first, to: named("web1", given{"cores": 1})},
			{
				of:    second,
				to:    named("taken"),
				warns: ` in group "default" of account "demo" has the name "taken"`,
			},
			{
				of:    first,
				to:    named("taken"),
				warns: ` in group "default" of account "demo" has the name "taken"`,
			},
			{of: first, to: named("free")},
			{of: first, to: named("web2")}, // its holder is in the state: the plan may free the name
			{
				of:    first,
				to:    named("web1", inPrivate),
				warns: ` in group "private" of account "demo" has the name "web1"`,
			},
			{of: first, to: named("free", inPrivate)},
			{of: third, to: named("free", in)},
			{of: third, to: named("taken", in), warns: "is taken"},
			{to: named("taken", in), warns: `in group "red"`}, // the group has a name although it is configured by its ID
		} {
			plan := d.Plan(ctx, vmType, test.of, test.to)
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action == refused || !strings.Contains(text, test.warns) || strings.Contains(text, "is taken") != (test.warns != "") {
				t.Errorf("%v to %v: %s\n%s", test.of, test.to, plan.Action, text)
			}
		}
	})
}

// TestNamesTwice: two new machines with the same name are refused at plan, unless they are in different groups, belong
// to different providers, or one replaces the other.
func TestNamesTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		old := d.MustApply(ctx, vmType, nil, named("old", inYork))
		one := e.NewDriver(t, nil).OneRun()
		old = one.MustRefresh(ctx, old)
		e.ResetJournal()
		for name, plan := range map[string]*acctest.PlanResult{
			"the first":            one.Plan(ctx, vmType, nil, named("web1")),
			"another group":        one.Plan(ctx, vmType, nil, named("web1", inPrivate)),
			"another name":         one.Plan(ctx, vmType, nil, named("web2")),
			"another provider":     e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, nil, named("web1")),
			"a replacement":        one.Plan(ctx, vmType, old, named("old", given{"zone_name": "manchester"})),
			"a taint":              e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, old.Taint(), named("old", inYork)),
			"a forced replacement": e.NewDriver(t, nil).OneRun().PlanReplace(ctx, old, named("old", inYork)),
		} {
			if plan.Action != create && plan.Action != replace || strings.Contains(acctest.DiagText(plan.Diagnostics), "named") {
				t.Errorf("%s: %s\n%s", name, plan.Action, acctest.DiagText(plan.Diagnostics))
			}
		}
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, named("web1")).Diagnostics, "error at name:", `Two machines of this configuration are named "web1"`, "count.index")
		expectSent(t, e, "")
	})
}

// TestNamesOfRenamedMachines: it is an error if two machines get the same name. The error names both, whichever Terraform
// plans first. A forced replacement is planned twice, but counts as one machine.
func TestNamesOfRenamedMachines(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		web1, web2 := d.MustApply(ctx, vmType, nil, named("web1", inYork)), d.MustApply(ctx, vmType, nil, named("web2", inYork))
		groupID := web1.Get("group_id").(string)
		type wish struct {
			o      *acctest.Object
			config object
		}
		first, second := fmt.Sprintf(`virtual machine "web1" (ID %s)`, web1.Get("id")), fmt.Sprintf(`virtual machine "web2" (ID %s)`, web2.Get("id"))
		for name, test := range map[string]struct {
			one, other wish
			says       []string // nothing: they do not collide
		}{
			"both renamed": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{web2, named("web9", inYork)},
				says:  []string{first, second},
			},
			"a new one": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{nil, named("web9")},
				says:  []string{first, "a new machine"},
			},
			"a new one, group by ID": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{nil, named("web9", given{"group_id": groupID})},
				says:  []string{first, "a new machine"},
			},
			"one moved": {
				one:   wish{web1, named("web9", inYork, inPrivate)},
				other: wish{web2, named("web9", inYork, inPrivate)},
				says:  []string{first, second},
			},
			"one replaced": {
				one:   wish{web1, named("web9", given{"zone_name": "manchester"})},
				other: wish{web2, named("web9", inYork)},
				says:  []string{first, second},
			},
			"in another group": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{web2, named("web9", inYork, inPrivate)},
			},
			"another name": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{web2, named("web8", inYork)},
			},
			"exchanged": {
				one:   wish{web1, named("web2", inYork)},
				other: wish{web2, named("web1", inYork)},
			},
			"one machine, planned again": {
				one:   wish{web1, named("web9", inYork)},
				other: wish{web1, named("web9", inYork)},
			},
		} {
			for i, order := range [][]wish{{test.one, test.other}, {test.other, test.one}} {
				one := e.NewDriver(t, nil).OneRun()
				before := one.Plan(ctx, vmType, order[0].o, order[0].config).Errors()
				after := one.Plan(ctx, vmType, order[1].o, order[1].config).Errors()
				if len(before) > 0 || len(test.says) == 0 && len(after) > 0 {
					t.Errorf("%s, order %d: %s%s", name, i, acctest.DiagText(before), acctest.DiagText(after))
				}
				if len(test.says) > 0 {
					acctest.ExpectError(t, after, append(test.says, `error at name: Two machines of this configuration are to be named "web9"`)...)
				}
			}
		}
		forced := e.NewDriver(t, nil).OneRun()
		if plan := forced.PlanReplace(ctx, web1, named("web9", inYork)); plan.Action != replace {
			t.Errorf("a forced replacement: %s", acctest.DiagText(plan.Diagnostics))
		}
		acctest.ExpectError(t, forced.Plan(ctx, vmType, web2, named("web9", inYork)).Diagnostics, first, second) // named by the first plan
		o := d.MustApply(ctx, vmType, web1, named("web9", inYork))                                               // the mark of a plan ends with it
		for _, private := range []string{string(o.Private), string(d.MustRefresh(ctx, o).Private)} {
			if strings.Contains(private, "first_plan") {
				t.Errorf("the private state has %s", private)
			}
		}
	})
}

// TestMachinesOfCountMoveUp: a list has lost its first element, so the plan renames each machine and destroys the last
// one. Terraform plans the instances in any order.
func TestMachinesOfCountMoveUp(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		web2, web3 := d.MustApply(ctx, vmType, nil, named("web2")), d.MustApply(ctx, vmType, nil, named("web3"))
		want := fmt.Sprintf(`"web3" (ID %s) is destroyed, and "web2" (ID %s) takes its name.`, web3.Get("id"), web2.Get("id"))
		for _, destroyFirst := range []bool{true, false} {
			one := e.NewDriver(t, nil).OneRun()
			var first, second *acctest.PlanResult
			renamed := func() *acctest.PlanResult { return one.Plan(ctx, vmType, web2, named("web3")) }
			destroyed := func() *acctest.PlanResult { return one.Plan(ctx, vmType, web3, nil) }
			if destroyFirst {
				first, second = destroyed(), renamed()
			} else {
				first, second = renamed(), destroyed()
			}
			if text := acctest.DiagText(first.Diagnostics); strings.Contains(text, "takes its name") {
				t.Errorf("destroyed first %t: the first says\n%s", destroyFirst, text)
			}
			expectSays(t, second.Warnings(), "warning at name: A machine is destroyed, and another one takes its name", want, "for_each", `to   = cloudserver_vm.web["web2"]`)
		}
		// A new machine, or one with another name, was not moved up by count.
		for _, later := range []struct {
			o      *acctest.Object
			config object
		}{{nil, named("web3")}, {web2, named("web4")}, {web2, named("web2")}} {
			one := e.NewDriver(t, nil).OneRun()
			one.Plan(ctx, vmType, web3, nil)
			if text := acctest.DiagText(one.Plan(ctx, vmType, later.o, later.config).Diagnostics); strings.Contains(text, "takes its name") {
				t.Errorf("%v: %s", later.config, text)
			}
		}
	})
}

// TestResourceThatWasMovedWithoutABlock: a resource got another address, so its machine is destroyed and another of its
// name is created. Whichever plan comes second says so, with the ID and the block that keeps the machine. A replacement
// is no such thing.
func TestResourceThatWasMovedWithoutABlock(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		web1 := d.MustApply(ctx, vmType, nil, named("web1"))
		for _, destroyFirst := range []bool{true, false} {
			one := e.NewDriver(t, nil).OneRun()
			var second *acctest.PlanResult
			if destroyFirst {
				one.Plan(ctx, vmType, web1, nil)
				second = one.Plan(ctx, vmType, nil, named("web1"))
			} else {
				one.Plan(ctx, vmType, nil, named("web1"))
				second = one.Plan(ctx, vmType, web1, nil)
			}
			expectSays(t, second.Warnings(), `A machine is destroyed, and a new one gets its name: "web1"`, fmt.Sprintf(`"web1" (ID %s)`, web1.Get("id")), "add a block moved", "from = cloudserver_vm.OLD")
		}
		replaced := e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, web1, configured(named("web1"), given{"zone_name": "manchester"}))
		if text := acctest.DiagText(replaced.Diagnostics); replaced.Action != replace || strings.Contains(text, "gets its name") {
			t.Errorf("a replacement: %s\n%s", replaced.Action, text)
		}
	})
}

// TestNameOfAStranger: the update gives up within seconds. The machine keeps its name, and the error names the machine
// that has the wanted one. There is no wait for a soft-deleted machine.
func TestNameOfAStranger(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]bool{"live": false, "soft-deleted": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "taken"})
			if deleted {
				e.SoftDelete(id)
			}
			o := d.MustApply(ctx, vmType, nil, named("web1"))
			for _, prior := range []*acctest.Object{o, nil} {
				e.ResetJournal()
				plan := d.Plan(ctx, vmType, prior, named("taken", given{"cores": 2, leave: true}))
				if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, "warning at name") || !strings.Contains(text, fmt.Sprintf("id = %q", idOf(id))) {
					t.Errorf("the plan says\n%s", text)
				}
				began := time.Now()
				after := expectApplyFailure(t, d, plan, "error at name: Cannot", "has already been taken", idOf(id))
				switch took := time.Since(began); {
				case took > 15*time.Second, deleted && took > time.Second:
					t.Errorf("took %s", took)
				case prior == nil:
					continue
				case after.Get("name") != "web1" || after.Get("cores") != o.Get("cores"):
					t.Errorf("the state has %v", after.Get(""))
				case deleted:
					expectSent(t, e, "PUT name=taken")
				}
			}
		})
	}
}

// TestMoveToANameOfASoftDeletedMachine: a soft-deleted machine keeps its name, so the moved machine does not step aside,
// even if the plan has not looked up the account of the new group.
func TestMoveToANameOfASoftDeletedMachine(t *testing.T) {
	t.Parallel()
	for _, checks := range []bool{true, false} {
		inBubbleNamed(t, fmt.Sprintf("plan_checks %t", checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": checks})
			o := d.MustApply(t.Context(), vmType, nil, configured())
			there := e.AddGroup(emulator.DemoAccount, "there", false)
			e.SoftDelete(e.AddMachine(emulator.DemoAccount, "there", emulator.Machine{Name: "kept"}))
			e.ResetJournal()
			expectFailure(t, d, o, configured(given{"name": "kept", "group_id": idOf(there)}), "Cannot rename", "soft-deleted machine", "undelete it")
			for _, request := range e.Journal() {
				if strings.Contains(string(request.Body), "renaming-") {
					t.Errorf("it steps aside: %s %s %s", request.Method, request.Path, request.Body)
				}
			}
		})
	}
}

// TestNameThatASoftDeleteKeeps: one resource is destroyed softly, and another one gets its name, in either order.
func TestNameThatASoftDeleteKeeps(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		for purge, warned := range map[bool]bool{true: false, false: true} {
			name := fmt.Sprintf("web-%t", purge)
			o := d.MustApply(ctx, vmType, nil, named(name, given{"purge_on_destroy": purge}))
			second := d.MustApply(ctx, vmType, nil, named("other-"+name))
			for _, later := range []*acctest.Object{nil, second} {
				for _, destroyFirst := range []bool{true, false} {
					one := e.NewDriver(t, nil).OneRun()
					o = one.MustRefresh(ctx, o)
					var said string
					for _, destroy := range []bool{destroyFirst, !destroyFirst} {
						if destroy {
							said += acctest.DiagText(one.Plan(ctx, vmType, o, nil).Diagnostics)
						} else {
							said += acctest.DiagText(one.Plan(ctx, vmType, later, named(name)).Diagnostics)
						}
					}
					if strings.Contains(said, "stays taken") != warned || strings.Contains(said, "error") {
						t.Errorf("purged %t, destroyed first %t:\n%s", purge, destroyFirst, said)
					}
				}
			}
		}
	})
}

// TestReplacementWithoutRefresh: without a refresh, a plan does not warn that a name is taken by the machine that it
// replaces. It warns if the machine with the name is in no state.
func TestReplacementWithoutRefresh(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		old := d.MustApply(ctx, vmType, nil, named("web1", inYork))
		for name, plan := range map[string]func(one *acctest.Driver) *acctest.PlanResult{
			"a replacement": func(one *acctest.Driver) *acctest.PlanResult {
				return one.Plan(ctx, vmType, old, named("web1", given{"zone_name": "manchester"}))
			},
			"a taint": func(one *acctest.Driver) *acctest.PlanResult {
				return one.Plan(ctx, vmType, old.Taint(), named("web1", inYork))
			},
			"a forced replacement": func(one *acctest.Driver) *acctest.PlanResult {
				return one.PlanReplace(ctx, old, named("web1", inYork))
			},
		} {
			one := e.NewDriver(t, nil).OneRun()
			if diags := one.Upgrade(ctx, old); len(diags) > 0 {
				t.Error(acctest.DiagText(diags))
			}
			planned := plan(one)
			if text := acctest.DiagText(planned.Diagnostics); planned.Action != replace || strings.Contains(text, "is taken") {
				t.Errorf("%s: %s\n%s", name, planned.Action, text)
			}
		}
		if text := acctest.DiagText(e.NewDriver(t, nil).Plan(ctx, vmType, nil, named("web1")).Diagnostics); !strings.Contains(text, "is taken") {
			t.Errorf("a stranger: %s", text)
		}
	})
}

// TestNameTakenAtACreation: the error of a creation names the cause that the provider can see, and has at most one link.
func TestNameTakenAtACreation(t *testing.T) {
	t.Parallel()
	refused := emulator.Fault{
		Status: http.StatusBadRequest, Body: `{"name": ["has already been taken"]}`,
		Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
	}
	const (
		block     = "import {\n  to = cloudserver_vm.NAME # the address of this resource\n  id = \"1004\"\n}"
		workspace = "If no workspace manages it, not even by this resource, import it"
		page      = "troubleshooting.md#the-name-is-taken"
	)
	for name, test := range map[string]struct {
		world func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)
		says  []string
		not   string
	}{
		"in this state": {
			func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				o := e.NewDriver(t, nil).MustApply(t.Context(), vmType, nil, configured())
				d.Plan(t.Context(), vmType, o, configured(given{"cores": 2})) // an apply plans each changed resource again
			},
			[]string{`The machine "web1" in this group (ID 1004) is in this state, under another address.`, "add a block moved", page},
			"import",
		},
		"foreign": {
			func(_ *testing.T, _ *acctest.Driver, e *acctest.Emulator) { addTwin(e) },
			[]string{`Virtual machine 1004 in this group has the name "web1".`, workspace, block, page},
			"moved",
		},
		"soft-deleted": {func(_ *testing.T, _ *acctest.Driver, e *acctest.Emulator) { e.SoftDelete(addTwin(e)) }, []string{"A soft-deleted machine (ID 1004) still holds the name", block}, page},
		"in another group": {
			func(_ *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
				e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"})
				e.Inject(refused)
			},
			[]string{`Virtual machine 1004 in group "private" has the name "web1".`, workspace, block, page},
			"moved",
		},
		"soft-deleted in another group": {
			func(_ *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
				e.SoftDelete(e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: "web1"}))
				e.Inject(refused)
			},
			[]string{`A soft-deleted machine (ID 1004) still holds the name "web1" in group "private".`, block},
			page,
		},
		"in this state, in another group": {
			func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				o := e.NewDriver(t, nil).MustApply(t.Context(), vmType, nil, configured(given{"group": emulator.PrivateGroup}))
				d.Plan(t.Context(), vmType, o, configured(given{"group": emulator.PrivateGroup, "cores": 2}))
				e.Inject(refused)
			},
			[]string{`The machine "web1" in group "private" (ID 1004) is in this state, under another address.`, page},
			"import",
		},
		"out of sight": {
			func(_ *testing.T, _ *acctest.Driver, e *acctest.Emulator) { e.Inject(refused) },
			[]string{`These credentials see no machine of the name "web1" in account "demo".`, "Choose another name", page},
			"import",
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			plan := d.Plan(t.Context(), vmType, nil, configured())
			d = d.OneRun()
			test.world(t, d, e)
			_, diags := d.Apply(t.Context(), vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), test.says...)
			if text := acctest.DiagText(diags); strings.Contains(text, test.not) || strings.Count(text, "https://") > 1 {
				t.Errorf("want nothing of %q, and one link:\n%s", test.not, text)
			}
		})
	}
}
