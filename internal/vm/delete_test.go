package vm_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestDeleteProtection(t *testing.T) {
	protected := given{"deletion_protection": true, "zone_name": "york", "reimage.distribution": "bookworm", "reimage.root_password": "test-only", "group": "private"}
	const lift = "apply deletion_protection = false"

	t.Run("refuses a destroy at plan", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(protected))
			e.ResetJournal()
			plan := d.Plan(t.Context(), vmType, o, nil)
			acctest.ExpectError(t, plan.Diagnostics, `Cannot destroy virtual machine "web1"`, lift)
			expectSent(t, e, "")
		})
	})
	for name, cause := range map[string]given{
		"zone_name": {"zone_name": "manchester"},
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
				acctest.ExpectError(t, plan.Diagnostics, `Cannot replace virtual machine "web1"`, lift)
				expectSent(t, e, "")
			})
		})
	}
	t.Run("refuses a replacement while it is unknown", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			lifted := given{"deletion_protection": false}
			o := d.MustApply(t.Context(), vmType, nil, configured(protected, lifted))
			unknown := given{"deletion_protection": acctest.Unknown, "zone_name": "manchester"}
			plan := d.Plan(t.Context(), vmType, o, configured(protected, unknown))
			acctest.ExpectError(t, plan.Diagnostics, `Cannot replace virtual machine "web1"`, "error at deletion_protection", "known only after apply")
		})
	})
	t.Run("refuses -replace at plan", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(protected))
			e.ResetJournal()
			plan := d.PlanReplace(t.Context(), o, configured(protected, given{"deletion_protection": false}))
			acctest.ExpectError(t, plan.Errors(), `Cannot replace virtual machine "web1"`, lift)
			expectSent(t, e, "")
		})
	})
	t.Run("refuses a taint at apply, where the provider is asked first", func(t *testing.T) {
		inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(protected))
			e.ResetJournal()
			plan := d.Plan(t.Context(), vmType, o.Taint(), configured(protected))
			if plan.Action != acctest.ActionReplace {
				t.Fatalf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			kept, diags := d.Apply(t.Context(), vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), `Cannot destroy virtual machine "web1"`, lift, "If the machine is tainted, run terraform untaint before that")
			expectSent(t, e, "")
			d.ExpectPlan(t.Context(), kept.Untaint(), configured(protected), noop)
		})
	})
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

// TestDeleteSoftlyKeepsTheName: a forced replacement under the same name would
// delete the machine, and be refused the name for the new one.
func TestDeleteSoftlyKeepsTheName(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		soft := given{"purge_on_destroy": false}
		o := d.MustApply(ctx, vmType, nil, configured(soft))
		e.ResetJournal()
		acctest.ExpectError(t, d.PlanReplace(ctx, o, configured(soft)).Errors(), "error at purge_on_destroy", `Cannot replace virtual machine "web1" under the same name`)
		acctest.ExpectError(t, d.PlanReplace(ctx, o, configured()).Errors(), `Cannot replace virtual machine "web1" under the same name`)
		acctest.ExpectError(t, d.PlanReplace(ctx, o, configured(given{"group_id": idOf(only(t, e).GroupID)})).Errors(), "under the same name")
		if errors := d.PlanReplace(ctx, o, configured(soft, given{"name": "web2"})).Errors(); len(errors) > 0 {
			t.Error(acctest.DiagText(errors))
		}
		expectSent(t, e, "")
		o = d.MustApply(ctx, vmType, o, configured(soft, given{"name": "web3"}))
		acctest.ExpectError(t, d.PlanReplace(ctx, o, configured(soft, given{"name": "web3"})).Errors(), "under the same name")
		o = d.MustApply(ctx, vmType, o, configured(given{"name": "web3"}))
		if errors := d.PlanReplace(ctx, o, configured(given{"name": "web3"})).Errors(); len(errors) > 0 {
			t.Error(acctest.DiagText(errors))
		}
	})
}

