package vm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// shift returns machines of which each takes the name of the one before. The
// first is destroyed, as when the first element of a list is removed.
func shift(n int) func(*testing.T, *acctest.Driver) []renamed {
	return func(t *testing.T, d *acctest.Driver) []renamed {
		wishes := ring(n)(t, d)
		wishes[0].config = nil
		return wishes
	}
}

// ring returns machines of which each takes the name of the one before, and the first
// that of the last.
func ring(n int) func(*testing.T, *acctest.Driver) []renamed {
	return func(t *testing.T, d *acctest.Driver) (wishes []renamed) {
		for i := range n {
			wishes = append(wishes, renamed{d.MustApply(t.Context(), vmType, nil, named(fmt.Sprintf("web%d", i))), named(fmt.Sprintf("web%d", (i+n-1)%n))})
		}
		return wishes
	}
}

// exchangedPlaces returns two machines of one name that exchange their groups.
func exchangedPlaces(t *testing.T, d *acctest.Driver) []renamed {
	one := d.MustApply(t.Context(), vmType, nil, named("web1"))
	two := d.MustApply(t.Context(), vmType, nil, named("web1", inPrivate))
	return []renamed{{one, named("web1", given{"group_id": privateID})}, {two, named("web1", given{"group_id": defaultID})}}
}

// slowDestroy returns a shift whose first machine has a guest that does not shut down.
func slowDestroy(t *testing.T, d *acctest.Driver) []renamed {
	wishes := shift(5)(t, d)
	slow := named("web0", given{"shutdown_before_destroy": true, "shutdown_timeout": "3m"})
	wishes[0].o = d.MustApply(t.Context(), vmType, wishes[0].o, slow)
	return wishes
}

// TestNamesWithinOneApply: names go round, however Terraform orders the machines.
func TestNamesWithinOneApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		make     func(*testing.T, *acctest.Driver) []renamed
		parallel int
		applies  int
		killed   time.Duration
	}{
		{"exchange", ring(2), 2, 1, 0},
		{"exchange", ring(2), 1, 3, 0},
		{"places", exchangedPlaces, 10, 1, 0},
		{"places", exchangedPlaces, 1, 3, 0},
		{"shift of 2", shift(2), 1, 3, 0},
		{"shift of 15", shift(15), 15, 1, 0},
		{"shift of 15", shift(15), 2, 3, 0},
		{"ring of 15", ring(15), 10, 1, 0},
		{"ring of 15", ring(15), 1, 3, 0},
		{"slow destroy", slowDestroy, 10, 1, 0},
		{"killed", ring(15), 10, 3, 2 * time.Second},
		{"killed", shift(15), 2, 4, 20 * time.Second},
	} {
		for _, order := range []string{"forwards", "backwards", "shuffled"} {
			options := emulator.Options{Latency: 50 * time.Millisecond, BootTime: time.Nanosecond, ShutdownTime: time.Hour}
			inWorldNamed(t, fmt.Sprintf("%s at %d %s", c.name, c.parallel, order), options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				wishes := c.make(t, d)
				switch order {
				case "backwards":
					slices.Reverse(wishes)
				case "shuffled":
					rand.Shuffle(len(wishes), func(i, j int) { wishes[i], wishes[j] = wishes[j], wishes[i] })
				}
				run := terraform{t: t, e: e, parallel: c.parallel, killed: c.killed}
				for applies := 1; ; applies++ {
					failures := run.apply(wishes)
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
				run.expectNames(wishes)
			})
		}
	}
}

// TestNameTakenAtARename plans renames and moves of machines onto names that
// others have, with a provider that has read nothing yet, also where the group has
// another name than in the state, because the same apply has just renamed it.
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
			{first, named("web1", given{"cores": 1}), ""},
			{second, named("taken"), `The name "taken" is taken in group "default" of account "demo"`},
			{first, named("taken"), `The name "taken" is taken in group "default" of account "demo"`},
			{first, named("free"), ""},
			{first, named("web2"), ""}, // its holder is in the state: the plan may free the name
			{first, named("web1", inPrivate), `The name "web1" is taken in group "private" of account "demo"`},
			{first, named("free", inPrivate), ""},
			{third, named("free", in), ""},
			{third, named("taken", in), `The name "taken" is taken`},
			{nil, named("taken", in), `The name "taken" is taken in group ` + in["group_id"].(string)},
		} {
			plan := d.Plan(ctx, vmType, test.of, test.to)
			text := acctest.DiagText(plan.Diagnostics)
			if plan.Action == refused || !strings.Contains(text, test.warns) || strings.Contains(text, "is taken") != (test.warns != "") {
				t.Errorf("%v to %v: %s\n%s", test.of, test.to, plan.Action, text)
			}
		}
	})
}

// TestNamesTwice: two new machines of one name are refused at plan; in other groups,
// through other providers, and one in place of another, they are not.
func TestNamesTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		old := d.MustApply(ctx, vmType, nil, named("old", inYork))
		one := e.NewDriver(t, nil).OneRun()
		old = one.MustRefresh(ctx, old)
		e.ResetJournal()
		for name, plan := range map[string]*acctest.PlanResult{
			"the first":           one.Plan(ctx, vmType, nil, named("web1")),
			"another group":       one.Plan(ctx, vmType, nil, named("web1", inPrivate)),
			"another name":        one.Plan(ctx, vmType, nil, named("web2")),
			"another provider":    e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, nil, named("web1")),
			"a replacement":       one.Plan(ctx, vmType, old, named("old", given{"zone_name": "manchester"})),
			"a taint":             e.NewDriver(t, nil).OneRun().Plan(ctx, vmType, old.Taint(), named("old", inYork)),
			"a forced replacment": e.NewDriver(t, nil).OneRun().PlanReplace(ctx, old, named("old", inYork)),
		} {
			if plan.Action != create && plan.Action != replace || strings.Contains(acctest.DiagText(plan.Diagnostics), "named") {
				t.Errorf("%s: %s\n%s", name, plan.Action, acctest.DiagText(plan.Diagnostics))
			}
		}
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, named("web1")).Diagnostics, "error at name:", `Two machines of this configuration are named "web1"`, "count.index")
		expectSent(t, e, "")
	})
}

// TestNameOfAStranger is given up within seconds: the machine keeps its own, and
// the error says who holds the name. Nobody waits for a soft-deleted machine.
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
				after := fails(t, d, plan, "error at name: Cannot", "has already been taken", idOf(id))
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

// TestNameThatASoftDeleteKeeps: one resource is destroyed, and another is to have
// its name. Terraform may ask for either first.
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
