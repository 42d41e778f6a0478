package vm_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestDeleteSoftlyKeepsTheName: replacing a machine under the same name would soft-delete it, and the new machine would
// be refused the name.
func TestDeleteSoftlyKeepsTheName(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		soft := func(name string, more ...given) object {
			return named(name, append(more, given{"purge_on_destroy": false})...)
		}
		o := d.MustApply(ctx, vmType, nil, soft("web1", inYork))
		e.ResetJournal()
		elsewhere := given{"zone_name": "manchester"}
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, soft("web1", elsewhere)).Diagnostics,
			"error at zone_name:", "under the same name", "keep its name", "apply purge_on_destroy = true")
		d.ExpectPlan(ctx, o, soft("web2", elsewhere), replace)
		expectSent(t, e, "")

		plan := d.Plan(ctx, vmType, o, nil)
		expectSays(t, plan.Diagnostics, "A soft-deleted machine keeps its name")
		mustApply(t, d, plan)
		if expectSent(t, e, "DELETE"); !onlyMachine(t, e).Deleted {
			t.Error("not soft-deleted")
		}
	})
}

func TestDeleteWhatIsElsewhereOrGone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *acctest.Emulator, id int64) error{
		"purged":       func(e *acctest.Emulator, id int64) error { e.Purge(id); return nil },
		"soft-deleted": func(e *acctest.Emulator, id int64) error { e.SoftDelete(id); return nil },
		"renamed": func(e *acctest.Emulator, id int64) error {
			return e.Change(id, func(m *emulator.Machine) { m.Name = "renamed" })
		},
		"moved": func(e *acctest.Emulator, id int64) error {
			private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
			return e.Change(id, func(m *emulator.Machine) { m.GroupID = private })
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			plan := d.Plan(t.Context(), vmType, d.MustApply(t.Context(), vmType, nil, configured()), nil)
			if err := change(e, onlyMachine(t, e).ID); err != nil {
				t.Fatal(err)
			}
			mustApply(t, d, plan)
			expectNoMachine(t, e)
		})
	}
}

// TestDeleteIsDoneWhenTheServiceAnswers: after a 204 there is no wait and no further request.
func TestDeleteIsDoneWhenTheServiceAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		plan := d.Plan(t.Context(), vmType, d.MustApply(t.Context(), vmType, nil, configured()), nil)
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == "DELETE" }, Status: 204}) // without effect
		e.ResetJournal()
		if gone, diags := d.Apply(t.Context(), vmType, plan); gone != nil || len(diags) > 0 {
			t.Errorf("in the state: %v\n%s", gone, acctest.DiagText(diags))
		}
		if calls := e.AllCalls(); !strings.HasPrefix(calls[len(calls)-1], "DELETE ") {
			t.Errorf("asked after the delete: %q", calls)
		}
	})
}

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
		"and the start once":    {[]emulator.Fault{refused, refuse("PUT", "", `"power_on":true`, 1)}, false},
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
	for _, name := range []string{"destroyed", "replaced", "replaced by force"} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(inYork))
			plan := func() *acctest.PlanResult {
				switch name {
				case "destroyed":
					return d.Plan(ctx, vmType, o, nil)
				case "replaced":
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

// TestDestroyOfAnOrphanWithAnUnmanagedDisc: Terraform does not hand the refreshed private state of a machine without a
// block to its plan or its delete, and Terraform 1.11 plans it before it refreshes it. The first plan that follows a
// refresh, or a delete that was refused, names the disc, and its apply goes through.
func TestDestroyOfAnOrphanWithAnUnmanagedDisc(t *testing.T) {
	t.Parallel()
	const named = `Unmanaged discs will be destroyed: "theirs"`
	for name, refreshesFirst := range map[string]bool{"refreshed first": true, "planned first": false} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(image))
			e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 77})
			planner := e.NewDriver(t, nil)
			if refreshesFirst {
				planner.MustRefresh(ctx, o)
			} else {
				plan := planner.Plan(ctx, vmType, o, nil)
				o = expectApplyFailure(t, e.NewDriver(t, nil), plan, "Cannot delete", "plan and apply again")
				planner = e.NewDriver(t, nil)
			}
			plan := planner.Plan(ctx, vmType, o, nil)
			expectSays(t, plan.Diagnostics, named)
			mustApply(t, e.NewDriver(t, nil), plan)
			expectNoMachine(t, e)
		})
	}
}