// TestDeleteSoftlyAfterARenameElsewhere: the name that stays taken is the one that the machine has now.
func TestDeleteSoftlyAfterARenameElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		soft := configured(given{"purge_on_destroy": false})
		o := d.MustApply(ctx, vmType, nil, soft)
		if err := e.Change(only(t, e).ID, func(m *emulator.Machine) { m.Name = "web9" }); err != nil {
			t.Fatal(err)
		}
		o = d.MustRefresh(ctx, o)
		if errors := d.PlanReplace(ctx, o, soft).Errors(); len(errors) > 0 {
			t.Error(acctest.DiagText(errors))
		}
		renamed := configured(given{"purge_on_destroy": false, "name": "web9"})
		d.ExpectPlan(ctx, o, renamed, acctest.ActionNoOp)
		acctest.ExpectError(t, d.PlanReplace(ctx, o, renamed).Errors(), `Cannot replace virtual machine "web9" under the same name`)
	})
}

func TestDeleteSoftlyAndWhatFollows(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		soft := configured(given{"purge_on_destroy": false, "zone_name": "york"})
		o := d.MustApply(ctx, vmType, nil, soft)
		e.ResetJournal()

		plan := d.Plan(ctx, vmType, o, configured(given{"purge_on_destroy": false, "zone_name": "manchester"}))
		acctest.ExpectError(t, plan.Diagnostics, "error at zone_name:", `Cannot replace virtual machine "web1" under the same name`, "keep its name", "apply purge_on_destroy = true")
		d.ExpectPlan(ctx, o, configured(given{"purge_on_destroy": false, "zone_name": "manchester", "name": "web2"}), acctest.ActionReplace)

		d.MustApply(ctx, vmType, o, nil)
		expectSent(t, e, "DELETE")
		if m := only(t, e); !m.Deleted {
			t.Error("not soft-deleted")
		}

		_, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
		acctest.ExpectError(t, acctest.Errors(diags), "error at name:", `still holds the name "web1" in this group`, "cloudserver_vm_purge", "cloudserver_vm_undelete", "import")
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
		acctest.ExpectError(t, diags, `Cannot delete virtual machine "web1"`, "not today")
		if kept == nil {
			t.Fatal("the machine has left the state")
		}
		d.ExpectPlan(ctx, kept, configured(), acctest.ActionNoOp)
		d.MustApply(ctx, vmType, kept, nil)
	})
}

// TestDeleteIsDoneWhenTheServiceAnswers waits for nothing and asks for nothing
// after a 204.
func TestDeleteIsDoneWhenTheServiceAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		plan := d.Plan(ctx, vmType, o, nil)
		e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Method == "DELETE" }, Status: 204}) // and no effect
		e.ResetJournal()
		if gone, diags := d.Apply(ctx, vmType, plan); gone != nil || len(diags) > 0 {
			t.Errorf("in the state: %v\n%s", gone, acctest.DiagText(diags))
		}
		if calls := e.AllCalls(); !strings.HasPrefix(calls[len(calls)-1], "DELETE ") {
			t.Errorf("asked after the delete: %q", calls)
		}
	})
}

// TestDeleteOfAMachineThatIsHidden: a 404 is no success while the account is not
// visible.
func TestDeleteOfAMachineThatIsHidden(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		plan := d.Plan(ctx, vmType, o, nil)
		remove := e.Inject(emulator.Fault{Status: 404})
		kept, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, diags, `Cannot delete virtual machine "web1"`, "does not show the account", "The state is unchanged")
		if kept == nil {
			t.Fatal("the machine has left the state")
		}
		remove()
		e.NewDriver(t, nil).MustApply(ctx, vmType, kept, nil)
		expectSent(t, e, "create; DELETE?purge=true")
	})
}

