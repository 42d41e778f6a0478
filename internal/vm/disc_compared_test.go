package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// threeDiscs returns a machine with two discs besides the boot disc, so that two labels can change at the same time.
var threeDiscs = configured(off, given{"disc": discs("vda:25600", "data:5000:sata", "logs:6000:sata")})

// swapLabels swaps the labels of the second and third disc, as staff may do.
func swapLabels(e *acctest.Emulator, id int64, data, logs string) error {
	return e.Change(id, func(m *emulator.Machine) { m.Discs[1].Label, m.Discs[2].Label = data, logs })
}

// TestPlanThatFollowsLabelsAsksNobody: staff renamed two discs, and the configuration follows. The plan's decision does
// not depend on an answer that may be late or refused.
func TestPlanThatFollowsLabelsAsksNobody(t *testing.T) {
	t.Parallel()
	follows := configured(threeDiscs, given{"disc": discs("vda:25600", "theirs:5000:sata", "others:6000:sata")})
	for name, test := range map[string]struct {
		settings given
		fault    *emulator.Fault
	}{
		"quick":       {},
		"late":        {fault: &emulator.Fault{Delay: 11 * time.Second}},
		"unavailable": {fault: &emulator.Fault{Status: http.StatusServiceUnavailable}},
		"refused":     {fault: &emulator.Fault{Status: http.StatusForbidden}},
		"not asked":   {settings: given{"plan_checks": false}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			ctx, d := t.Context(), e.NewDriver(t, test.settings)
			o, _ := changeAndRefresh(t, d, e, threeDiscs, func(id int64) error { return swapLabels(e, id, "theirs", "others") })
			was := onlyMachine(t, e).Discs
			recovers := func() {}
			if test.fault != nil {
				test.fault.Match = func(r emulator.Request) bool { return strings.Contains(r.Path, "/virtual_machines") }
				recovers = e.Inject(*test.fault)
			}
			plan := d.Plan(ctx, vmType, o, follows)
			if plan.Action != update || len(plan.Diagnostics) > 0 || len(e.AllCalls()) > 0 {
				t.Errorf("%s, requests %v\n%s", plan.Action, e.AllCalls(), acctest.DiagText(plan.Diagnostics))
			}
			for i, disc := range was {
				if got := plan.Get(fmt.Sprintf("disc.%d.id", i)); got != idOf(disc.ID) {
					t.Errorf("disc %d is %v, want %d", i, got, disc.ID)
				}
			}
			recovers()
			o = mustApply(t, d, plan)
			expectSent(t, e, "")
			if got := privateState(t, o); got != `{"discs":{},"from":"no_image"}` {
				t.Errorf("the private state is %s", got)
			}
			d.ExpectPlan(ctx, o, follows, noop)
		})
	}
}

// TestDiscsThatNobodyCompared: if no read has compared the labels, a plan does not guess which discs are new and which
// were renamed.
func TestDiscsThatNobodyCompared(t *testing.T) {
	t.Parallel()
	const cannot = `Cannot tell the discs of virtual machine "web1" apart`
	for name, test := range map[string]struct {
		had, after objects
		refused    bool
	}{
		"two labels changed": {
			after:   discs("vda:25600", "theirs:5000:sata", "others:6000:sata"),
			refused: true,
		},
		"one added and one removed": {after: discs("vda:25600", "logs:6000:sata", "more:100"), refused: true},
		"one label changed":         {after: discs("vda:25600", "theirs:5000:sata", "logs:6000:sata")},
		"both removed":              {after: discs("vda:25600")},
		"one added":                 {after: discs("vda:25600", "data:5000:sata", "logs:6000:sata", "more:100")},
		"another grade, of two discs": {
			had:   discs("vda:25600", "data:5000:sata"),
			after: discs("vda:25600", "more:5000:ssd"),
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			ctx, before := t.Context(), threeDiscs
			if test.had != nil {
				before = configured(threeDiscs, given{"disc": test.had})
			}
			o, after := d.MustApply(ctx, vmType, nil, before), configured(threeDiscs, given{"disc": test.after})
			old := withPrivate(t, o, `{"from":"no_image"}`)
			plan := d.Plan(ctx, vmType, old, after)
			if text := acctest.DiagText(acctest.Errors(plan.Diagnostics)); strings.Contains(text, cannot) != test.refused || (text != "") != test.refused {
				t.Errorf("refused %t:\n%s", test.refused, text)
			}
			for _, known := range []*acctest.Object{o, d.MustRefresh(ctx, old)} { // the creation has compared them, and so does a refresh
				if plan := d.Plan(ctx, vmType, known, after); plan.Action != update {
					t.Error(acctest.DiagText(plan.Diagnostics))
				}
			}
		})
	}
}

