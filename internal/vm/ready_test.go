// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

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
				changeMachine(t, e, func(m *emulator.Machine) { m.Deaf = true })
			}()
			o, diags := d.Apply(ctx, vmType, plan)
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
			expectSays(t, plan.Diagnostics, "The update waits until the machine is ready", `before virtual machine "web1" was ready`, "if it changes nothing else, it sends nothing")
			settles := []string{"pending"}
			if !creates {
				settles = []string{"last_change", "pending"}
			}
			if changes := plan.Changes(); !slices.Equal(changes, settles) {
				t.Errorf("the plan changes %v", changes)
			}
			o = expectApplyFailure(t, d, plan, "Updated", "but it is not ready")
			_, diags = d.Apply(ctx, vmType, d.ExpectPlan(ctx, o, config, update))
			acctest.ExpectError(t, acctest.Errors(diags), "Not updated: the rollout ended with", "Nothing was changed.")

			d = e.NewDriver(t, nil)
			without := configured(awaited, given{"cores": 4, "ready": nil})
			freed, diags, took := applyTimed(t, d, d.ExpectPlan(ctx, o, without, update))
			if len(diags) > 0 || took > 0 {
				t.Errorf("without the block, after %s:\n%s", took, acctest.DiagText(diags))
			}
			d.ExpectPlan(ctx, freed, without, noop)
			changeMachine(t, e, func(m *emulator.Machine) { m.Deaf = false })
			o = applyCleanly(t, d, e, o, config, "")
			if strings.Contains(privateState(t, o), "ready") {
				t.Errorf("still owed: %s", o.Private)
			}
		})
	}
}

// TestInterruptedUntilReady: nothing has to be checked after an interrupt. Another apply waits again, in a rollout that of
// this machine alone.
func TestInterruptedUntilReady(t *testing.T) {
	inWorld(t, guests, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		for next, settings := range map[string]map[string]any{
			"Run apply again to continue.\n":                            nil,
			"Apply this machine first, alone, with -target, with these": {"max_unavailable": 1},
		} {
			d := e.NewDriver(t, settings)
			o := d.MustApply(t.Context(), vmType, nil, configured(awaited))
			plan := d.Plan(t.Context(), vmType, o, configured(awaited, given{"cores": 4}))
			stopAfter(t, d, time.Minute)
			o, diags := d.Apply(t.Context(), vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "but it is not ready", "interrupted", "the next apply waits again. "+next)
			e.NewDriver(t, nil).MustApply(t.Context(), vmType, o, nil)
		}
	})
}

// TestNotReadyAndSwitchedOff: no readiness is owed while a machine is off.
func TestNotReadyAndSwitchedOff(t *testing.T) {
	inWorld(t, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(awaited))
		changeMachine(t, e, func(m *emulator.Machine) { m.Deaf = true })
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

// overHTTP is a machine that counts as up when it answers /health with success.
var overHTTP = given{"ready.port": 8080, "ready.http_path": "/health", "ready.timeout": "2m", "cores": 2, leave: true}

// TestReadyBadInput: invalid values are errors of validate, at the attribute to blame. The matrix has one of each
// attribute.
func TestReadyBadInput(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	path := given{"ready.http_path": "/"}
	for _, test := range []struct {
		config, also given
		says         string
	}{
		{config: given{"ready.ca_certificate": "/nonexistent/ca.pem"}, also: path, says: "error at ready.ca_certificate: Invalid ca_certificate"},
		{config: given{"ready.http_status": "200"}, says: "error at ready.http_status: Missing http_path"},
		{config: given{"ready.http_host": "www.example.com"}, says: "error at ready.http_host: Missing http_path"},
		{config: given{"ready.https": true}, says: "error at ready.https: Missing http_path"},
		{config: given{"ready.https": false}},
		{config: given{"ready.http_path": acctest.Unknown}, also: given{"ready.http_status": "200"}},
	} {
		diags := d.Validate(vmType, configured(given{"ready.port": 22}, test.also, test.config))
		if text := acctest.DiagText(diags); (text == "") != (test.says == "") || !strings.Contains(text, test.says) {
			t.Errorf("%v and %v: want %q in\n%s", test.config, test.also, test.says, text)
		}
	}
}

// TestReadyAddresses: the address comes from the service, which is not trusted. The provider does not connect to this
// computer or its network, unless the user has configured the address, or the service also runs here.
func TestReadyAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		endpoint, address, host, says string
	}{
		{endpoint: "https://api.example.com", address: "127.77.0.2", says: "reports 127.77.0.2 as the address of the machine, which is not one of another computer"},
		{endpoint: "https://api.example.com", address: "127.77.0.2", host: "127.77.0.2"},
		{endpoint: "https://api.example.com", address: "203.0.113.5"},
		{endpoint: "http://127.0.0.1", address: "127.77.0.2"},
	} {
		inWorldNamed(t, test.endpoint+" "+test.address+" "+test.host, guests, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(awaited))
			if address := textOf(o.Get("ipv4_address")); address != "127.77.0.2" {
				t.Fatalf("the address is %s", address)
			}
			changeMachine(t, e, func(m *emulator.Machine) { m.Interfaces[0].IPs = []string{test.address} })
			d = e.NewDriver(t, given{"endpoint": test.endpoint})
			var dialled []string
			e.OnDial = func(address string) { dialled = append(dialled, address) }
			config := configured(awaited, given{"cores": 4})
			if test.host != "" {
				config = configured(config, given{"ready.host": test.host})
			}
			_, diags, took := applyTimed(t, d, d.Plan(ctx, vmType, d.MustRefresh(ctx, o), config))
			text := acctest.DiagText(acctest.Errors(diags))
			if (text == "") != (test.says == "") || !strings.Contains(text, test.says) {
				t.Errorf("want %q in\n%s", test.says, text)
			}
			if refused := strings.Contains(text, "which is not"); refused && (len(dialled) > 0 || took > time.Minute || !strings.Contains(text, "Set ready.host")) {
				t.Errorf("dialled %q, after %s:\n%s", dialled, took, text)
			}
		})
	}
}

