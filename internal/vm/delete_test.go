// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDeleteShutsDownFirst: if configured, the guest is asked to power down first, for at most shutdown_timeout.
func TestDeleteShutsDownFirst(t *testing.T) {
	t.Parallel()
	const down = stop + "DELETE?purge=true"
	for name, test := range map[string]struct {
		config given
		deaf   bool
		sent   string
		took   time.Duration // at least, and at most ten seconds more
	}{
		"not configured": {sent: "DELETE?purge=true"},
		"configured":     {config: given{"shutdown_before_destroy": true}, sent: down, took: 5 * time.Second},
		"a deaf guest":   {config: given{"shutdown_before_destroy": true, "shutdown_timeout": "30s"}, deaf: true, sent: down, took: 30 * time.Second},
		"a soft delete":  {config: given{"shutdown_before_destroy": true, "purge_on_destroy": false}, sent: stop + "DELETE", took: 5 * time.Second},
		"a machine off":  {config: given{"shutdown_before_destroy": true, "power_on": false}, sent: "DELETE?purge=true"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(test.config))
			changeMachine(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = test.deaf })
			e.ResetJournal()
			began := time.Now()
			d.MustApply(t.Context(), vmType, o, nil)
			if took := time.Since(began); took < test.took || took > test.took+10*time.Second {
				t.Errorf("took %s", took)
			}
			expectSent(t, e, test.sent)
		})
	}
}

// TestDeleteOfWhatCannotBeDescribed: a machine that the service is still creating is deleted as well.
func TestDeleteOfWhatCannotBeDescribed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		plan := d.Plan(t.Context(), vmType, d.MustApply(t.Context(), vmType, nil, configured()), nil)
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool {
				return r.Method == http.MethodGet && strings.Contains(r.Path, "/virtual_machines/")
			},
			Status: http.StatusAccepted,
		})
		mustApply(t, d, plan)
		expectNoMachine(t, e)
	})
}

// TestDeleteThatFails: the machine stays in the state. Its power is restored, or the next plan shows that it must be.
func TestDeleteThatFails(t *testing.T) {
	t.Parallel()
	refused := refuse("DELETE", "", "", 1)
	for name, test := range map[string]struct {
		faults []emulator.Fault
		owed   bool
	}{
		"refused":               {[]emulator.Fault{refused}, false},
		"and the start as well": {[]emulator.Fault{refused, refuse("PUT", "", `"power_on":true`, 1000)}, true},
		"the signal":            {[]emulator.Fault{refuse("POST", "/signal", "", 1)}, false},
		"the first of all":      {[]emulator.Fault{refuse("PUT", "", "", 1)}, false},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(given{"shutdown_before_destroy": true})
			o := d.MustApply(ctx, vmType, nil, config)
			var remove []func()
			for _, fault := range test.faults {
				remove = append(remove, e.Inject(fault))
			}
			kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
			for _, end := range remove {
				end()
			}
			if len(acctest.Errors(diags)) != 1 || kept == nil || strings.Contains(acctest.DiagText(diags), "Cannot restore the power") != test.owed {
				t.Fatal(acctest.DiagText(diags))
			}
			acctest.ExpectError(t, acctest.Errors(diags), `Cannot delete virtual machine "web1"`, "The machine stays in the state.")
			expectPower(t, e, !test.owed, !test.owed)
			want := noop
			if test.owed {
				want = update
			}
			mustApply(t, d, d.ExpectPlan(ctx, kept, config, want))
			expectPower(t, e, true, true)
		})
	}
}

// TestDeleteOfADiscThatNoPlanNamed: a disc that was attached after the last refresh is not destroyed with its machine.
// One that the refresh saw is destroyed, and the plan names it.
func TestDeleteOfADiscThatNoPlanNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"replaced", "replaced by force"} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(inYork))
			plan := func() *acctest.PlanResult {
				if name == "replaced" {
					return d.Plan(ctx, vmType, o, configured(given{"zone_name": "manchester"}))
				}
				return d.PlanReplace(ctx, o, configured(inYork))
			}
			id, planned := onlyMachine(t, e).ID, plan()
			e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77})
			e.ResetJournal()
			o = expectApplyFailure(t, d, planned, "Cannot delete", `"theirs" (ID `, "terraform untaint")
			expectSent(t, e, "")
			o = d.MustRefresh(ctx, o)
			planned = plan()
			if text := acctest.DiagText(planned.Diagnostics); name != "replaced by force" && !strings.Contains(text, `"theirs"`) {
				t.Errorf("the plan says\n%s", text)
			}
			mustApply(t, d, planned)
			if _, left := e.Machine(id); left {
				t.Error("the machine exists")
			}
		})
	}
}

