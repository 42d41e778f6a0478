// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGuestThatMustNotBeSwitchedOff: with on_shutdown_timeout = "fail", an action does not switch off a guest that ignores
// the shutdown. The machine gets autoreboot_on back.
func TestGuestThatMustNotBeSwitchedOff(t *testing.T) {
	t.Parallel()
	for reboots, want := range map[bool][]string{
		true:  {`PUT  {"autoreboot_on":false}`, `POST /signal {"signal":"powerdown"}`, `PUT  {"autoreboot_on":true}`},
		false: {`POST /signal {"signal":"powerdown"}`},
	} {
		deaf := emulator.Machine{PowerOn: true, AutorebootOn: reboots, IgnoresPowerdown: true}
		onMachine(t, deaf, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
			began := time.Now()
			_, diags := d.Invoke(t.Context(), reimage, order(id, config{
				"distribution": "noble", "allow_stopping": true, "shutdown_timeout": "5s", "on_shutdown_timeout": "fail",
			}))
			acctest.ExpectError(t, acctest.Errors(diags), `on_shutdown_timeout is "fail", so the machine was not switched off`)
			if warns := strings.Contains(acctest.DiagText(diags), "may still do so, and autoreboot_on is false"); warns == reboots {
				t.Error(acctest.DiagText(diags))
			}
			if machine, _ := e.Machine(id); !machine.PowerOn || machine.AutorebootOn != reboots || machine.Images > 0 {
				t.Errorf("machine: %+v", machine)
			}
			expectSent(t, e, text(id), want...)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}
