package vmaction_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Nothing is asked of the service where an action cannot go.
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
		"restart of what is off":    {off, power, map[string]any{"state": "restart"}, "Cannot restart virtual machine"},
		"signal to what is off":     {off, signal, map[string]any{"signal": "reset"}, "Cannot send reset to virtual machine"},
		"reimage of what is on":     {on, reimage, image, "Cannot reimage virtual machine"},
		"a machine that is deleted": {emulator.Machine{Deleted: true}, power, map[string]any{"state": "start"}, "action cloudserver_vm_undelete"},
		"undelete of what is there": {off, undelete, nil, "is not soft-deleted"},
		"purge of what is gone":     {off, purge, map[string]any{"name": "web1", "virtual_machine_id": "999999"}, "check virtual_machine_id"},
		"no such machine":           {on, power, map[string]any{"state": "stop", "virtual_machine_id": "999999"}, "check virtual_machine_id"},
		"a name for an id":          {on, power, map[string]any{"state": "stop", "virtual_machine_id": "web1"}, "error at virtual_machine_id"},
		"no such state":             {on, power, map[string]any{"state": "off"}, "error at state"},
		"no time":                   {on, power, map[string]any{"state": "stop", "shutdown_timeout": "0s"}, "error at shutdown_timeout"},
		"sendkey without a key":     {on, signal, map[string]any{"signal": "sendkey"}, "error at key: Missing key"},
		"a key without sendkey":     {on, signal, map[string]any{"signal": "reset", "key": "ctrl-alt-delete"}, "error at key: Unused key"},
		"a key that is not offered": {on, signal, map[string]any{"signal": "sendkey", "key": "ctrl-alt-delet"}, `error at key: The service does not offer the key "delet"`},
		"no such distribution":      {off, reimage, map[string]any{"distribution": "nobel"}, `error at distribution: The service does not offer the distribution "nobel"`},
		"a key that is a comment":   {off, reimage, map[string]any{"distribution": "noble", "ssh_public_key": "# me"}, "error at ssh_public_key: Invalid public key"},
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

// Values that are known only when the action is invoked are no obstacle to a
// plan.
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

// An interrupt while a guest shuts down leaves the machine as it was.
func TestActionCancelled(t *testing.T) {
	t.Parallel()
	machine := emulator.Machine{PowerOn: true, AutorebootOn: true, IgnoresPowerdown: true}
	onMachine(t, machine, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		stopped := false
		_, diags := d.Invoke(t.Context(), power, order(id, map[string]any{"state": "stop"}), func(message string) {
			if strings.Contains(message, "still waiting") && !stopped {
				stopped = true
				if err := d.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
		if text := acctest.DiagText(diags); !stopped || !strings.Contains(text, "interrupted") {
			t.Errorf("want an interrupted stop, got %q", text)
		}
		if after, _ := e.Machine(id); !after.PowerOn || !after.AutorebootOn || after.Images != 0 {
			t.Errorf("the machine is not as it was: %+v", after)
		}
	})
}

// A time-out in the middle of a restart brings the machine back.
func TestActionOutOfTime(t *testing.T) {
	t.Parallel()
	onMachine(t, emulator.Machine{PowerOn: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		_, diags := d.Invoke(t.Context(), power, order(id, map[string]any{"state": "restart", "timeouts": map[string]any{"invoke": "25s"}}))
		if text := acctest.DiagText(diags); !strings.Contains(text, "Cannot restart virtual machine") || !strings.Contains(text, "timeouts.invoke") {
			t.Errorf("want a time-out, got %q", text)
		}
		if after, _ := e.Machine(id); !after.PowerOn || after.AutorebootOn || after.Images != 0 {
			t.Errorf("the machine is not as it was: %+v", after)
		}
	})
}

// A reimage that the service refuses after the machine was stopped restores its
// power, and the password that the action made up is nowhere to be read.
func TestReimageActionFailsAfterTheStop(t *testing.T) {
	t.Parallel()
	onMachine(t, emulator.Machine{PowerOn: true, AutorebootOn: true}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, id int64) {
		e.Inject(emulator.Fault{Status: 400, Body: `{"distribution":["is withdrawn"]}`, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/reimage") }})
		progress, diags := d.Invoke(t.Context(), reimage, order(id, map[string]any{"distribution": "noble", "allow_stopping": true}))
		text := acctest.DiagText(diags)
		if !strings.Contains(text, "error at distribution: Cannot reimage virtual machine") || !strings.Contains(text, "is withdrawn") {
			t.Errorf("want the refusal at distribution, got %q", text)
		}
		if after, _ := e.Machine(id); !after.PowerOn || !after.AutorebootOn || after.Images != 0 {
			t.Errorf("the machine is not as it was: %+v", after)
		}
		if all := text + strings.Join(progress, "\n"); strings.Contains(all, password(t, e)) {
			t.Errorf("the password is shown: %s", all)
		}
	})
}

// password returns the one that the last reimage was sent with.
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
	if len(sent.RootPassword) != 32 {
		t.Errorf("a password of %d characters was sent", len(sent.RootPassword))
	}
	return sent.RootPassword
}
