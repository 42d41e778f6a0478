package vm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTaintOfAProtectedMachine follows the advice of the refusal.
func TestTaintOfAProtectedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(given{"deletion_protection": true})
		o := d.MustApply(ctx, vmType, nil, config)
		e.ResetJournal()
		kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o.Taint(), config))
		acctest.ExpectError(t, acctest.Errors(diags), "Cannot destroy", "If the machine is tainted, run terraform untaint before that")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, kept.Untaint(), config, noop)
	})
}

// TestTaintPutsAnotherDiscFirst follows the advice of the refusal to boot from
// another disc.
func TestTaintPutsAnotherDiscFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
		swapped := configured(given{"disc": discs("vdb:5000", "vda:25600")})
		acctest.ExpectError(t, d.Plan(ctx, vmType, o, swapped).Diagnostics, "Cannot change the boot disc", "`terraform taint`")
		replaced, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o.Taint(), swapped))
		if acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		if replaced.Get("id") == o.Get("id") || only(t, e).Discs[0].Label != "vdb" {
			t.Errorf("machine %v, was %v, boots from %s", replaced.Get("id"), o.Get("id"), only(t, e).Discs[0].Label)
		}
		d.ExpectPlan(ctx, replaced, swapped, noop)
	})
}

// TestTaintThroughTheCLI is the same by the CLI: taint does not plan.
func TestTaintThroughTheCLI(t *testing.T) {
	e := acctest.StartEmulator(t, emulator.Options{})
	config := func(labels ...string) string {
		text := e.ProviderBlock() + "resource \"cloudserver_vm\" \"web\" {\n  name = \"web1\"\n"
		for _, label := range labels {
			text += "  disc {\n    label = \"" + label + "\"\n    size  = 25600\n  }\n"
		}
		return text + "}\n"
	}
	const address = "cloudserver_vm.web"
	acctest.UnitTest(t, resource.TestCase{CheckDestroy: acctest.CheckDestroyed(e), Steps: []resource.TestStep{
		{Config: config("vda", "vdb")},
		{Config: config("vdb", "vda"), ExpectError: acctest.Rendered("Cannot change the boot disc", "terraform taint")},
		{
			Config: config("vdb", "vda"), Taint: []string{address},
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionReplace)}},
			Check:            resource.TestCheckResourceAttr(address, "disc.0.label", "vdb"),
		},
	}})
}

// TestTaintedByAnInterruptedCreate: where replacing would only soft-delete, the
// name would stay taken, and the error says so.
func TestTaintedByAnInterruptedCreate(t *testing.T) {
	t.Parallel()
	for name, purges := range map[string]bool{"purged": true, "soft-deleted": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				config := configured(given{"purge_on_destroy": purges, "timeouts.create": "10s"})
				o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, config))
				acctest.ExpectError(t, acctest.Errors(diags), "but it is not ready")
				if said := strings.Contains(acctest.DiagText(diags), "its name stays taken: untaint it"); said == purges {
					t.Errorf("purge_on_destroy is %t, and the error says\n%s", purges, acctest.DiagText(diags))
				}
				time.Sleep(time.Minute)
				d.ExpectPlan(ctx, o.Untaint(), config, noop)
			})
		})
	}
}