// TestWaitsAreTold: while an apply waits, the log has every 30 seconds what it waits for and what was last seen. The
// final error uses the same words.
func TestWaitsAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, IgnorePowerdown: true, Guests: true}, given{"max_unavailable": 1})
		config := func(name string, cores int) object {
			return named(name, overHTTP, given{"cores": cores, "ready.timeout": "45s", "shutdown_timeout": "40s"})
		}
		one, two := d.MustApply(t.Context(), vmType, nil, config("web1", 2)), d.MustApply(t.Context(), vmType, nil, config("web2", 2))
		_ = e.Change(parsed(one.Get("id").(string)), func(m *emulator.Machine) { m.HTTPStatus = 503 })
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		first, second := d.Plan(ctx, vmType, one, config("web1", 4)), d.Plan(ctx, vmType, two, config("web2", 4))
		done := make(chan string)
		go func() {
			_, diags := d.Apply(ctx, vmType, first)
			done <- acctest.DiagText(acctest.Errors(diags))
		}()
		synctest.Wait()
		_, diags := d.Apply(ctx, vmType, second)
		failure := <-done
		acctest.ExpectError(t, acctest.Errors(diags), "Not updated: the rollout ended with")
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, entry := range entries {
			if text := fmt.Sprint(entry["@message"]); entry["@level"] == "info" && strings.HasPrefix(text, "virtual machine") {
				told = append(told, text)
			}
		}
		all := strings.Join(told, "\n")
		const answered = "to answer 200-299, 30s so far; last seen: GET http://127.77.0.2:8080/health answered 503 Service Unavailable (attempt "
		for _, want := range []string{
			`virtual machine "web2": waiting for a slot among max_unavailable = 1; last seen: in progress is virtual machine "web1"`,
			`virtual machine "web2": waiting for a slot among max_unavailable = 1, 1m30s so far; last seen: in progress is virtual machine "web1"`,
			`virtual machine "web1": asking the guest to shut down`,
			`virtual machine "web1": waiting for the guest to shut down, 30s so far; last seen: power_on is true`,
			`virtual machine "web1": the guest did not shut down within 40s: switching the machine off`,
			`virtual machine "web1": starting the machine`,
			`virtual machine "web1": waiting for the machine to be on, 30s so far; last seen: power_on is false`,
			`virtual machine "web1": waiting for GET http://127.77.0.2:8080/health to answer 200-299`,
			`virtual machine "web1": waiting for GET http://127.77.0.2:8080/health ` + answered,
		} {
			if !strings.Contains(all, want) {
				t.Errorf("want %q in\n%s", want, all)
			}
		}
		if want := "for GET http://127.77.0.2:8080/health to answer 200-299: timed out; last seen: GET http://127.77.0.2:8080/health answered 503 Service Unavailable (attempt "; !strings.Contains(failure, want) {
			t.Errorf("want %q in\n%s", want, failure)
		}
	})
}
