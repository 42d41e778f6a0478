package vm_test

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestGeneratedConfig: what Terraform writes for an imported machine is what a person would, and plans nothing; what a CLI
// writes that does not ask the provider is valid, and plans nothing either.
func TestGeneratedConfig(t *testing.T) {
	t.Parallel()
	typical := emulator.Machine{
		Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm", ZoneName: "manchester",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 51200, StorageGrade: "archive"}},
	}
	always := given{
		"name": "web1", "group": emulator.DefaultGroup, "cores": int64(2), "memory": int64(2048), "hardware_profile": "virtio2013", "zone_name": "manchester",
		"disc": []any{
			given{"label": "vda", "size": int64(25600), "storage_grade": "sata", "id": nil},
			given{"label": "vdb", "size": int64(51200), "storage_grade": "archive", "id": nil},
		},
		"reimage": given{"distribution": "bookworm", "on_change": nil, "revision": nil, "ssh_public_key": nil, "root_password": nil, "firstboot_script": nil},
	}
	for name, test := range map[string]struct {
		change  func(*emulator.Machine)
		account string // the provider's
		more    given  // nil removes
	}{
		"a machine":                    {},
		"off":                          {change: func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }, more: given{"power_on": false}},
		"off, and about to be started": {change: func(m *emulator.Machine) { m.PowerOn = false }},
		"on, and not to be restarted":  {change: func(m *emulator.Machine) { m.AutorebootOn = false }, more: given{"autoreboot_on": false}},
		"a locked profile":             {change: func(m *emulator.Machine) { m.HardwareProfileLocked = true }, more: given{"hardware_profile_locked": true}},
		"a keymap":                     {change: func(m *emulator.Machine) { m.Keymap = "en-gb" }, more: given{"keymap": "en-gb"}},
		"a CD":                         {change: func(m *emulator.Machine) { m.CDROMURL = "https://example.com/a.iso" }, more: given{"cdrom_url": "https://example.com/a.iso"}},
		"without an image":             {change: func(m *emulator.Machine) { m.LastImagedWith = "" }, more: given{"reimage": nil}},
		"of another account":           {account: "other", more: given{"account": emulator.DemoAccount}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, e := acctest.Drive(t, emulator.Options{BootTime: time.Hour}, nil)
			e.AddAccount("other", false)
			machine := typical
			if test.change != nil {
				test.change(&machine)
			}
			e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, machine)
			settings := given{}
			if test.account != "" {
				settings["account"] = test.account
			}
			ctx, d := t.Context(), e.NewDriver(t, settings)
			o := imported(t, d, "demo/default/web1")
			want := maps.Clone(always)
			maps.Copy(want, test.more)
			asked, whole := d.GeneratedConfig(ctx, o), d.StateAsConfig(o)
			got := maps.Clone(asked)
			maps.DeleteFunc(got, func(_ string, value any) bool { return value == nil })
			maps.DeleteFunc(want, func(_ string, value any) bool { return value == nil })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("generated (-want +got)\n%s", diff)
			}
			for _, config := range []object{asked, whole} {
				if plan := d.Plan(ctx, vmType, o, config); !plan.Empty() || len(plan.Diagnostics) > 0 {
					t.Errorf("plan of %v: %s of %v\n%s", config, plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
				}
				d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
			}
			acctest.ExpectCalls(t, e)
		})
	}
}
