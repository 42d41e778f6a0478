package vmaction_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGuestThatMustNotBeSwitchedOff: with on_shutdown_timeout = "fail", no action switches off a guest that ignores the
// shutdown. It gets autoreboot_on back, and nothing else is sent.
func TestGuestThatMustNotBeSwitchedOff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		action string
		config config
	}{
		"stop":    {power, config{"state": "stop"}},
		"restart": {power, config{"state": "restart"}},
		"reimage": {reimage, config{"distribution": "noble", "ssh_public_key": "ssh-ed25519 AAAA", "allow_stopping": true}},
		"move":    {"cloudserver_disc_move", config{"allow_stopping": true}},
	} {
		for _, reboots := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				deaf := emulator.Machine{PowerOn: true, AutorebootOn: reboots, IgnoresPowerdown: true}
				deaf.Discs = []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 5000}}
				onMachine(t, deaf, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
					given := order(id, test.config)
					given["shutdown_timeout"], given["on_shutdown_timeout"] = "5s", "fail"
					if strings.HasSuffix(test.action, "_move") {
						machine, _ := e.Machine(id)
						to := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "to"})
						given["disc_id"], given["to"] = text(machine.Discs[1].ID), text(to)
					}
					e.ResetJournal()
					began := time.Now()
					_, diags := d.Invoke(t.Context(), test.action, given)
					acctest.ExpectError(t, acctest.Errors(diags), `on_shutdown_timeout is "fail", so the machine was not switched off`)
					machine, _ := e.Machine(id)
					if !machine.PowerOn || machine.AutorebootOn != reboots || machine.Images > 0 || len(machine.Discs) != 2 {
						t.Errorf("machine: %+v", machine)
					}
					want := "POST"
					if reboots {
						want = "PUT POST PUT"
					}
					var methods []string
					for _, call := range e.Calls() {
						method, _, _ := strings.Cut(call, " ")
						methods = append(methods, method)
					}
					if got := strings.Join(methods, " "); got != want {
						t.Errorf("sent %s, want %s", got, want)
					}
					if says := strings.Contains(acctest.DiagText(diags), "may still do so, and autoreboot_on is false"); says == reboots {
						t.Error(acctest.DiagText(diags))
					}
					if took := time.Since(began); took > 10*time.Second {
						t.Errorf("took %s", took)
					}
				})
			})
		}
	}
}