// TestDeleteShutsDownFirst asks the guest to power down where that is
// configured, for at most shutdown_timeout.
func TestDeleteShutsDownFirst(t *testing.T) {
	t.Parallel()
	const down = stop + "DELETE?purge=true"
	for name, test := range map[string]struct {
		config given
		deaf   bool
		sent   string
		took   time.Duration // at least, and at most ten seconds more
	}{
		"not configured": {nil, false, "DELETE?purge=true", 0},
		"configured":     {given{"shutdown_before_destroy": true}, false, down, 5 * time.Second},
		"a deaf guest":   {given{"shutdown_before_destroy": true, "shutdown_timeout": "30s"}, true, down, 30 * time.Second},
		"a soft delete":  {given{"shutdown_before_destroy": true, "purge_on_destroy": false}, false, stop + "DELETE", 5 * time.Second},
		"a machine off":  {given{"shutdown_before_destroy": true, "power_on": false}, false, "DELETE?purge=true", 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(test.config))
				meanwhile(t, e, func(m *emulator.Machine) { m.IgnoresPowerdown = test.deaf })
				e.ResetJournal()
				began := time.Now()
				d.MustApply(ctx, vmType, o, nil)
				if took := time.Since(began); took < test.took || took > test.took+10*time.Second {
					t.Errorf("took %s", took)
				}
				expectSent(t, e, test.sent)
			})
		})
	}
}

// TestDeleteThatFailsAfterTheShutdown restores the power of the machine, or shows
// at the next plan that it has to.
func TestDeleteThatFailsAfterTheShutdown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refused []emulator.Fault
		owed    bool
	}{
		"refused":                  {[]emulator.Fault{refuse("DELETE", "", "", 1)}, false},
		"and the start as well":    {[]emulator.Fault{refuse("DELETE", "", "", 1), refuse("PUT", "", `"power_on":true`, 1)}, true},
		"the signal":               {[]emulator.Fault{refuse("POST", "/signal", "", 1)}, false},
		"the first of all":         {[]emulator.Fault{refuse("PUT", "", "", 1)}, false},
		"lost, and gone all along": {[]emulator.Fault{{Match: refuse("DELETE", "", "", 1).Match, Status: http.StatusBadGateway, AfterEffect: true}}, false},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(given{"shutdown_before_destroy": true})
			o := d.MustApply(ctx, vmType, nil, config)
			for _, fault := range test.refused {
				e.Inject(fault)
			}
			kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o, nil))
			if len(acctest.Errors(diags)) != 1 || kept == nil || strings.Contains(acctest.DiagText(diags), "Cannot restore the power") != test.owed {
				t.Fatal(acctest.DiagText(diags))
			}
			if len(e.Machines()) == 0 {
				return
			}
			if m := only(t, e); m.PowerOn == test.owed {
				t.Errorf("power_on %t", m.PowerOn)
			}
			want := noop
			if test.owed {
				want = update
			}
			d.ExpectPlan(ctx, kept, config, want)
			d.MustApply(ctx, vmType, d.MustRefresh(ctx, kept), config)
			if m := only(t, e); !m.PowerOn || !m.AutorebootOn {
				t.Errorf("power_on %t, autoreboot_on %t", m.PowerOn, m.AutorebootOn)
			}
		})
	}
}

// TestDeleteOfADiscThatNoPlanNamed: a disc that was attached after the last
// refresh is not destroyed with its machine; one that the refresh saw is.
func TestDeleteOfADiscThatNoPlanNamed(t *testing.T) {
	t.Parallel()
	moved := given{"zone_name": "manchester"}
	plans := map[string]func(ctx context.Context, d *acctest.Driver, o *acctest.Object) *acctest.PlanResult{
		"destroyed": func(ctx context.Context, d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
			return d.Plan(ctx, vmType, o, nil)
		},
		"replaced": func(ctx context.Context, d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
			return d.Plan(ctx, vmType, o, configured(moved))
		},
		"replaced by force": func(ctx context.Context, d *acctest.Driver, o *acctest.Object) *acctest.PlanResult {
			return d.PlanReplace(ctx, o, configured(inYork))
		},
	}
	for name, plan := range plans {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(inYork))
			id := only(t, e).ID
			planned := plan(ctx, d, o)
			e.AddDisc(id, emulator.Disc{Label: "theirs", Size: 77})
			e.ResetJournal()
			kept, diags := d.Apply(ctx, vmType, planned)
			acctest.ExpectError(t, acctest.Errors(diags), "Cannot delete", `disc "theirs"`, "terraform untaint")
			expectSent(t, e, "")
			o = d.MustRefresh(ctx, kept)
			if _, diags = d.Apply(ctx, vmType, plan(ctx, d, o)); acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
			if _, left := e.Machine(id); left {
				t.Error("the machine exists")
			}
		})
	}
}
