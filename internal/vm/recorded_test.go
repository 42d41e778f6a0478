package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestRecordedLongAfterTheImport adds what the service cannot tell only when the
// imported machine has been changed otherwise: it is recorded all the same, until
// the provider itself has installed an image.
func TestRecordedLongAfterTheImport(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		importable(e)
		o := imported(t, d, "private/web1")
		config := reported()
		apply := func(path string, value any, warns, sent string) {
			t.Helper()
			put(config, strings.Split(path, "."), value)
			plan := d.ExpectPlan(ctx, o, config, update)
			if text := acctest.DiagText(plan.Diagnostics); warns == "" && text != "" || !strings.Contains(text, warns) {
				t.Errorf("%s: want %q in\n%s", path, warns, text)
			}
			e.ResetJournal()
			o = applied(t, d, plan)
			expectSent(t, e, sent)
		}
		apply("keymap", "de", "", "PUT keymap=de")
		apply("reimage.ssh_public_key", "ssh-ed25519 A", newKey, "")
		apply("reimage.on_change", "reimage", "", "")
		apply("reimage.revision", "1", recorded, "")
		put(config, []string{"reimage", "root_password"}, "test-only")
		d.ExpectPlan(ctx, o, config, noop)
		apply("reimage.distribution", "noble", "will be erased", stop+"reimage distribution=noble root_password=test-only ssh_public_key=ssh-ed25519 A; PUT autoreboot_on=true")
		put(config, []string{"reimage", "firstboot_script"}, "#!test")
		apply("reimage.revision", "2", "will be erased", stop+"reimage distribution=noble firstboot_script=#!test root_password=test-only ssh_public_key=ssh-ed25519 A; PUT autoreboot_on=true")
		put(config, []string{"reimage", "on_change"}, "replace")
		put(config, []string{"reimage", "revision"}, "3")
		d.ExpectPlan(ctx, o, config, replace)
	})
}

// TestRecordedDistributionThatWasWithdrawn adopts a block whose distribution the
// service does not offer any more: nothing is installed, so nothing is refused.
func TestRecordedDistributionThatWasWithdrawn(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := imported(t, d, d.MustApply(ctx, vmType, nil, configured()).Get("id").(string))
		e.SetDefinitions(func(sets map[string]any) {
			offered, ok := sets["distributions"].([]string)
			if !ok {
				t.Errorf("the distributions are a %T", sets["distributions"])
			}
			sets["distributions"] = slices.DeleteFunc(slices.Clone(offered), func(name string) bool { return name == "bookworm" })
		})
		config := configured(given{"reimage.distribution": "bookworm"})
		acctest.ExpectError(t, d.Plan(ctx, vmType, nil, config).Errors(), `does not offer the distribution "bookworm"`) // a new machine's
		plan := d.ExpectPlan(ctx, o, config, update)
		if text := acctest.DiagText(plan.Diagnostics); len(plan.Errors()) > 0 || !strings.Contains(text, recorded) {
			t.Error(text)
		}
		o = applied(t, d, plan)
		d.ExpectPlan(ctx, o, config, noop)
	})
}
