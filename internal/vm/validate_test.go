package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNoSlips: what only looks like a slip is not warned of. Those that are, with what
// is said about them, are in internal/e2e/mistakes.md.
func TestNoSlips(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for _, config := range []given{
		nil,
		{"memory": 1024, "disc": discs("vda:25600")},
		{"reimage.distribution": "bookworm", "reimage.ssh_public_key": "ssh-ed25519 AAAA"},
		{"memory": acctest.Unknown},
		{"reimage.distribution": "bookworm", "reimage.ssh_public_key": acctest.Unknown},
	} {
		if diags := d.Validate(vmType, configured(config)); len(diags) > 0 {
			t.Errorf("%v:\n%s", config, acctest.DiagText(diags))
		}
	}
}

// TestSameKeys: comments and whitespace are no change of a key; options and the
// key itself are.
func TestSameKeys(t *testing.T) {
	t.Parallel()
	const (
		one = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
		two = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC"
	)
	for name, test := range map[string]struct {
		key  string
		plan acctest.Action
	}{
		"a line break":    {one + " me@here\n", noop},
		"another comment": {one + " me@there", noop},
		"no comment":      {one, noop},
		"a comment line":  {"# mine\n" + one + " me@here", noop},
		"an option":       {`command="true" ` + one + " me@here", update},
		"another key":     {two, update},
		"a second key":    {one + "\n" + two, update},
		"what is no key":  {"ssh-ed25519 me@here", update},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(image, given{"reimage.ssh_public_key": one + " me@here"}))
			e.ResetJournal()
			config := configured(image, given{"reimage.ssh_public_key": test.key})
			d.ExpectPlan(t.Context(), o, config, test.plan)
			o = d.MustApply(t.Context(), vmType, o, config)
			expectSent(t, e, "")
			d.ExpectPlan(t.Context(), o, config, noop)
		})
	}
}
