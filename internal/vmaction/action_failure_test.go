// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Nothing is sent if an action cannot succeed.
func TestActionRefusals(t *testing.T) {
	t.Parallel()
	image := map[string]any{"distribution": "noble", "ssh_public_key": "ssh-ed25519 A"}
	on, off := emulator.Machine{PowerOn: true}, emulator.Machine{}
	for name, test := range map[string]struct {
		machine emulator.Machine
		action  string
		config  map[string]any
		want    string
	}{
		"restart of what is off":    {machine: off, action: power, config: map[string]any{"state": "restart"}, want: "Cannot restart virtual machine"},
		"signal to what is off":     {machine: off, action: signal, config: map[string]any{"signal": "reset"}, want: "Cannot send reset to virtual machine"},
		"reimage of what is on":     {machine: on, action: reimage, config: image, want: "Cannot reimage virtual machine"},
		"a machine that is deleted": {machine: emulator.Machine{Deleted: true}, action: power, config: map[string]any{"state": "start"}, want: "action cloudserver_vm_undelete"},
		"undelete of what is there": {machine: off, action: undelete, want: "is not soft-deleted"},
		"purge of what is gone":     {machine: off, action: purge, config: map[string]any{"name": "web1", "virtual_machine_id": "999999"}, want: "Check virtual_machine_id"},
		"no such machine":           {machine: on, action: power, config: map[string]any{"state": "stop", "virtual_machine_id": "999999"}, want: "Check virtual_machine_id"},
		"a name for an id":          {machine: on, action: power, config: map[string]any{"state": "stop", "virtual_machine_id": "web1"}, want: "error at virtual_machine_id"},
		"no such state":             {machine: on, action: power, config: map[string]any{"state": "off"}, want: "error at state"},
		"no time":                   {machine: on, action: power, config: map[string]any{"state": "stop", "shutdown_timeout": "0s"}, want: "error at shutdown_timeout"},
		"sendkey without a key":     {machine: on, action: signal, config: map[string]any{"signal": "sendkey"}, want: "error at key: Missing key"},
		"a key without sendkey":     {machine: on, action: signal, config: map[string]any{"signal": "reset", "key": "ctrl-alt-delete"}, want: "error at key: Unused key"},
		"a key that is not offered": {machine: on, action: signal, config: map[string]any{"signal": "sendkey", "key": "ctrl-alt-delet"}, want: `error at key: Invalid key "delet"`},
		"keys with another sign":    {machine: on, action: signal, config: map[string]any{"signal": "sendkey", "key": "ctrl+alt+delete"}, want: "Keys are joined by dashes, as in ctrl-alt-delete."},
		"no such distribution":      {machine: off, action: reimage, config: map[string]any{"distribution": "nobel"}, want: `error at distribution: Invalid distribution "nobel"`},
		"a key that is a comment":   {machine: off, action: reimage, config: map[string]any{"distribution": "noble", "ssh_public_key": "# me"}, want: "error at ssh_public_key: Invalid public key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				if test.machine.Deleted {
					e.SoftDelete(id)
				}
				_, diags := d.Invoke(t.Context(), test.action, order(id, test.config))
				acctest.ExpectError(t, acctest.Errors(diags), test.want)
				expectSent(t, e, text(id))
			})
		})
	}
}

// Values that are known only when the action is invoked do not prevent a plan.
func TestActionPlansTheUnknown(t *testing.T) {
	t.Parallel()
	onMachine(t, emulator.Machine{}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, _ int64) {
		for name, config := range map[string]map[string]any{
			power:   {"virtual_machine_id": acctest.Unknown, "state": acctest.Unknown, "shutdown_timeout": acctest.Unknown},
			signal:  {"virtual_machine_id": acctest.Unknown, "signal": acctest.Unknown, "key": acctest.Unknown},
			reimage: {"virtual_machine_id": acctest.Unknown, "distribution": acctest.Unknown, "ssh_public_key": acctest.Unknown, "allow_stopping": acctest.Unknown},
		} {
			if diags := d.PlanAction(t.Context(), name, config); len(diags) > 0 {
				t.Errorf("%s: %s", name, acctest.DiagText(diags))
			}
		}
		if calls := e.AllCalls(); len(calls) > 0 {
			t.Errorf("planning asked %q", calls)
		}
	})
}

// The power of the machine is restored however an action ends, and the password that a reimage makes up can be read
// nowhere.
func TestActionsThatFail(t *testing.T) {
	t.Parallel()
	refused := &emulator.Fault{Status: 400, Body: `{"distribution":["is withdrawn"]}`, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/reimage") }}
	for name, test := range map[string]struct {
		machine   emulator.Machine
		action    string
		config    config
		interrupt string // at which progress
		fault     *emulator.Fault
		want      []string
	}{
		"an interrupt while the guest shuts down": {
			machine: emulator.Machine{PowerOn: true, AutorebootOn: true, IgnoresPowerdown: true}, action: power, config: config{"state": "stop"}, interrupt: "waiting for the guest to shut down, 30s so far; last seen: power_on is true", want: []string{"interrupted"},
		},
		"out of time in the middle of a restart": {
			machine: emulator.Machine{PowerOn: true},
			action:  power,
			config:  config{"state": "restart", "timeouts": config{"invoke": "25s"}},
			want:    []string{"Cannot restart virtual machine", "timeouts.invoke"},
		},
		"an image that is refused after the stop": {
			machine: emulator.Machine{PowerOn: true, AutorebootOn: true},
			action:  reimage,
			config:  config{"distribution": "noble", "allow_stopping": true},
			fault:   refused,
			want:    []string{"error at distribution: Cannot reimage virtual machine", "is withdrawn"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onMachine(t, test.machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
				if test.fault != nil {
					e.Inject(*test.fault)
				}
				stopped := test.interrupt == ""
				progress, diags := d.Invoke(t.Context(), test.action, order(id, test.config), func(message string) {
					if !stopped && strings.Contains(message, test.interrupt) {
						stopped = true
						if err := d.Stop(t.Context()); err != nil {
							t.Error(err)
						}
					}
				})
				acctest.ExpectError(t, acctest.Errors(diags), test.want...)
				if after, _ := e.Machine(id); !stopped || !after.PowerOn || after.AutorebootOn != test.machine.AutorebootOn || after.Images != 0 {
					t.Errorf("the machine is not as it was: %+v", after)
				}
				if sent := password(t, e); test.action == reimage && (len(sent) != 32 || strings.Contains(acctest.DiagText(diags)+strings.Join(progress, "\n"), sent)) {
					t.Errorf("the password %q is shown: %s", sent, progress)
				}
			})
		})
	}
}

// password returns the root password of the last reimage.
func password(t *testing.T, e *acctest.Emulator) string {
	t.Helper()
	var sent struct {
		RootPassword string `json:"root_password"`
	}
	for _, request := range e.Journal() {
		if strings.HasSuffix(request.Path, "/reimage") {
			if err := json.Unmarshal(request.Body, &sent); err != nil {
				t.Error(err)
			}
		}
	}
	return sent.RootPassword
}
