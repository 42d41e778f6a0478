// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestLastChangeOverALife: last_change lists what an update costs. It stays in plans without changes and after an update
// that fails. It is null after a creation, an import, and an update that costs nothing.
func TestLastChangeOverALife(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		has := []given{inPlace, {leave: true, "cores": 1, "reimage.revision": "1", "disc": discs("vda:25600", "data:5000", "logs:5000")}}
		config := configured(has...)
		o := d.MustApply(ctx, vmType, nil, config)
		expectLastChange(t, o, nil)

		change := func(more given, want map[string]any) {
			t.Helper()
			has = append(has, more)
			config = configured(has...)
			plan := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, update)
			if diff := cmp.Diff(any(want), orNil(plan.Get("last_change"))); diff != "" {
				t.Errorf("the plan: -want +got\n%s", diff)
			}
			o = mustApply(t, d, plan)
			expectLastChange(t, o, want)
			d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, noop)
		}
		change(given{"cores": 2}, map[string]any{"stops": "cores = 2", "erases": nil, "purges": nil})
		change(given{"cores": 4, "memory": 4096}, map[string]any{"stops": "cores = 4, memory = 4096", "erases": nil, "purges": nil})
		change(given{"keymap": "de"}, nil)
		change(given{"disc": discs("vda:25600", "logs:5000")}, map[string]any{"stops": nil, "erases": nil, "purges": []any{"data"}})
		change(given{"reimage.revision": "2"}, map[string]any{"stops": "revision = 2", "erases": map[string]any{"vda": "revision = 2"}, "purges": nil})
		change(given{"power_on": false}, map[string]any{"stops": "power_on = false", "erases": nil, "purges": nil})
		change(given{"power_on": true}, nil)
		change(given{"cores": 6}, map[string]any{"stops": "cores = 6", "erases": nil, "purges": nil})

		e.Inject(refuse("PUT", "", `"cores"`, 1))
		o = expectFailure(t, d, o, configured(append(has, given{"cores": 8})...), "Cannot update")
		expectLastChange(t, o, map[string]any{"stops": "cores = 6", "erases": nil, "purges": nil})
		expectLastChange(t, mustImport(t, d, o.Get("id").(string)), nil)
	})
}