// TestProtectionRefuses: the plan is refused without a request, whether the state or the plan itself protects the
// machine.
func TestProtectionRefuses(t *testing.T) {
	t.Parallel()
	const lift, replaces, known = "apply deletion_protection = false", `Cannot replace virtual machine "web1"`, "known only after apply"
	whole := with(with(with(protected, "zone_name", "york"), "reimage.distribution", "bookworm"), "group", "private")
	unknown := given{"deletion_protection": acctest.Unknown}
	moved := given{"zone_name": "manchester"}
	for name, test := range map[string]struct {
		was, to given
		destroy bool
		says    []string
	}{
		"a destroy":               {was: whole, destroy: true, says: []string{`Cannot destroy virtual machine "web1"`, lift}},
		"another zone":            {was: whole, to: moved, says: []string{replaces, lift}},
		"another image":           {was: whole, to: given{"reimage.distribution": "noble"}, says: []string{replaces, lift}},
		"another address":         {was: whole, to: given{"ips.ipv4": "192.0.2.99"}, says: []string{replaces, lift}},
		"lifted in the same plan": {was: whole, to: with(moved, "deletion_protection", false), says: []string{replaces, lift}},
		"not known yet":           {was: inYork, to: with(unknown, "zone_name", "manchester"), says: []string{replaces, "error at deletion_protection", known}},
		"brought, another zone":   {was: inYork, to: with(moved, "deletion_protection", true), says: []string{replaces, "all the same, leave deletion_protection out of this apply, and set it in the next one"}},
		"brought, a disc":         {was: given{"disc": discs("vda:25600", "data:5000")}, to: with(protected, "disc", discs("vda:25600")), says: []string{`Cannot purge disc "data"`, "To rename a disc, change only its label, at the same position", "all the same, leave deletion_protection out of this apply, and set it in the next one"}},
		"brought, an image":       {was: inPlace, to: with(protected, "reimage.distribution", "noble"), says: []string{"Cannot reimage", "all the same, leave deletion_protection out of this apply, and set it in the next one"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.was))
			e.ResetJournal()
			config := configured(test.was, test.to)
			if test.destroy {
				config = nil
			}
			acctest.ExpectError(t, d.Plan(ctx, vmType, o, config).Diagnostics, test.says...)
			expectSent(t, e, "")

			lifted := configured(test.was, given{"deletion_protection": false}) // in a separate apply
			o = d.MustApply(ctx, vmType, d.MustApply(ctx, vmType, o, configured(test.was, protected)), lifted)
			if d.PlanReplace(ctx, o, lifted).Action != replace {
				t.Error("still protected")
			}
			d.MustApply(ctx, vmType, o, nil)
			expectNoMachine(t, e)
		})
	}
}

// TestProtectionAgainstASoftDelete: the refusal says that the machine would be soft-deleted.
func TestProtectionAgainstASoftDelete(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(inYork, protected, given{"purge_on_destroy": false})
		o := d.MustApply(ctx, vmType, nil, config)
		e.ResetJournal()
		elsewhere := named("web2", protected, given{"purge_on_destroy": false, "zone_name": "manchester"})
		for _, plan := range []*acctest.PlanResult{d.Plan(ctx, vmType, o, nil), d.Plan(ctx, vmType, o, elsewhere)} {
			acctest.ExpectError(t, plan.Errors(), "would be soft-deleted, with its discs", "apply deletion_protection = false")
		}
		expectSent(t, e, "")
	})
}

// TestProtectionAtApply: Terraform replaces a machine that is tainted, or by force, without asking the provider at plan.
func TestProtectionAtApply(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]func(context.Context, *acctest.Driver, *acctest.Object, object) *acctest.PlanResult{
		"tainted": func(ctx context.Context, d *acctest.Driver, o *acctest.Object, config object) *acctest.PlanResult {
			return d.Plan(ctx, vmType, o.Taint(), config)
		},
		"by force": func(ctx context.Context, d *acctest.Driver, o *acctest.Object, config object) *acctest.PlanResult {
			return d.PlanReplace(ctx, o, config)
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx, config := t.Context(), configured(protected)
			o := d.MustApply(ctx, vmType, nil, config)
			e.ResetJournal()
			kept := expectApplyFailure(t, d, plan(ctx, d, o, config), `Cannot destroy virtual machine "web1"`, "apply deletion_protection = false", "terraform untaint")
			expectSent(t, e, "")
			d.ExpectPlan(ctx, kept.Untaint(), config, noop)
		})
	}
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