// TestDestroyOfAnUnmanagedDisc: the plan names the disc, and the apply, in another process, goes through. Terraform does
// not hand the refreshed private state of a machine without a block to its plan, and Terraform 1.11 plans it before it
// refreshes it: then the apply is refused, and the next plan names the disc. `plan -destroy` is two processes, of which
// the second has read nothing.
func TestDestroyOfAnUnmanagedDisc(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testing.T, *acctest.Driver, *acctest.Emulator, *acctest.Object) *acctest.Object{
		"an orphan that was read": func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator, o *acctest.Object) *acctest.Object {
			refreshed := d.MustRefresh(t.Context(), o)
			refreshed.Private = o.Private
			return refreshed
		},
		"an orphan that was not read": func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator, o *acctest.Object) *acctest.Object {
			plan := e.NewDriver(t, nil).Plan(t.Context(), vmType, o, nil)
			kept, diags := e.NewDriver(t, nil).Apply(t.Context(), vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete", "plan and apply again")
			return kept
		},
		"plan -destroy": func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator, o *acctest.Object) *acctest.Object {
			return e.NewDriver(t, nil).MustRefresh(t.Context(), o)
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(image))
			e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 77})
			planner := e.NewDriver(t, nil)
			plan := planner.Plan(ctx, vmType, prepare(t, planner, e, o), nil)
			expectSays(t, plan.Warnings(), `Unmanaged discs of virtual machine "web1" will be destroyed: "theirs"`)
			mustApply(t, e.NewDriver(t, nil), plan)
			expectNoMachine(t, e)
		})
	}
}

// TestProtectionAtApply: Terraform replaces a machine by force without asking the provider at plan.
func TestProtectionAtApply(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx, config := t.Context(), configured(protected)
		o := d.MustApply(ctx, vmType, nil, config)
		e.ResetJournal()
		kept := expectApplyFailure(t, d, d.PlanReplace(ctx, o, config), `Cannot destroy virtual machine "web1"`, "apply deletion_protection = false", "terraform untaint")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, kept.Untaint(), config, noop)
	})
}

// TestReplacementThatFailsForgetsNothing: if the delete of a replaced machine fails, the private state still has the
// power to restore, and the discs that somebody else has attached.
func TestReplacementThatFailsForgetsNothing(t *testing.T) {
	t.Parallel()
	for name, forced := range map[string]bool{"a change": false, "-replace": true} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(given{"zone_name": "york"})
			o := d.MustApply(ctx, vmType, nil, config)
			kept := `{"discs":[{"id":4711,"label":"theirs"}],"from":"no_image","owed":{"power":{"power_on":true,"autoreboot_on":true},"ready":true}}`
			private, err := json.Marshal(map[string][]byte{"kept": []byte(kept)})
			if err != nil {
				t.Fatal(err)
			}
			o.Private = private
			defer e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool { return r.Method == http.MethodDelete }})()
			plan := d.Plan(ctx, vmType, o, configured(config, given{"zone_name": "manchester", "cores": 1, "memory": 1024, "hardware_profile": "virtio2013"}))
			if forced {
				plan = d.PlanReplace(ctx, o, config)
			}
			if plan.Action != replace {
				t.Fatalf("%s: %s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			left, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete", "403")
			if got := privateState(t, left); got != kept {
				t.Errorf("left is %s, want %s", got, kept)
			}
		})
	}
}

// TestProtectionByDefault: deletion_protection of the provider block protects every machine that does not say otherwise,
// as long as it is configured. It is in no state, so that raising or lowering it plans nothing.
func TestProtectionByDefault(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		protecting := e.NewDriver(t, object{"deletion_protection": true})
		two := configured(off, given{"disc": discs("vda:25600", "data:5000")})
		o := d.MustApply(ctx, vmType, nil, two)
		protecting.ExpectPlan(ctx, o, two, noop)
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(off), refused).Errors(), "Cannot purge disc", "the provider's deletion_protection")
		expectSays(t, protecting.ExpectPlan(ctx, o, configured(two, given{"zone_name": "manchester"}), refused).Errors(), "Cannot replace")
		expectSays(t, protecting.Plan(ctx, vmType, o, nil).Errors(), "Cannot destroy")
		if created := protecting.MustApply(ctx, vmType, nil, configured(off, given{"name": "web2"})); created.Get("deletion_protection") != nil {
			t.Errorf("a new machine has %v", created.Get("deletion_protection"))
		}

		// To lift it for one machine takes an apply of its own.
		open := configured(off, given{"deletion_protection": false})
		expectSays(t, protecting.ExpectPlan(ctx, o, open, refused).Errors(), "Cannot purge disc")
		lifted := protecting.MustApply(ctx, vmType, o, configured(two, given{"deletion_protection": false}))
		protecting.ExpectPlan(ctx, lifted, open, update)
		d.ExpectPlan(ctx, o, configured(off), update)
	})
}