// TestLastChangeOfUnknownValues: a part that an unknown value may add to is unknown, and what turns out to be no change is
// no "inconsistent final plan".
func TestLastChangeOfUnknownValues(t *testing.T) {
	t.Parallel()
	const unknown = acctest.Unknown
	for name, test := range map[string]struct {
		change, final given
		want          any
		after         any // null: no stop
	}{
		"cores may restart":            {change: given{"cores": acctest.Unknown}, final: given{"cores": 4}, want: unknown, after: "cores = 4"},
		"cores turn out equal":         {change: given{"cores": acctest.Unknown}, final: given{"cores": 2}, want: unknown, after: "cores = 2"},
		"cores beside a certain stop":  {change: given{"cores": acctest.Unknown, "memory": 4096}, final: given{"cores": 4}, want: map[string]any{"stops": unknown, "erases": nil, "purges": nil}, after: "cores = 4, memory = 4096"},
		"a keymap that is equal":       {change: given{"keymap": acctest.Unknown}, final: given{"keymap": "de"}, want: unknown, after: "cores = 2"},
		"a keymap that differs":        {change: given{"keymap": acctest.Unknown}, final: given{"keymap": "fr"}, want: unknown},
		"a first image":                {change: given{"reimage.distribution": acctest.Unknown}, final: given{"reimage.distribution": "noble"}, want: map[string]any{"stops": unknown, "erases": unknown, "purges": nil}, after: "distribution = noble"},
		"a profile that is recorded":   {change: given{"hardware_profile": "virtio2011", "hardware_profile_locked": acctest.Unknown}, final: given{"hardware_profile_locked": false}, want: unknown},
		"a profile that is set":        {change: given{"hardware_profile": "virtio2011", "hardware_profile_locked": acctest.Unknown}, final: given{"hardware_profile_locked": true}, want: unknown, after: "hardware_profile = virtio2011"},
		"a key beside a certain purge": {change: given{"keymap": acctest.Unknown, "disc": discs("vda:25600")}, final: given{"keymap": "fr"}, want: map[string]any{"stops": nil, "erases": nil, "purges": []any{"data"}}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			ctx := t.Context()
			had, two := given{"cores": 1, leave: true, "keymap": "de", "disc": discs("vda:25600", "data:5000")}, given{"cores": 2}
			o := d.MustApply(ctx, vmType, nil, configured(had))
			o = d.MustApply(ctx, vmType, o, configured(had, two))
			config := configured(had, two, test.change)
			plan := d.Plan(ctx, vmType, o, config)
			if acctest.HasErrors(plan.Diagnostics) {
				t.Fatal(acctest.DiagText(plan.Diagnostics))
			}
			if got := plan.Get("last_change"); !cmp.Equal(got, test.want) {
				t.Errorf("the plan has %v, want %v", got, test.want)
			}
			config = configured(had, two, test.change, test.final)
			o = mustApplyWith(t, d, plan, config)
			cost, _ := o.Get("last_change").(map[string]any)
			if cost["stops"] != test.after {
				t.Errorf("after the apply: %v", o.Get("last_change"))
			}
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestPending shows what an update left for the next one, and that the next plan settles it.
func TestPending(t *testing.T) {
	inWorld(t, emulator.Options{Guests: true, GuestBoot: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		has := []given{{"cores": 1, leave: true}}
		with := func(more ...given) object {
			has = append(has, more...)
			return configured(has...)
		}
		config := with()
		o := d.MustApply(ctx, vmType, nil, config)
		expectState(t, o, given{"pending": nil})
		outage := e.Inject(refuse("PUT", "", `"power_on":true`, 0))
		config = with(given{"cores": 2})
		o = expectFailure(t, d, o, config, "Cannot restart")
		expectState(t, o, given{"pending": "power"})
		outage()
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"pending": "power"})
		o = d.MustApply(ctx, vmType, o, config)
		expectState(t, o, given{"pending": nil, "power_on": true})

		// Somebody else starts the machine.
		outage = e.Inject(refuse("PUT", "", `"power_on":true`, 0))
		config = with(given{"cores": 4})
		o = expectFailure(t, d, o, config, "Cannot restart")
		outage()
		changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true })
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"pending": nil})
		d.ExpectPlan(ctx, o, config, noop)

		config = with(given{"ready.port": 22, "ready.timeout": "5s", "cores": 6})
		o = expectFailure(t, d, o, config, "is not ready")
		expectState(t, o, given{"pending": "ready"})
		plan := d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, update)
		if changes := plan.Changes(); !cmp.Equal(changes, []string{"last_change", "pending"}) {
			t.Errorf("the plan changes %v", changes)
		}
		delete(config, "ready")
		o = d.MustApply(ctx, vmType, o, config)
		expectState(t, o, given{"pending": nil})
		d.ExpectPlan(ctx, o, config, noop)
	})
}

// TestPendingWhileAnImageIsInstalled: after an interrupt, the service installs the image without Terraform, and refuses to
// set the power meanwhile. The configuration is not to blame.
func TestPendingWhileAnImageIsInstalled(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		has := given{"reimage.revision": "1"}
		o := d.MustApply(ctx, vmType, nil, configured(inPlace, has))
		config := configured(inPlace, given{"reimage.revision": "2"})
		stopAfter(t, d, 8*time.Second)
		o = expectApplyFailure(t, d, d.Plan(ctx, vmType, o, config), "Cannot reimage")
		expectState(t, o, given{"pending": "power"})
		d = e.NewDriver(t, nil)
		o = expectFailure(t, d, d.MustRefresh(ctx, o), config, "during a reimage", "The machine may be busy: run apply again in a minute.")
		time.Sleep(time.Minute)
		o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
		d.ExpectPlan(ctx, o, config, noop)
	})
}

func expectLastChange(t *testing.T, o *acctest.Object, want map[string]any) {
	t.Helper()
	if diff := cmp.Diff(any(want), orNil(o.Get("last_change"))); diff != "" {
		t.Errorf("last_change: -want +got\n%s", diff)
	}
}

// orNil returns the value as a map, which is nil if the value is.
func orNil(value any) any {
	object, _ := value.(map[string]any)
	return object
}

// TestNothingIsPendingWhileOff: an update fails after it has stopped the machine for good. There is nothing to wait for,
// and nothing to plan.
func TestNothingIsPendingWhileOff(t *testing.T) {
	inWorld(t, emulator.Options{Guests: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"ready.port": 22, "power_on": true}))
		e.Inject(refuseAfter("PUT", `{"keymap":"de"}`))
		config := configured(off, given{"ready.port": 22, "keymap": "de"})
		o = expectFailure(t, d, o, config, "Cannot read")
		expectState(t, o, given{"pending": nil, "power_on": false})
		o = d.MustRefresh(ctx, o)
		expectState(t, o, given{"pending": nil})
		d.ExpectPlan(ctx, o, config, noop)
	})
}
