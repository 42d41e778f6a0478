package vm_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// awaited is a machine that counts as up when it answers, a minute after it is on.
var awaited = given{"ready.port": 22, "ready.timeout": "2m", "cores": 2, leave: true}

// authorityPEM returns the certificate of an authority.
func authorityPEM(name string) string {
	_, key, _ := ed25519.GenerateKey(strings.NewReader(strings.Repeat(name, 32)))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		return err.Error()
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// guests answer a minute after power comes.
var guests = emulator.Options{Guests: true, GuestBoot: time.Minute}

// applyTimed returns the object, the errors, and how long the apply took.
func applyTimed(
	t *testing.T, d *acctest.Driver, plan *acctest.PlanResult,
) (*acctest.Object, []*tfprotov6.Diagnostic, time.Duration) {
	t.Helper()
	began := time.Now()
	o, diags := d.Apply(t.Context(), vmType, plan)
	return o, diags, time.Since(began)
}

// TestReadyIsAwaited: the wait is not part of the timeouts, which are shorter.
func TestReadyIsAwaited(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to given // from nil: creates
		longer   bool
		says     string
	}{
		"create":            {to: given{"timeouts.create": "40s"}, longer: true},
		"create off":        {to: off},
		"restart":           {from: given{}, to: given{"cores": 4, "timeouts.update": "50s"}, longer: true},
		"reimage":           {from: inPlace, to: with(inPlace, "reimage.distribution", "noble"), longer: true},
		"start":             {from: off, to: given{"power_on": true}, longer: true},
		"stop":              {from: given{}, to: off},
		"keymap":            {from: given{}, to: given{"keymap": "de"}},
		"autoreboot":        {from: given{}, to: given{"autoreboot_on": false}},
		"block alone":       {from: given{"ready": nil}, to: given{}},
		"no such host":      {from: given{"ready.host": "web1.invalid"}, to: given{}},
		"host for a change": {from: given{}, to: given{"cores": 4, "ready.host": "192.0.2.1"}, says: "192.0.2.1:22: timed out; last seen: connection refused"},
	} {
		inWorldNamed(t, name, guests, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			ctx := t.Context()
			var o *acctest.Object
			if test.from != nil {
				o = d.MustApply(ctx, vmType, nil, configured(image, awaited, test.from, given{"ready.host": nil}))
			}
			config := configured(image, awaited, test.from, given{"ready.port": 22, "ready.host": nil}, test.to)
			o, diags, took := applyTimed(t, d, d.Plan(ctx, vmType, o, config))
			if text := acctest.DiagText(acctest.Errors(diags)); (test.says == "") != (text == "") || !strings.Contains(text, test.says) {
				t.Errorf("the apply says\n%s", text)
			}
			if longer := took >= time.Minute; longer != (test.longer || test.says != "") {
				t.Errorf("the apply took %s", took)
			}
			if test.says == "" {
				d.ExpectPlan(ctx, o, config, noop)
			}
			if private := privateState(t, o); strings.Contains(private, `"ready":true`) != (test.says != "") {
				t.Errorf("owed: %s", private)
			}
		})
	}
}

