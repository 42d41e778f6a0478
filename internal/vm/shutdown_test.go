// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestShutdownThatNobodySaw: the service answers no read while the guest shuts down. Whether it did is not known, and the
// error does not claim that it did not.
func TestShutdownThatNobodySaw(t *testing.T) {
	t.Parallel()
	const unknown = "t is not known whether the guest has shut down"
	for name, onTimeout := range map[string]string{"fails": "fail", "switched off": "switch_off"} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(given{"cores": 2, leave: true, "shutdown_timeout": "30s", "on_shutdown_timeout": onTimeout})
			o := d.MustApply(ctx, vmType, nil, config)
			config["cores"] = 4
			plan := d.Plan(ctx, vmType, o, config)
			isRead, began := afterSignal(), time.Now()
			e.Inject(emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
				return isRead(r) && time.Since(began) < 3*time.Minute
			}})
			_, diags := d.Apply(ctx, vmType, plan)
			expectSays(t, diags, unknown)
			if text := acctest.DiagText(diags); strings.Contains(text, "did not shut down") || acctest.HasErrors(diags) != (onTimeout == "fail") {
				t.Error(text)
			}
		})
	}
	// The last look after the time decides.
	inBubbleNamed(t, "and that is seen in the end", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(given{"cores": 2, leave: true, "shutdown_timeout": "30s", "on_shutdown_timeout": "fail"})
		o := d.MustApply(ctx, vmType, nil, config)
		config["cores"] = 4
		plan := d.Plan(ctx, vmType, o, config)
		isRead, began := afterSignal(), time.Time{}
		e.Inject(emulator.Fault{Status: http.StatusServiceUnavailable, Match: func(r emulator.Request) bool {
			if !isRead(r) {
				return false
			}
			if began.IsZero() {
				began = time.Now()
			}
			return time.Since(began) < 30*time.Second
		}})
		mustApply(t, d, plan)
		expectPower(t, e, true, true)
	})
}

// afterSignal returns a matcher of the reads after a signal.
func afterSignal() func(emulator.Request) bool {
	sent := false
	return func(r emulator.Request) bool {
		sent = sent || strings.HasSuffix(r.Path, "/signal")
		return sent && r.Method == http.MethodGet
	}
}

// TestGuestThatIsCutOff: after an update or a destroy that did not wait any longer, a warning says so.
func TestGuestThatIsCutOff(t *testing.T) {
	t.Parallel()
	const (
		says  = `warning at shutdown_timeout: The guest of virtual machine "web1" was cut off`
		raise = "To give it more time, raise shutdown_timeout."
		fail  = `With on_shutdown_timeout = "fail", `
	)
	destroyed := given{"shutdown_before_destroy": true}
	for name, test := range map[string]struct {
		config  given
		destroy bool
		says    []string
	}{
		"an update":     {config: given{leave: true}, says: []string{"did not shut down within 20s, so the machine was switched off", raise, fail + "the update ends with an error instead."}},
		"in less time":  {config: given{leave: true, "shutdown_timeout": "2m", "timeouts.update": "80s"}, says: []string{"did not shut down within 40s", "To give it more time, raise timeouts.update: a stop takes at most half of it."}},
		"a destroy":     {config: destroyed, destroy: true, says: []string{"did not shut down within 20s, and the machine was destroyed", fail + "the destroy ends with an error instead."}},
		"a soft delete": {config: with(destroyed, "purge_on_destroy", false), destroy: true, says: []string{"did not shut down within 20s, and the machine was soft-deleted"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(given{"cores": 2, "shutdown_timeout": "20s"}, test.config)
			o := d.MustApply(ctx, vmType, nil, config)
			changeMachine(t, e, ignorePowerdown)
			config["cores"] = 4
			if test.destroy {
				config = nil
			}
			_, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, config))
			expectSays(t, diags, append(test.says, says)...)
			if acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
		})
	}
}

// TestPlanSaysHowLongAStopMayTake: a stop takes at most half of the update's time.
func TestPlanSaysHowLongAStopMayTake(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config given
		says   string
	}{
		"by default":                 {says: "or switched off after at most 2m0s, and"},
		"as configured":              {config: given{"shutdown_timeout": "3m"}, says: "after at most 3m0s, and"},
		"half of the update":         {config: given{"timeouts.update": "10s"}, says: "after at most 5s, and"},
		"half of it, and then fails": {config: given{"timeouts.update": "10s", "on_shutdown_timeout": "fail"}, says: "If the guest has not shut down after at most 5s, the update ends with an error."},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			config := configured(given{"cores": 2, leave: true}, test.config)
			o := d.MustApply(t.Context(), vmType, nil, config)
			config["cores"] = 4
			expectSays(t, d.Plan(t.Context(), vmType, o, config).Warnings(), test.says)
		})
	}
}
