// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// inWorld runs a test with its own provider and emulator in simulated time. Machines boot in 34 seconds and shut down
// in 5, unless the options set other times.
func inWorld(t *testing.T, options emulator.Options, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	t.Parallel()
	options.BootTime, options.ShutdownTime = cmp.Or(options.BootTime, 34*time.Second), cmp.Or(options.ShutdownTime, 5*time.Second)
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, options, nil)
		test(t, d, e)
	})
}

// inWorldNamed is inWorld as a subtest.
func inWorldNamed(t *testing.T, name string, options emulator.Options, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { inWorld(t, options, test) })
}

// inBubble is inWorld with a plain emulator.
func inBubble(t *testing.T, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	inWorld(t, emulator.Options{}, test)
}

// inBubbleNamed is inBubble as a subtest.
func inBubbleNamed(t *testing.T, name string, test func(t *testing.T, d *acctest.Driver, e *acctest.Emulator)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { inBubble(t, test) })
}

// applyCleanly refreshes, plans and applies a configuration, which must succeed, compares what was sent, and checks
// that the next plan is empty.
func applyCleanly(
	t *testing.T, d *acctest.Driver, e *acctest.Emulator, o *acctest.Object, config object, wantSent string,
) *acctest.Object {
	t.Helper()
	e.ResetJournal()
	o = d.MustApply(t.Context(), vmType, d.MustRefresh(t.Context(), o), config)
	expectSent(t, e, wantSent)
	d.ExpectPlan(t.Context(), o, config, noop)
	return o
}

// editState returns the object with another value of an attribute in its state, as after an edit by hand. A nil value
// is written as null.
func editState(t *testing.T, o *acctest.Object, name string, value any) *acctest.Object {
	t.Helper()
	state, err := tftypes.Transform(o.State, func(path *tftypes.AttributePath, old tftypes.Value) (tftypes.Value, error) {
		if acctest.Path(path) == name {
			return tftypes.NewValue(old.Type(), value), nil
		}
		return old, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := *o
	changed.State = state
	return &changed
}

func idOf(id int64) string { return strconv.FormatInt(id, 10) }

// mustApply applies a plan, which must succeed.
func mustApply(t *testing.T, d *acctest.Driver, plan *acctest.PlanResult) *acctest.Object {
	t.Helper()
	o, diags := d.Apply(t.Context(), vmType, plan)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	return o
}

// mustApplyWith is mustApply for a plan whose configuration had unknown values. config has all values.
func mustApplyWith(t *testing.T, d *acctest.Driver, plan *acctest.PlanResult, config object) *acctest.Object {
	t.Helper()
	o, diags := d.ApplyWith(t.Context(), plan, config)
	if acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	return o
}

// mustImport imports a machine, without any message.
func mustImport(t *testing.T, d *acctest.Driver, id string) *acctest.Object {
	t.Helper()
	o, diags := d.Import(t.Context(), vmType, id)
	if len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	return o
}

// expectFailure plans and applies, checks that the apply ends with the errors, and returns the resulting state.
func expectFailure(t *testing.T, d *acctest.Driver, o *acctest.Object, config object, says ...string) *acctest.Object {
	t.Helper()
	return expectApplyFailure(t, d, d.Plan(t.Context(), vmType, o, config), says...)
}

// expectApplyFailure applies a plan, checks that this ends with the errors, and returns the resulting state.
func expectApplyFailure(t *testing.T, d *acctest.Driver, plan *acctest.PlanResult, says ...string) *acctest.Object {
	t.Helper()
	o, diags := d.Apply(t.Context(), vmType, plan)
	acctest.ExpectError(t, acctest.Errors(diags), says...)
	return o
}

// expectPower compares the power of the only machine.
func expectPower(t *testing.T, e *acctest.Emulator, on, autoreboot bool) {
	t.Helper()
	if m := onlyMachine(t, e); m.PowerOn != on || m.AutorebootOn != autoreboot {
		t.Errorf("power_on %t, autoreboot_on %t, want %t, %t", m.PowerOn, m.AutorebootOn, on, autoreboot)
	}
}

// expectNoMachine checks that all machines were destroyed.
func expectNoMachine(t *testing.T, e *acctest.Emulator) {
	t.Helper()
	if left := e.Machines(); len(left) > 0 {
		t.Errorf("left: %+v", left)
	}
}

// privateState returns the provider's private state.
func privateState(t *testing.T, o *acctest.Object) string {
	t.Helper()
	if len(o.Private) == 0 {
		return ""
	}
	var keys map[string][]byte
	if err := json.Unmarshal(o.Private, &keys); err != nil {
		t.Fatal(err)
	}
	return string(keys["kept"])
}

// expectSays checks that the messages contain every phrase.
func expectSays(t *testing.T, diags []*tfprotov6.Diagnostic, phrases ...string) {
	t.Helper()
	text := acctest.DiagText(diags)
	for _, phrase := range phrases {
		if !strings.Contains(text, phrase) {
			t.Errorf("want %q in\n%s", phrase, text)
		}
	}
}

// changeMachine changes the only machine outside Terraform.
func changeMachine(t *testing.T, e *acctest.Emulator, f func(*emulator.Machine)) {
	t.Helper()
	if err := e.Change(onlyMachine(t, e).ID, f); err != nil {
		t.Fatal(err)
	}
}

// Functions that convert values of a state.
var textOf, parsed = acctest.Text, acctest.ID

// transition is a machine in the state, nil if it is to be created, and its configuration, nil if it is to be
// destroyed.
type transition struct {
	o      *acctest.Object
	config object
}

// terraform applies transitions as Terraform does: it plans in one process and applies in another one, in the given
// order and with the given parallelism.
type terraform struct {
	t        *testing.T
	e        *acctest.Emulator
	parallel int
	settings given // of the provider block
}

// apply returns the errors.
func (run terraform) apply(transitions []transition) (failures []string) {
	run.t.Helper()
	ctx := run.t.Context()
	planning, applying := run.e.NewDriver(run.t, run.settings), run.e.NewDriver(run.t, run.settings)
	plans := make([]*acctest.PlanResult, len(transitions))
	for i := range transitions {
		transitions[i].o = planning.MustRefresh(ctx, transitions[i].o)
		if transitions[i].o == nil && transitions[i].config == nil {
			continue
		}
		plans[i] = planning.Plan(ctx, vmType, transitions[i].o, transitions[i].config)
		if acctest.HasErrors(plans[i].Diagnostics) {
			run.t.Fatal(acctest.DiagText(plans[i].Diagnostics))
		}
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, run.parallel)
	for i, plan := range plans {
		if plan == nil {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			o, diags := applying.Apply(ctx, vmType, plan)
			mu.Lock()
			defer mu.Unlock()
			transitions[i].o = o
			if acctest.HasErrors(diags) {
				failures = append(failures, acctest.DiagText(diags))
			}
		})
	}
	all.Wait()
	return failures
}

// blamesProvider reports whether Terraform or its framework calls the error a bug.
func blamesProvider(text string) bool {
	for _, phrase := range []string{"issue in the provider", "issue with the provider", "problem with the provider", "error in the provider", "bug in the provider", "provider developer"} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}
