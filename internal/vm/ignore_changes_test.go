// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestIgnoreChanges changes ignored attributes together with a rename that the plan shows. Terraform applies
// ignore_changes to the configuration of a plan, but not to that of an apply: only the rename may be sent.
func TestIgnoreChanges(t *testing.T) {
	t.Parallel()
	installed := with(with(inPlace, "reimage.revision", "1"), "reimage.ssh_public_key", "ssh-ed25519 A")
	replacing := with(installed, "reimage.on_change", "replace")
	paths := func(paths ...string) []string { return paths }
	for name, test := range map[string]struct {
		ignored   []string
		was, to   given
		elsewhere func(*emulator.Machine)
	}{
		"blocks":       {ignored: paths("reimage", "disc"), was: installed, to: given{"reimage.distribution": "noble", "disc": discs("vda:30000")}},
		"protected":    {ignored: paths("reimage"), was: with(replacing, "deletion_protection", true), to: given{"reimage.distribution": "noble"}},
		"distribution": {ignored: paths("reimage.distribution"), was: installed, to: given{"reimage.distribution": "noble"}},
		"key":          {ignored: paths("reimage.ssh_public_key"), was: installed, to: given{"reimage.ssh_public_key": "ssh-ed25519 B"}},
		"grown":        {ignored: paths("disc.0.size"), elsewhere: func(m *emulator.Machine) { m.Discs[0].Size = 40000 }},
		"labels": {ignored: paths("disc"), was: given{"disc": discs("vda:25600", "b:5000", "c:6000")}, elsewhere: func(m *emulator.Machine) {
			m.Discs[1].Label, m.Discs[2].Label = "c", "b"
		}},
		"power": {ignored: paths("power_on", "cores"), was: given{"power_on": true, "cores": 1}, to: given{"cores": 2}, elsewhere: func(m *emulator.Machine) {
			m.PowerOn, m.AutorebootOn = false, false
		}},
		"everything": {ignored: paths(acctest.IgnoreAll), was: installed, to: given{"reimage.distribution": "noble"}},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(test.was))
			e.AddDisc(onlyMachine(t, e).ID, emulator.Disc{Label: "theirs", Size: 5000})
			if test.elsewhere != nil {
				changeMachine(t, e, test.elsewhere)
			}
			was := onlyMachine(t, e)
			e.ResetJournal()
			config, o := configured(test.was, test.to, given{"name": "web2"}), d.MustRefresh(ctx, o)
			if name == "everything" {
				d.ExpectPlan(ctx, o, config, noop, test.ignored...)
				return
			}
			o = mustApply(t, d, d.ExpectPlan(ctx, o, config, update, test.ignored...))
			expectSent(t, e, "PUT name=web2")
			d.ExpectPlan(ctx, o, config, noop, test.ignored...)
			if name == "labels" { // removing ignore_changes plans nothing
				d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, noop)
			}
			if is := onlyMachine(t, e); is.ID != was.ID || len(is.Discs) != len(was.Discs) || is.Images != was.Images {
				t.Errorf("another machine, or one that has lost something: %+v", is)
			}
		})
	}
}
