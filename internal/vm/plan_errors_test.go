package vm_test

import (
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestErrorsNameTheWayOut: an error of a plan also prevents a destroy, because Terraform first makes a normal plan.
// Such errors mention terraform destroy -refresh=false, unless there is no machine to destroy, or it is protected, so
// that this would not help. An apply reads nothing before it plans. What else this run has read makes no difference.
func TestErrorsNameTheWayOut(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		const wayOut = "If this is a destroy: terraform destroy -refresh=false plans it without this check."
		o := d.MustApply(ctx, vmType, nil, configured(image, inYork))
		locked := d.MustApply(ctx, vmType, nil, named("web2", given{"deletion_protection": true}))
		for name, change := range map[string]given{
			"zone":         {"zone_name": "yrok"},
			"distribution": {"reimage.distribution": "bokworm"},
			"account":      {"account": "dmeo"},
			"keymap":       {"keymap": "english"},
			"group":        {"group": "1002"},
			"disc":         {"disc": discs("vda:100")},
		} {
			run := e.NewDriver(t, nil).OneRun()
			read := run.MustRefresh(ctx, o)
			config := configured(image, inYork, change)
			if text := acctest.DiagText(run.Plan(ctx, vmType, read, config).Errors()); strings.Count(text, wayOut) != 1 {
				t.Errorf("%s, changed: %s", name, text)
			}
			if text := acctest.DiagText(run.Plan(ctx, vmType, locked, named("web2", given{"deletion_protection": true}, given{"zone_name": "yrok"})).Errors()); text == "" || strings.Contains(text, wayOut) {
				t.Errorf("%s, protected: %s", name, text)
			}
			if name == "disc" {
				continue
			}
			run = e.NewDriver(t, nil).OneRun()
			run.MustRefresh(ctx, locked)
			if text := acctest.DiagText(run.Plan(ctx, vmType, nil, named("web3", image, change)).Errors()); text == "" || strings.Contains(text, wayOut) {
				t.Errorf("%s, new: %s", name, text)
			}
			run = e.NewDriver(t, nil).OneRun()
			if text := acctest.DiagText(run.Plan(ctx, vmType, o, config).Errors()); text == "" || strings.Contains(text, wayOut) {
				t.Errorf("%s, changed, in an apply: %s", name, text)
			}
		}
	})
}

// TestNoWayAroundAGuard: where deletion_protection is the error, no message says how a destroy gets around it, also if
// only this plan sets it, and another error stands beside it.
func TestNoWayAroundAGuard(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured(given{"disc": discs("vda:25600", "data:5000")}))
		run := e.NewDriver(t, nil).OneRun()
		config := configured(given{"name": "4711", "deletion_protection": true, "disc": discs("vda:25600")})
		text := acctest.DiagText(run.Plan(ctx, vmType, run.MustRefresh(ctx, o), config).Errors())
		if !strings.Contains(text, "Cannot purge disc") || strings.Contains(text, "-refresh=false") {
			t.Error(text)
		}
	})
}

// TestOneAddressForTwo: if two new machines have one address, the second is an error. If an existing machine has the
// address, that is a warning, unless it may be the machine that is replaced.
func TestOneAddressForTwo(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		with := func(name, address string) object {
			return named(name, inPrivate, given{"ips.ipv4": address})
		}
		one := e.NewDriver(t, nil).OneRun()
		if plan := one.Plan(ctx, vmType, nil, with("web1", "192.0.2.20")); len(plan.Diagnostics) > 0 {
			t.Error(acctest.DiagText(plan.Diagnostics))
		}
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, with("web2", "192.0.2.20")).Diagnostics,
			"error at ips.ipv4: Two machines of this configuration have the address 192.0.2.20", `the machines "web1" and "web2"`)
		six := func(name, address string) object { return named(name, inPrivate, given{"ips.ipv6": address}) }
		one.Plan(ctx, vmType, nil, six("web3", "2001:db8:1::20"))
		acctest.ExpectError(t, one.Plan(ctx, vmType, nil, six("web4", "2001:DB8:1:0::20")).Diagnostics, "error at ips.ipv6: ")

		o := d.MustApply(ctx, vmType, nil, with("web1", "192.0.2.20"))
		stranger := e.NewDriver(t, nil)
		expectSays(t, stranger.Plan(ctx, vmType, nil, with("web5", "192.0.2.20")).Diagnostics, "warning at ips.ipv4: The address is in use\nAnother machine has the address 192.0.2.20.")
		stranger.MustRefresh(ctx, o)
		expectSays(t, stranger.Plan(ctx, vmType, nil, with("web5", "192.0.2.20")).Diagnostics, `The machine "web1.private.demo.`)
		e.AddGroup(emulator.DemoAccount, "other", true)
		expectSays(t, stranger.Plan(ctx, vmType, nil, configured(given{"name": "web1", "group": "other", "ips.ipv4": "192.0.2.20"})).Diagnostics, `The machine "web1.private.demo.`)
		for name, plan := range map[string]*acctest.PlanResult{
			"tainted":   stranger.Plan(ctx, vmType, o.Taint(), with("web1", "192.0.2.20")),
			"forced":    stranger.PlanReplace(ctx, o, with("web1", "192.0.2.20")),
			"unchanged": stranger.Plan(ctx, vmType, o, with("web1", "192.0.2.20")),
			"another":   stranger.Plan(ctx, vmType, nil, with("web6", "192.0.2.21")),
		} {
			if text := acctest.DiagText(plan.Diagnostics); strings.Contains(text, "in use") || acctest.HasErrors(plan.Diagnostics) {
				t.Errorf("%s: %s", name, text)
			}
		}
		e.ResetJournal()
		e.NewDriver(t, given{"plan_checks": false}).Plan(ctx, vmType, nil, with("web7", "192.0.2.20"))
		if calls := e.AllCalls(); len(calls) > 0 {
			t.Errorf("asked %v", calls)
		}
	})
}

// TestMissingGroupIsSuggestedAtPlan: the error suggests an existing group. If the provider's default is to blame, the
// error says so, at plan and at apply.
func TestMissingGroupIsSuggestedAtPlan(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "production", false)
	const suggestion = `Did you mean "production"?`
	expectSays(t, d.Plan(t.Context(), vmType, nil, configured(given{"group": "prodution"})).Diagnostics, "warning at group: ", suggestion, "Unless another resource creates the group")
	for attribute, test := range map[string]struct {
		value, suggestion string
	}{"group": {"prodution", suggestion}, "account": {"dmeo", `Did you mean "demo"?`}} {
		where := []string{test.suggestion, "correct " + attribute + " in the provider block, or CLOUDSERVER_" + strings.ToUpper(attribute)}
		d := e.NewDriver(t, given{attribute: test.value})
		plan := d.Plan(t.Context(), vmType, nil, configured())
		expectSays(t, plan.Diagnostics, where...)
		if attribute == "account" {
			continue
		}
		_, diags := d.Apply(t.Context(), vmType, plan)
		expectSays(t, diags, where...)
	}
}
