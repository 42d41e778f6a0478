package vm_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// stopAfter interrupts the provider once some time has gone by in the bubble.
func stopAfter(t *testing.T, d *acctest.Driver, after time.Duration) {
	t.Helper()
	go func() {
		time.Sleep(after)
		if err := d.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}()
}

// TestInterruptedCreateIsTracked ends a creation while the machine boots, by an
// interrupt and by its timeout. The machine must be in the state, tainted, and
// be kept by untaint.
func TestInterruptedCreateIsTracked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		interrupt bool
		says      string
	}{"interrupt": {true, "interrupted"}, "timeout": {false, "timed out"}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				config := configured(image, given{"timeouts.create": "20s"})
				plan := d.Plan(ctx, vmType, nil, config)
				if test.interrupt {
					stopAfter(t, d, 10*time.Second)
				}
				began := time.Now()
				o, diags := d.Apply(ctx, vmType, plan)
				if took := time.Since(began); took > 21*time.Second {
					t.Errorf("ended after %s", took)
				}
				acctest.ExpectError(t, diags, `Created virtual machine "web1" in group "default" of account "demo", but it is not ready`, test.says, "power_on is false", "terraform untaint")
				machine := only(t, e)
				if o == nil || !o.Tainted || o.Get("id") != o.GetIdentity("id") {
					t.Fatalf("the machine is not tracked: %+v", o)
				}
				expectState(t, o, given{"power_on": false})

				time.Sleep(time.Minute) // it comes up after all
				d = e.NewDriver(t, nil)
				o, diags = d.Refresh(ctx, o.Untaint())
				if len(diags) > 0 {
					t.Error(acctest.DiagText(diags))
				}
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
				if again := only(t, e); again.ID != machine.ID {
					t.Errorf("machine %d, was %d", again.ID, machine.ID)
				}
			})
		})
	}
}

// TestInterruptedUpdateGivesPowerBack ends an update while it waits for a guest,
// and while the machine is off. Where the guest may still go down at any time, and
// nobody would bring it back without autoreboot_on, that is said.
func TestInterruptedUpdateGivesPowerBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after      time.Duration
		deaf       bool
		autoreboot bool
		warned     bool
	}{
		"while the guest goes down, with autoreboot": {time.Second, false, true, false},
		"while the guest goes down, without":         {time.Second, false, false, false},
		"right after the signal, with autoreboot":    {time.Second, true, true, false},
		"right after the signal, without":            {time.Second, true, false, true},
		"while the guest is deaf":                    {10 * time.Second, true, true, false},
		"while it boots again":                       {40 * time.Second, true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				settings := given{"autoreboot_on": test.autoreboot, leave: true, "shutdown_timeout": "20s"}
				o := d.MustApply(ctx, vmType, nil, configured(settings, given{"cores": 2}))
				meanwhile(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = test.deaf })
				config := configured(settings, given{"cores": 4})
				plan := d.Plan(ctx, vmType, o, config)
				stopAfter(t, d, test.after)
				began := time.Now()
				o, diags := d.Apply(ctx, vmType, plan)
				if took := time.Since(began) - test.after; took > patience {
					t.Errorf("ended %s after the interrupt", took)
				}
				if text := acctest.DiagText(acctest.Errors(diags)); !strings.Contains(text, "interrupted") {
					t.Errorf("the error says\n%s", text)
				}
				if text := acctest.DiagText(acctest.Warnings(diags)); strings.Contains(text, `Cannot restore the power of virtual machine "web1"`) != test.warned {
					t.Errorf("the warnings:\n%s", text)
				}
				time.Sleep(time.Minute)
				is := only(t, e)
				if !is.PowerOn || is.AutorebootOn != test.autoreboot {
					t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
				}
				expectState(t, o, given{"cores": is.Cores})
				d = e.NewDriver(t, nil)
				o = d.MustApply(ctx, vmType, d.MustRefresh(ctx, o), config)
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
			})
		})
	}
}

// TestInterruptedByItsTimeout has a guest that does not obey, and then is not
// given the time to boot.
func TestInterruptedByItsTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"cores": 2, leave: true, "timeouts.update": "1m"}))
		meanwhile(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = true })
		_, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, configured(given{"cores": 4, leave: true, "timeouts.update": "1m"})))
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot set the power of virtual machine "web1"`, "Waited 30s", "timed out", "raise timeouts.update")
		if is := only(t, e); !is.PowerOn || !is.AutorebootOn {
			t.Errorf("power_on %t, autoreboot_on %t", is.PowerOn, is.AutorebootOn)
		}
	})
}

// TestTimedOutByAHold: the error names the last answer, and the timeout to raise.
func TestTimedOutByAHold(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(given{"cores": 2, leave: true}, given{"timeouts": given{"create": "1m", "update": "1m", "delete": "1m"}})
		o := d.MustApply(ctx, vmType, nil, config)
		changed := maps.Clone(config)
		changed["autoreboot_on"] = false
		other := maps.Clone(config)
		other["name"] = "web2"
		for timeout, next := range map[string]struct {
			method string
			state  *acctest.Object
			config object
		}{"create": {"POST", nil, other}, "update": {"PUT", o, changed}, "delete": {"DELETE", o, nil}} {
			plan := d.Plan(ctx, vmType, next.state, next.config)
			remove := e.Inject(emulator.Fault{
				Match:  func(r emulator.Request) bool { return r.Method == next.method },
				Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"600"}},
			})
			_, diags := d.Apply(ctx, vmType, plan)
			remove()
			acctest.ExpectError(t, acctest.Errors(diags), "web", "503 Service Unavailable and asked to wait", "raise timeouts."+timeout)
		}
		waits := given{"name": "web3", "timeouts": given{"create": "1m"}}
		plan := d.Plan(ctx, vmType, nil, configured(waits))
		remove := e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool {
				return r.Method == "GET" && strings.HasPrefix(r.Path, "/virtual_machines/")
			},
			Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"600"}},
		})
		defer remove()
		_, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), "but it is not ready", "429 Too Many Requests and asked to wait", "raise timeouts.create")
	})
}

// TestDeletedWhileItIsCreated: the error does not claim that the machine exists.
func TestDeletedWhileItIsCreated(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		plan := d.Plan(ctx, vmType, nil, configured())
		go func() {
			time.Sleep(20 * time.Second)
			e.Purge(e.Machines()[0].ID)
		}()
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, diags, `Created virtual machine "web1"`, "it is gone", "deleted outside of Terraform", "creates it again")
		if o, diags = d.Refresh(ctx, o); o != nil || acctest.HasErrors(diags) {
			t.Errorf("the state has it: %v\n%s", o, acctest.DiagText(diags))
		}
	})
}
