package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestProtectionRefuses at plan, whether the state or the very plan protects the
// machine, and without a request.
func TestProtectionRefuses(t *testing.T) {
	t.Parallel()
	const lift, replaces, known = "apply deletion_protection = false", `Cannot replace virtual machine "web1"`, "known only after apply"
	whole := with(with(with(protected, "zone_name", "york"), "reimage.distribution", "bookworm"), "group", "private")
	unknown := given{"deletion_protection": acctest.Unknown}
	moved := given{"zone_name": "manchester"}
	for name, test := range map[string]struct {
		was, to         given
		destroy, forced bool
		says            []string
	}{
		"a destroy":                    {was: whole, destroy: true, says: []string{`Cannot destroy virtual machine "web1"`, lift}},
		"another zone":                 {was: whole, to: moved, says: []string{replaces, lift}},
		"another image":                {was: whole, to: given{"reimage.distribution": "noble"}, says: []string{replaces, lift}},
		"another address":              {was: whole, to: given{"ips.ipv4": "192.0.2.99"}, says: []string{replaces, lift}},
		"lifted in the same plan":      {was: whole, to: with(moved, "deletion_protection", false), says: []string{replaces, lift}},
		"not known yet":                {was: inYork, to: with(unknown, "zone_name", "manchester"), says: []string{replaces, "error at deletion_protection", known}},
		"brought, another zone":        {was: inYork, to: with(moved, "deletion_protection", true), says: []string{replaces, "deletion_protection is true"}},
		"brought, a disc":              {was: given{"disc": discs("vda:25600", "data:5000")}, to: with(protected, "disc", discs("vda:25600")), says: []string{`Cannot purge disc "data"`, "deletion_protection is true"}},
		"brought, an image":            {was: inPlace, to: with(protected, "reimage.distribution", "noble"), says: []string{"Cannot reimage", "deletion_protection is true"}},
		"-replace":                     {was: protected, to: given{"deletion_protection": false}, forced: true, says: []string{"error at deletion_protection: Cannot replace", lift + " first"}},
		"-replace, brought":            {to: protected, forced: true, says: []string{"error at deletion_protection: Cannot replace", lift + " first"}},
		"-replace, when not known yet": {to: unknown, forced: true, says: []string{"error at deletion_protection: Cannot replace", lift + " first"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.was))
			e.ResetJournal()
			config := configured(test.was, test.to)
			plan := d.Plan(ctx, vmType, o, config)
			switch {
			case test.destroy:
				plan = d.Plan(ctx, vmType, o, nil)
			case test.forced:
				plan = d.PlanReplace(ctx, o, config)
			}
			acctest.ExpectError(t, plan.Errors(), test.says...)
			expectSent(t, e, "")

			lifted := configured(test.was, given{"deletion_protection": false}) // by an apply of its own
			o = d.MustApply(ctx, vmType, d.MustApply(ctx, vmType, o, configured(test.was, protected)), lifted)
			if d.PlanReplace(ctx, o, lifted).Action != replace {
				t.Error("still protected")
			}
			d.MustApply(ctx, vmType, o, nil)
			expectNoMachine(t, e)
		})
	}
}

// TestProtectionOfATaintedMachine is asked for at apply, where Terraform asks the
// provider first.
func TestProtectionOfATaintedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(protected)
		o := d.MustApply(ctx, vmType, nil, config)
		e.ResetJournal()
		kept, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, o.Taint(), config))
		acctest.ExpectError(t, acctest.Errors(diags), `Cannot destroy virtual machine "web1"`, "apply deletion_protection = false", "If the machine is tainted, run terraform untaint before that")
		expectSent(t, e, "")
		d.ExpectPlan(ctx, kept.Untaint(), config, noop)
	})
}
