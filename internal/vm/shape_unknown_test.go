package vm_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestUnknownValuesAtPlan plans every attribute that a user may set as known
// only after apply, on a machine that is there. Where only a new machine could
// have another value, the plan says so; elsewhere, a value that turns out to be
// the one that is there sends nothing.
func TestUnknownValuesAtPlan(t *testing.T) {
	t.Parallel()
	whole := given{
		"account": "demo", "group": "private", "name": "web1", "cores": 2, "memory": 2048, "hardware_profile": "virtio2013",
		"hardware_profile_locked": true, "autoreboot_on": true, "power_on": true, "keymap": "de", "cdrom_url": "https://a.example/a.iso",
		"zone_name": "york", "allow_stopping_for_update": true, "shutdown_timeout": "1m", "deletion_protection": false, "purge_on_destroy": true,
		"disc.0.label": "vda", "disc.0.size": 25600, "disc.0.storage_grade": "sata",
		"reimage.distribution": "bookworm", "reimage.root_password": "test-only", "reimage.ssh_public_key": "ssh-ed25519 A",
		"reimage.firstboot_script": "#!a", "reimage.in_place": false,
		"ips.ipv4": "192.0.2.10", "ips.ipv6": "2001:db8:1::a", "timeouts.create": "5m", "timeouts.update": "5m", "timeouts.delete": "5m",
	}
	replacing := []string{
		"account", "zone_name", "disc.0.storage_grade", "ips.ipv4", "ips.ipv6",
		"reimage.distribution", "reimage.root_password", "reimage.ssh_public_key", "reimage.firstboot_script",
	}
	for _, path := range slices.Sorted(maps.Keys(whole)) {
		t.Run(path, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				ctx := t.Context()
				o := d.MustApply(ctx, vmType, nil, configured(whole))
				e.ResetJournal()
				plan := d.Plan(ctx, vmType, o, configured(whole, given{path: acctest.Unknown}))
				want := acctest.ActionUpdate
				if slices.Contains(replacing, path) {
					want = acctest.ActionReplace
				}
				if plan.Action != want || acctest.HasErrors(plan.Diagnostics) {
					t.Fatalf("plan: %s, want %s\n%s", plan.Action, want, acctest.DiagText(plan.Diagnostics))
				}
				o, diags := d.ApplyWith(ctx, plan, configured(whole))
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				if want == acctest.ActionUpdate {
					expectSent(t, e, "")
				}
				d.ExpectPlan(ctx, o, configured(whole), acctest.ActionNoOp)
			})
		})
	}
}

// TestUnknownBlocksAtPlan has dynamic blocks over collections that are not known
// yet.
func TestUnknownBlocksAtPlan(t *testing.T) {
	t.Parallel()
	whole := with(addressed, "reimage", object{"distribution": "bookworm"})
	for _, block := range []string{"disc", "reimage", "ips", "timeouts"} {
		t.Run(block, func(t *testing.T) {
			inBubble(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
				ctx := t.Context()
				plan := d.Plan(ctx, vmType, nil, configured(whole, given{block: acctest.Unknown}))
				o, diags := d.ApplyWith(ctx, plan, configured(whole))
				if plan.Action != create || acctest.HasErrors(diags) {
					t.Fatalf("create: %s\n%s", plan.Action, acctest.DiagText(diags))
				}
				plan = d.Plan(ctx, vmType, o, configured(whole, given{block: acctest.Unknown}))
				if plan.Action == refused {
					t.Fatal(acctest.DiagText(plan.Diagnostics))
				}
				o, diags = d.ApplyWith(ctx, plan, configured(whole))
				if acctest.HasErrors(diags) {
					t.Fatalf("%s:\n%s", plan.Action, acctest.DiagText(diags))
				}
				d.ExpectPlan(ctx, o, configured(whole), acctest.ActionNoOp)
			})
		})
	}
}
