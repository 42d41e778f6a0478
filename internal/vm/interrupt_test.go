// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// stopAfter interrupts the provider after some simulated time.
func stopAfter(t *testing.T, d *acctest.Driver, after time.Duration) {
	t.Helper()
	go func() {
		time.Sleep(after)
		if err := d.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}()
}

// TestInterruptedCreateIsTracked ends a creation while the machine boots, by an interrupt and by its timeout. The
// machine must be in the state, tainted, and untaint must keep it. If replacing it would only soft-delete it, its name
// would stay taken, which the error mentions.
func TestInterruptedCreateIsTracked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		interrupt, soft bool
		says            string
	}{
		"interrupt":   {interrupt: true, says: "interrupted"},
		"timeout":     {says: "timed out"},
		"soft delete": {soft: true, says: "its name stays taken"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(image, given{"timeouts.create": "20s", "purge_on_destroy": !test.soft})
			plan := d.Plan(ctx, vmType, nil, config)
			if test.interrupt {
				stopAfter(t, d, 10*time.Second)
			}
			o, diags, took := applyTimed(t, d, plan)
			if took > 21*time.Second {
				t.Errorf("ended after %s", took)
			}
			acctest.ExpectError(t, diags, `Created virtual machine "web1" in group "default" of account "demo", but it is not ready`, test.says, "power_on is false", "terraform untaint")
			if strings.Contains(acctest.DiagText(diags), "its name stays taken") != test.soft {
				t.Error(acctest.DiagText(diags))
			}
			machine := onlyMachine(t, e)
			if o == nil || !o.Tainted || o.Get("id") != o.GetIdentity("id") {
				t.Fatalf("the service has the machine, but the state has it not, or not as tainted: %+v", o)
			}
			expectState(t, o, given{"power_on": false})

			time.Sleep(time.Minute) // it comes up after all
			d = e.NewDriver(t, nil)
			d.ExpectPlan(ctx, d.MustRefresh(ctx, o.Untaint()), config, noop)
			if again := onlyMachine(t, e); again.ID != machine.ID {
				t.Errorf("machine %d, was %d", again.ID, machine.ID)
			}
		})
	}
}

// TestTimedOutByAHold: the error names the last answer, and the timeout to raise.
func TestTimedOutByAHold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		timeout, method, path string
		status                int
		to                    object
	}{
		"create":    {timeout: "create", method: "POST", status: 503, to: named("web2")},
		"its looks": {timeout: "create", method: "GET", path: "/virtual_machines/", status: 429, to: named("web2")},
		"update":    {timeout: "update", method: "PUT", status: 503, to: configured(given{"autoreboot_on": false})},
		"delete":    {timeout: "delete", method: "DELETE", status: 503},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			var o *acctest.Object
			if test.timeout != "create" {
				o = d.MustApply(ctx, vmType, nil, configured(given{"timeouts." + test.timeout: "50s"}))
			}
			if test.to != nil {
				test.to["timeouts"] = object{test.timeout: "50s"}
			}
			plan := d.Plan(ctx, vmType, o, test.to)
			e.Inject(emulator.Fault{
				Match:  func(r emulator.Request) bool { return r.Method == test.method && strings.HasPrefix(r.Path, test.path) },
				Status: test.status, Header: http.Header{"Retry-After": {"600"}},
			})
			expectApplyFailure(t, d, plan, "web", http.StatusText(test.status)+" and asked to wait", "raise timeouts."+test.timeout)
		})
	}
}

// TestDeletedWhileItIsCreated: the error does not claim that the machine exists.
func TestDeletedWhileItIsCreated(t *testing.T) {
	t.Parallel()
	for _, purged := range []bool{true, false} {
		inBubbleNamed(t, fmt.Sprintf("purged %t", purged), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			plan := d.Plan(ctx, vmType, nil, configured())
			time.AfterFunc(20*time.Second, func() {
				if id := e.Machines()[0].ID; purged {
					e.Purge(id)
				} else {
					e.SoftDelete(id)
				}
			})
			o, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, diags, `Created virtual machine "web1"`, "it is gone", "deleted outside of Terraform", "creates it again")
			if o, diags = d.Refresh(ctx, o); o != nil || acctest.HasErrors(diags) {
				t.Errorf("the state has it: %v\n%s", o, acctest.DiagText(diags))
			}
		})
	}
}

// TestPurgedWhileItShutsDown: an update whose machine is purged in the middle of its stop ends with it: there is no power to
// restore.
func TestPurgedWhileItShutsDown(t *testing.T) {
	inWorld(t, emulator.Options{ShutdownTime: time.Minute}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		config := configured(given{"cores": 1, "allow_stopping_for_update": true})
		o := d.MustApply(t.Context(), vmType, nil, config)
		config["cores"] = 2
		plan := d.Plan(t.Context(), vmType, o, config)
		id, began := onlyMachine(t, e).ID, time.Now()
		time.AfterFunc(10*time.Second, func() { e.Purge(id) })
		_, diags := d.Apply(t.Context(), vmType, plan)
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("it took %s", took)
		}
		expectSays(t, diags, "The machine is gone")
		if text := acctest.DiagText(diags); strings.Contains(text, "Cannot restore the power") {
			t.Error(text)
		}
	})
}