// TestNotReadyIsOwed: what was done is kept. Until the machine answers or the block is removed, every plan shows an
// update that sends nothing.
func TestNotReadyIsOwed(t *testing.T) {
	t.Parallel()
	for name, creates := range map[string]bool{"create": true, "update": false} {
		inWorldNamed(t, name, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(awaited, given{"cores": 4})
			var o *acctest.Object
			if !creates {
				o = d.MustApply(ctx, vmType, nil, configured(awaited))
			}
			plan := d.Plan(ctx, vmType, o, config)
			go func() {
				time.Sleep(5 * time.Second)
				e.SetDeaf(onlyMachine(t, e).ID, true)
			}()
			o, diags := d.Apply(ctx, vmType, plan)
			id := onlyMachine(t, e).ID
			if says := []string{"but it is not ready", "Waited 2m0s for a TCP connection to 127.77.", ":22: timed out; last seen: connection refused (attempt 12", "raise ready.timeout"}; creates {
				acctest.ExpectError(t, diags, append(says, "Created", "terraform untaint")...)
			} else {
				acctest.ExpectError(t, acctest.Errors(diags), append(says, "Updated", "The update is done")...)
			}
			if o.Tainted != creates {
				t.Errorf("tainted: %t", o.Tainted)
			}
			expectState(t, o, given{"power_on": true, "cores": int64(4)})
			e.ResetJournal()

			d = e.NewDriver(t, given{"max_unavailable": 1})
			o = d.MustRefresh(ctx, o.Untaint())
			plan = d.ExpectPlan(ctx, o, config, update)
			expectSays(t, plan.Diagnostics, "The machine did not become ready in time", `before virtual machine "web1" was ready`, "if it changes nothing else, it sends nothing")
			if plan.Get("effective_hardware_profile") != acctest.Unknown || len(plan.Changes()) != 1 {
				t.Errorf("the plan changes %v", plan.Changes())
			}
			o = expectApplyFailure(t, d, plan, "Updated", "but it is not ready")
			_, diags = d.Apply(ctx, vmType, d.ExpectPlan(ctx, o, config, update))
			acctest.ExpectError(t, acctest.Errors(diags), "Not updated: the rollout ended with", "Nothing was changed.")
			if text := acctest.DiagText(diags); strings.Contains(text, "connection refused") {
				t.Errorf("the cause is told again:\n%s", text)
			}

			d = e.NewDriver(t, nil)
			without := configured(awaited, given{"cores": 4, "ready": nil})
			freed, diags, took := applyTimed(t, d, d.ExpectPlan(ctx, o, without, update))
			if len(diags) > 0 || took > 0 {
				t.Errorf("without the block, after %s:\n%s", took, acctest.DiagText(diags))
			}
			d.ExpectPlan(ctx, freed, without, noop)
			other, otherDiags, took := applyTimed(t, d, d.ExpectPlan(ctx, o, configured(awaited, given{"cores": 4, "keymap": "de"}), update))
			acctest.ExpectError(t, acctest.Errors(otherDiags), "but it is not ready")
			expectState(t, other, given{"keymap": "de"})
			if took < 2*time.Minute {
				t.Errorf("another change waited %s", took)
			}
			expectSent(t, e, "PUT keymap=de")

			e.SetDeaf(id, false)
			o = applyCleanly(t, d, e, o, config, "")
			if strings.Contains(privateState(t, o), "ready") {
				t.Errorf("still owed: %s", o.Private)
			}
		})
	}
}

// TestNotReadyAndSwitchedOff: no readiness is owed while a machine is off.
func TestNotReadyAndSwitchedOff(t *testing.T) {
	inWorld(t, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(awaited))
		e.SetDeaf(onlyMachine(t, e).ID, true)
		config := configured(awaited, given{"cores": 4})
		o = expectFailure(t, d, o, config, "but it is not ready")
		stopped := d.MustApply(ctx, vmType, o, configured(awaited, given{"cores": 4, "power_on": false}))
		d.ExpectPlan(ctx, stopped, configured(awaited, given{"cores": 4, "power_on": false}), noop)

		changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false })
		d = e.NewDriver(t, nil)
		o = d.MustRefresh(ctx, o)
		d.ExpectPlan(ctx, o, config, noop)
		changeMachine(t, e, func(m *emulator.Machine) { m.PowerOn = true })
		d = e.NewDriver(t, nil)
		d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, update)
	})
}

// TestReadyWithoutAnAddress: the error is reported at once.
func TestReadyWithoutAnAddress(t *testing.T) {
	inWorld(t, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(awaited))
		changeMachine(t, e, func(m *emulator.Machine) { m.Interfaces = nil })
		config := configured(awaited, given{"cores": 4})
		o = expectFailure(t, d, d.MustRefresh(ctx, o), config, "reports no address", "Set ready.host")
		expectState(t, o, given{"cores": int64(4)})
	})
}