// TestPurgeOfADiscWithTheLabelOfABlock: after the last refresh a disc got the label of a block, so the plan purges it
// and adds an empty one. The disc is read before anything is sent, and again right before it is purged.
func TestPurgeOfADiscWithTheLabelOfABlock(t *testing.T) {
	t.Parallel()
	after := configured(threeDiscs, given{"disc": discs("vda:25600", "logs:6000:sata", "theirs:5000:sata")})
	for name, late := range map[string]bool{"before the update": false, "while the machine shuts down": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			running := given{"power_on": true, "autoreboot_on": true}
			o := d.MustApply(ctx, vmType, nil, configured(threeDiscs, running))
			id := onlyMachine(t, e).ID
			plan := d.Plan(ctx, vmType, o, configured(after, running, given{"cores": 2, leave: true}))
			expectSays(t, plan.Warnings(), `Discs will be purged: "data"`, `lost: "data" (ID `)
			rename := func() {
				if err := swapLabels(e, id, "theirs", "logs"); err != nil {
					t.Error(err)
				}
			}
			if late {
				e.Inject(emulator.Fault{Times: 1, Match: func(r emulator.Request) bool {
					if strings.HasSuffix(r.Path, "/signal") {
						go rename() // the emulator is busy with this request
					}
					return false
				}})
			} else {
				rename()
			}
			e.ResetJournal()
			failed := expectApplyFailure(t, d, plan, "error at disc: Cannot purge", `the service calls that disc "theirs" now`, "may be meant for either")
			for _, call := range e.Calls() {
				if strings.HasPrefix(call, http.MethodDelete) || !late {
					t.Errorf("sent %s", call)
				}
			}
			if is := onlyMachine(t, e); len(is.Discs) != 3 || !is.PowerOn {
				t.Errorf("the machine is %+v", is)
			}
			o = d.MustRefresh(ctx, failed)
			final := configured(after, running)
			if late { // earlier steps are kept
				final["cores"], final[leave] = 2, true
			}
			plan = d.ExpectPlan(ctx, o, final, update)
			if got, want := plan.Get("disc.2.id"), idOf(onlyMachine(t, e).Discs[1].ID); got != want {
				t.Errorf("the block means %v, want %s", got, want)
			}
		})
	}
}

// TestDiscsThatExchangedLabels: if one of the two blocks is removed from the configuration, the other block may be
// meant for its disc.
func TestDiscsThatExchangedLabels(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o, _ := changeAndRefresh(t, d, e, threeDiscs, func(id int64) error { return swapLabels(e, id, "logs", "data") })
		d.ExpectPlan(ctx, o, threeDiscs, noop)
		without := configured(threeDiscs, given{"disc": discs("vda:25600", "data:5000:sata")})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, without).Diagnostics, `Cannot purge disc "logs"`, `the service calls that disc "data" now`, "apply another label for that block first, alone")
		kept := onlyMachine(t, e).Discs[1].ID // as the error advises
		o = applyCleanly(t, d, e, o, configured(threeDiscs, given{"disc": discs("vda:25600", "mine:5000:sata", "logs:6000:sata")}), "PUT disc label=mine")
		applyCleanly(t, d, e, o, configured(threeDiscs, given{"disc": discs("vda:25600", "mine:5000:sata")}), "DELETE disc?purge=true")
		if left := onlyMachine(t, e).Discs; len(left) != 2 || left[1].ID != kept {
			t.Errorf("left: %+v", left)
		}
	})
}

// TestPrivateStateOfDiscs: it has only what differs from the state, and that a refresh has seen the discs if that
// matters.
func TestPrivateStateOfDiscs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		image := given{"reimage.distribution": "bookworm", "reimage.root_password": "test-only"}
		two, three := configured(twoDiscs, image), configured(threeDiscs, image)
		expect := func(o *acctest.Object, want string) *acctest.Object {
			t.Helper()
			for range 2 {
				if got := privateState(t, o); got != want {
					t.Errorf("the private state is %s, want %s", got, want)
				}
				o = d.MustRefresh(ctx, o)
			}
			return o
		}
		o := expect(d.MustApply(ctx, vmType, nil, two), "")
		o = expect(d.MustApply(ctx, vmType, o, three), `{"discs":{}}`)
		id := onlyMachine(t, e).ID
		if err := swapLabels(e, id, "theirs", "logs"); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		o = expect(o, fmt.Sprintf(`{"discs":{"%d":{"label":"theirs","grade":"sata"}}}`, onlyMachine(t, e).Discs[1].ID))
		o = expect(d.MustApply(ctx, vmType, o, configured(three, given{"keymap": "de"})), privateState(t, o))
		follows := configured(three, given{"keymap": "de", "disc": discs("vda:25600", "theirs:5000:sata", "logs:6000:sata")})
		o = expect(d.MustApply(ctx, vmType, o, follows), `{"discs":{}}`)
		expect(d.MustApply(ctx, vmType, o, configured(two, given{"keymap": "de", "disc": discs("vda:25600", "theirs:5000:sata")})), "")
	})
}
