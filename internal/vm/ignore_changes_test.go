package vm_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestIgnoreChanges changes what ignore_changes ignores, beside a rename that
// the plan shows. Terraform applies ignore_changes to the configuration of a
// plan, and not to that of an apply: nothing but the rename may be sent.
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
		"blocks":       {paths("reimage", "disc"), installed, given{"reimage.distribution": "noble", "disc": discs("vda:30000")}, nil},
		"replacing":    {paths("reimage"), replacing, given{"reimage.distribution": "noble"}, nil},
		"protected":    {paths("reimage"), with(replacing, "deletion_protection", true), given{"reimage.distribution": "noble"}, nil},
		"distribution": {paths("reimage.distribution"), installed, given{"reimage.distribution": "noble"}, nil},
		"revision":     {paths("reimage.revision"), installed, given{"reimage.revision": "2"}, nil},
		"on_change":    {paths("reimage.on_change"), installed, given{"reimage.on_change": "replace"}, nil},
		"key":          {paths("reimage.ssh_public_key"), installed, given{"reimage.ssh_public_key": "ssh-ed25519 B"}, nil},
		"size":         {paths("disc.0.size"), nil, given{"disc": discs("vda:30000")}, nil},
		"grown":        {paths("disc.0.size"), nil, nil, func(m *emulator.Machine) { m.Discs[0].Size = 40000 }},
		"labels": {paths("disc"), given{"disc": discs("vda:25600", "b:5000", "c:6000")}, nil, func(m *emulator.Machine) {
			m.Discs[1].Label, m.Discs[2].Label = "c", "b"
		}},
		"power": {paths("power_on", "cores"), given{"power_on": true, "cores": 1}, given{"cores": 2}, func(m *emulator.Machine) {
			m.PowerOn, m.AutorebootOn = false, false
		}},
		"everything": {paths(acctest.IgnoreAll), installed, given{"reimage.distribution": "noble"}, nil},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx, ignored := t.Context(), acctest.IgnoreChanges(test.ignored...)
			o := d.MustApply(ctx, vmType, nil, configured(test.was))
			e.AddDisc(only(t, e).ID, emulator.Disc{Label: "theirs", Size: 5000})
			if test.elsewhere != nil {
				meanwhile(t, e, test.elsewhere)
			}
			was := only(t, e)
			e.ResetJournal()
			config, o := configured(test.was, test.to, given{"name": "web2"}), d.MustRefresh(ctx, o)
			if name == "everything" {
				d.ExpectPlan(ctx, o, config, noop, ignored)
				return
			}
			o = applied(t, d, d.ExpectPlan(ctx, o, config, update, ignored))
			expectSent(t, e, "PUT name=web2")
			d.ExpectPlan(ctx, o, config, noop, ignored)
			if name == "labels" { // taking ignore_changes away plans nothing
				d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, noop)
			}
			if is := only(t, e); is.ID != was.ID || len(is.Discs) != len(was.Discs) || is.Images != was.Images {
				t.Errorf("another machine, or one that has lost something: %+v", is)
			}
		})
	}
}
