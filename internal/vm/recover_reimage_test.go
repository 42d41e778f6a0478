package vm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestRecoverFromAReimage fails while the service installs a new image, or so
// that nobody knows whether it does. The machine must end on, with the
// autoreboot_on that it had, and the next apply must lead to rest.
func TestRecoverFromAReimage(t *testing.T) {
	t.Parallel()
	lost := func(fault emulator.Fault) *emulator.Fault {
		fault.Times = 1
		fault.Match = func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/reimage") }
		return &fault
	}
	for name, test := range map[string]struct {
		fault     *emulator.Fault
		interrupt time.Duration // after the start of the apply; the guest takes five seconds to go down
	}{
		"interrupted during the installation":  {nil, 15 * time.Second},
		"the answer is lost":                   {lost(emulator.Fault{Cut: true, AfterEffect: true}), 0},
		"a proxy answers after the effect":     {lost(emulator.Fault{Status: http.StatusBadGateway, AfterEffect: true}), 0},
		"a proxy answers, and nothing is done": {lost(emulator.Fault{Status: http.StatusBadGateway}), 0},
	} {
		for _, autoreboot := range []bool{true, false} {
			t.Run(name+map[bool]string{true: "/with autoreboot", false: "/without"}[autoreboot], func(t *testing.T) {
				inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
					ctx := t.Context()
					settings := with(inPlace, "autoreboot_on", autoreboot)
					o := d.MustApply(ctx, vmType, nil, configured(settings))
					config := configured(settings, given{"reimage.distribution": "noble"})
					plan := d.Plan(ctx, vmType, o, config)
					if test.fault != nil {
						e.Inject(*test.fault)
					}
					if test.interrupt > 0 {
						stopAfter(t, d, test.interrupt)
					}
					o, diags := d.Apply(ctx, vmType, plan)
					acctest.ExpectError(t, acctest.Errors(diags), `Cannot reimage virtual machine "web1"`)
					if text := acctest.DiagText(diags); strings.Contains(text, "Cannot restore the power") {
						t.Errorf("a warning of lost power:\n%s", text)
					}
					d = e.NewDriver(t, nil)
					expectRecovered(t, d, e, o, autoreboot)
					o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
					if is := only(t, e); is.LastImagedWith != "noble" {
						t.Errorf("imaged with %s", is.LastImagedWith)
					}
					d.ExpectPlan(ctx, o, config, noop)
				})
			})
		}
	}
}

// TestRecoverTurnsOffWhatTheReimageTurnedOn lets the stop after a reimage fail:
// the machine was off before, and is left alone by the configuration.
func TestRecoverTurnsOffWhatTheReimageTurnedOn(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(inPlace, given{"reimage.revision": "1"}))
		if err := e.Change(only(t, e).ID, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		config := configured(inPlace, given{"reimage.revision": "2"})
		plan := d.Plan(ctx, vmType, o, config)
		e.Inject(refuse(http.MethodPost, "/signal", "powerdown", 1))
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot set the power of virtual machine "web1"`, "not today")
		if text := acctest.DiagText(diags); strings.Contains(text, "completed") {
			t.Errorf("the image had been installed in time:\n%s", text)
		}
		if is := only(t, e); is.PowerOn || is.Images != 2 {
			t.Errorf("power_on %t after %d images, want false after 2", is.PowerOn, is.Images)
		}
		expectState(t, o, given{"power_on": false})
		d.ExpectPlan(ctx, o, config, noop)
	})
}
