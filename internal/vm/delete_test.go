package vm_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestDeleteProtection(t *testing.T) {
	protected := given{"deletion_protection": true, "zone_name": "york", "reimage.distribution": "bookworm", "group": "private"}
	const lift = "set deletion_protection = false"

	t.Run("refuses a destroy at plan", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(protected))
			e.ResetJournal()
			plan := d.Plan(t.Context(), vmType, o, nil)
			expectError(t, plan.Diagnostics, `Destroying virtual machine "web1" is refused`, lift)
			expectSent(t, e, "")
		})
	})
	for name, cause := range map[string]given{
		"zone_name": {"zone_name": "manchester"},
		"account":   {"account": "other"},
		"disc":      {"disc": discs("vda:25600:ssd")},
		"reimage":   {"reimage.distribution": "noble"},
		"ips":       {"ips.ipv4": "192.0.2.99"},
		"lifted in the same plan": {
			"zone_name": "manchester", "deletion_protection": false,
		},
	} {
		t.Run("refuses a replacement at plan/"+name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				o := d.MustApply(t.Context(), vmType, nil, configured(protected))
				e.ResetJournal()
				plan := d.Plan(t.Context(), vmType, o, configured(protected, cause))
				expectError(t, plan.Diagnostics, `Replacing virtual machine "web1" is refused`, lift)
				expectSent(t, e, "")
			})
		})
	}
	for name, force := range map[string]func(*acctest.Driver, *testing.T, *acctest.Object) *acctest.PlanResult{
		"-replace": func(d *acctest.Driver, t *testing.T, o *acctest.Object) *acctest.PlanResult {
			return d.PlanReplace(t.Context(), o, configured(protected))
		},
		"taint": func(d *acctest.Driver, t *testing.T, o *acctest.Object) *acctest.PlanResult {
			return d.Plan(t.Context(), vmType, o.Taint(), configured(protected))
		},
	} {
		t.Run("refuses at apply what is not asked at plan/"+name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				o := d.MustApply(t.Context(), vmType, nil, configured(protected))
				e.ResetJournal()
				plan := force(d, t, o)
				if plan.Action != acctest.ActionReplace {
					t.Fatalf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
				}
				_, diags := d.Apply(t.Context(), vmType, plan)
				expectError(t, acctest.Errors(diags), `Destroying virtual machine "web1" is refused`, lift)
				expectSent(t, e, "")
			})
		})
	}
	t.Run("is lifted by an apply of its own", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(protected))
			o = d.MustApply(t.Context(), vmType, o, configured(protected, given{"deletion_protection": false}))
			d.MustApply(t.Context(), vmType, o, nil)
			if left := e.Machines(); len(left) != 0 {
				t.Errorf("left: %+v", left)
			}
		})
	})
}

func TestDeleteSoftlyAndWhatFollows(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		soft := configured(given{"purge_on_destroy": false, "zone_name": "york"})
		o := d.MustApply(ctx, vmType, nil, soft)
		e.ResetJournal()

		plan := d.Plan(ctx, vmType, o, configured(given{"purge_on_destroy": false, "zone_name": "manchester"}))
		expectError(t, plan.Diagnostics, "error at zone_name:", `Replacing virtual machine "web1" cannot succeed`, "keep its name", "set purge_on_destroy = true")
		d.ExpectPlan(ctx, o, configured(given{"purge_on_destroy": false, "zone_name": "manchester", "name": "web2"}), acctest.ActionReplace)

		d.MustApply(ctx, vmType, o, nil)
		expectSent(t, e, "DELETE")
		if m := only(t, e); !m.Deleted {
			t.Error("not soft-deleted")
		}

		_, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
		expectError(t, acctest.Errors(diags), "error at name:", `A soft-deleted machine still holds the name "web1" in this group`, "purge=true", "undelete", "import")
		if m := only(t, e); !m.Deleted {
			t.Error("the soft-deleted machine was touched")
		}
	})
}

func TestDeleteWhatIsElsewhereOrGone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, e *acctest.Emulator, id int64)
		left      int
	}{
		"purged elsewhere":       {func(_ *testing.T, e *acctest.Emulator, id int64) { e.Purge(id) }, 0},
		"soft-deleted elsewhere": {func(_ *testing.T, e *acctest.Emulator, id int64) { e.SoftDelete(id) }, 0},
		"renamed elsewhere": {func(t *testing.T, e *acctest.Emulator, _ int64) {
			meanwhile(t, e, func(m *emulator.Machine) { m.Name = "renamed" })
		}, 0},
		"moved elsewhere": {func(t *testing.T, e *acctest.Emulator, _ int64) {
			private := groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
			meanwhile(t, e, func(m *emulator.Machine) { m.GroupID = private })
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured())
				plan := d.Plan(ctx, vmType, o, nil)
				test.meanwhile(t, e, only(t, e).ID) // between plan and apply
				if _, diags := d.Apply(ctx, vmType, plan); len(diags) > 0 {
					t.Fatal(acctest.DiagText(diags))
				}
				if left := e.Machines(); len(left) != test.left {
					t.Errorf("left: %+v", left)
				}
			})
		})
	}
}

func TestDeleteRefusedByTheServiceKeepsTheMachineInTheState(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		e.Inject(refuse("DELETE", "", "", 1))
		kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
		expectError(t, diags, `Cannot delete virtual machine "web1"`, "not today")
		if kept == nil {
			t.Fatal("the machine has left the state")
		}
		d.ExpectPlan(ctx, kept, configured(), acctest.ActionNoOp)
		d.MustApply(ctx, vmType, kept, nil)
	})
}

// TestDeleteTakesNoLongerThanItsTimeout has a service that never forgets.
func TestDeleteTakesNoLongerThanItsTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"timeouts.delete": "1m"}))
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == "DELETE" }, Status: 204})
		began := time.Now()
		kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
		if took := time.Since(began); took < time.Minute || took > time.Minute+time.Second {
			t.Errorf("took %s", took)
		}
		expectError(t, diags, `Cannot delete virtual machine "web1"`, "Waited 1m0s for the machine to be gone", "The machine stays in the state")
		if kept == nil {
			t.Error("the machine has left the state")
		}
	})
}
