// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// addImportable adds a machine that has a value for everything that the service reports.
func addImportable(e *acctest.Emulator) int64 {
	return e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{
		Name: "web1", Cores: 2, Memory: 2048, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm", ZoneName: "manchester",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "vdb", Size: 51200, StorageGrade: "archive"}},
	})
}

// reportedConfig returns the configuration of that machine with everything that the service reports.
func reportedConfig() object {
	return configured(given{
		"group": emulator.PrivateGroup, "cores": 2, "memory": 2048, "power_on": true, "autoreboot_on": true, "zone_name": "manchester",
		"hardware_profile": "virtio2013", "disc": discs("vda:25600:sata", "vdb:51200:archive"), "reimage.distribution": "bookworm",
	})
}

func TestImportByEveryForm(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	id := strconv.FormatInt(addImportable(e), 10)
	e.ResetJournal()
	for _, form := range []string{id, "private/web1", "demo/private/web1", "identity"} {
		d := e.NewDriver(t, nil)
		o, diags := d.Import(t.Context(), vmType, form)
		if form == "identity" {
			o, diags = d.ImportByIdentity(t.Context(), vmType, object{"id": id})
		}
		if len(diags) > 0 || o.GetIdentity("id") != id {
			t.Fatalf("by %s: %s", form, acctest.DiagText(diags))
		}
		expectState(t, o, given{
			"id": id, "account": "demo", "name": "web1", "cores": int64(2), "disc.1.label": "vdb", "reimage.distribution": "bookworm",
			"group": "private", "account_id": "1001", "purge_on_destroy": nil, "shutdown_timeout": nil, "ips": nil,
		})
	}
	acctest.ExpectCalls(t, e)
}

// TestImportOfAnUpgradedMachine: the service would repeat the upgrade at the power cycle that sets the configured
// profile, so nothing is sent.
func TestImportOfAnUpgradedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		addImportable(e)
		config := reportedConfig()
		config["hardware_profile"] = "virtio2011"
		o := mustImport(t, d, "private/web1")
		if text := acctest.DiagText(d.ExpectPlan(ctx, o, config, update).Diagnostics); !strings.Contains(text, "is only recorded") || strings.Contains(text, "restarts") {
			t.Errorf("the plan says\n%s", text)
		}
		o = applyCleanly(t, d, e, o, config, "")
		expectState(t, o, given{"hardware_profile": "virtio2011", "effective_hardware_profile": "virtio2013"})

		config["hardware_profile_locked"], config[leave] = true, true // and then it is a change
		applyCleanly(t, d, e, mustImport(t, d, "private/web1"), config, stop+"PUT hardware_profile=virtio2011 hardware_profile_locked=true; "+start)
	})
}

func TestImportRefusals(t *testing.T) {
	t.Parallel()
	const forms = "Use the machine's ID (1234), group/name (default/web1), or account/group/name (demo/default/web1)."
	unknown := func(text string) string { return "Cannot import " + text }
	for name, test := range map[string]struct {
		settings map[string]any
		id       string
		says     []string
	}{
		"a name alone": {
			id:   "web1",
			says: []string{"error: Invalid import ID of a virtual machine\n", `"web1" is not a numeric ID, and has no group before the name. ` + forms},
		},
		"no such name": {
			id: "default/web9",
			says: []string{
				unknown(`virtual machine "web9" of group "default" of account "demo"`), `These credentials can see: "gone".`,
				"If this configuration is to create it, remove the import block.",
			},
		},
		"no such ID": {id: "4711", says: []string{unknown("virtual machine 4711"), "Check the ID"}},
		"a soft-deleted name": {
			id:   "default/gone",
			says: []string{unknown("virtual machine 1004"), `The machine "gone" is soft-deleted.`, "cloudserver_vm_undelete"},
		},
		"no account": {
			settings: map[string]any{"account": nil},
			id:       "default/web1",
			says:     []string{unknown(`virtual machine "web1"`), "Use account/group/name, or set account in the provider block."},
		},
		"a provider not known yet": {
			settings: map[string]any{"endpoint": acctest.Unknown},
			id:       "default/web1",
			says:     []string{unknown("a virtual machine"), "The provider's configuration is not known yet (endpoint)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, e := acctest.Drive(t, emulator.Options{}, test.settings)
			e.SoftDelete(e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "gone"}))
			o, diags := d.Import(t.Context(), vmType, test.id)
			if acctest.ExpectError(t, diags, test.says...); o != nil {
				t.Errorf("something was imported: %v", o.Get(""))
			}
			acctest.ExpectCalls(t, e)
		})
	}
}

// TestImportWithTheBootDiscNotFirst: the service may list a machine's discs in any
// order.
func TestImportWithTheBootDiscNotFirst(t *testing.T) {
	t.Parallel()
	for name, labels := range map[string][]string{"by its label": {"data", "vda"}, "the first that was created": {"one", "two"}} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			config := configured(off, given{"disc": discs(labels[0]+":5000", labels[1]+":25600")})
			o := d.MustApply(ctx, vmType, nil, config)
			changeMachine(t, e, func(m *emulator.Machine) { slices.Reverse(m.Discs) })
			if labels[1] == "vda" {
				config = configured(off, given{"disc": discs("vda:25600", "data:5000")})
				changeMachine(t, e, func(m *emulator.Machine) { slices.Reverse(m.Discs) })
			}
			o = mustImport(t, d, o.Get("id").(string))
			d.ExpectPlan(ctx, d.MustRefresh(ctx, o), config, noop)
		})
	}
}

// TestImportThatDisagreesAboutTheDiscs: the first plan after an import lists the machine's discs, because the blocks
// are likely to be wrong, and never advises to destroy the machine. After an apply the blocks are known to be right.
func TestImportThatDisagreesAboutTheDiscs(t *testing.T) {
	t.Parallel()
	const destroys = "lose all its discs"
	for name, test := range map[string]struct {
		had, config []string
		at, lists   string
	}{
		"labels swapped": {
			had: of("vda:51200", "data:25600"), config: of("vda:25600", "data:51200"),
			at: `error at disc.0.size: Cannot shrink disc "vda"`, lists: `with these discs: "vda" (ID 1005, 51200 megabytes, sata), "data" (ID 1006, 25600 megabytes, sata).`,
		},
		"another grade": {
			had: of("vda:25600:ssd", "data:25600:sata"), config: of("vda:25600:sata", "data:25600:ssd"),
			at: `error at disc.0.storage_grade: Cannot change the storage grade of disc "vda"`, lists: `with these discs: "vda" (ID 1005, 25600 megabytes, ssd), "data" (ID 1006, 25600 megabytes, sata).`,
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			ctx := t.Context()
			right, wrong := configured(off, given{"disc": discs(test.had...)}), configured(off, given{"disc": discs(test.config...)})
			o := mustImport(t, d, d.MustApply(ctx, vmType, nil, right).Get("id").(string))
			for range 2 { // also after a refresh
				said := d.ExpectPlan(ctx, o, wrong, refused).Diagnostics
				expectSays(t, said, test.at, test.lists, "Correct the disc blocks")
				if text := acctest.DiagText(said); strings.Contains(text, destroys) || strings.Contains(text, "destroy the machine") || strings.Contains(text, "remove this disc") {
					t.Errorf("advises to lose data:\n%s", text)
				}
				o = d.MustRefresh(ctx, o)
			}
			o = d.MustApply(ctx, vmType, o, configured(off, given{"disc": discs(test.had...), "keymap": "de"}))
			if text := acctest.DiagText(d.ExpectPlan(ctx, o, wrong, refused).Diagnostics); strings.Contains(text, "with these discs") {
				t.Errorf("after an apply the machine is no longer a newly imported one:\n%s", text)
			}
		})
	}
}

// TestImportOfAMachineThatIsNotDescribedYet: the import fails instead of creating a state without values.
func TestImportOfAMachineThatIsNotDescribedYet(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := idOf(addImportable(e))
		e.Inject(emulator.Fault{Status: http.StatusAccepted, Match: func(r emulator.Request) bool { return r.Method == "GET" }})
		o, diags := d.Import(t.Context(), vmType, id)
		if acctest.ExpectError(t, diags, "Cannot import", "still being created", "again in a minute"); o != nil {
			t.Errorf("imported: %v", o.Get(""))
		}
	})
}

// TestImportedMachineNamedByDigits: the machine can be managed, because only new names are refused.
func TestImportedMachineNamedByDigits(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "2024", Discs: []emulator.Disc{{Label: "7", Size: 25600}}})
		applyCleanly(t, d, e, mustImport(t, d, idOf(id)), configured(given{"name": "2024", "keymap": "de", "disc": discs("7:25600")}), "PUT keymap=de")
	})
}

// TestImportOfAMachineShownWithoutDiscs: they are in their own list. Without them, the plan would add every disc again.
func TestImportOfAMachineShownWithoutDiscs(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id := idOf(addImportable(e))
		e.Inject(emulator.Fault{
			Match: func(r emulator.Request) bool { return r.Path == "/virtual_machines/"+id },
			Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, bytes.ReplaceAll(body, []byte(`"discs":`), []byte(`"later":`))
			},
		})
		d.ExpectPlan(t.Context(), mustImport(t, d, id), reportedConfig(), noop)
	})
}

// TestGeneratedConfig: the configuration that Terraform generates for an imported machine looks as if written by hand,
// and plans no change. The configuration generated by a CLI that does not ask the provider is valid, and plans no
// change either.
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
			o := mustImport(t, d, "demo/default/web1")
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

// TestImageOfAnImportedMachine: the first block reimage of an imported machine is only recorded, and the plan says how its
// image is installed. That way is taken.
func TestImageOfAnImportedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		addImportable(e)
		o, config := mustImport(t, d, "private/web1"), reportedConfig()
		for _, step := range []struct{ path, value, says, sent string }{
			{"reimage.on_change", "reimage", "To install the image, add a revision, apply, and change it.", ""},
			{"reimage.revision", "1", "", ""},
			{"reimage.revision", "2", "will be erased", stop + "reimage distribution=noble root_password=*; PUT autoreboot_on=true"},
		} {
			put(config, []string{"reimage", "distribution"}, "noble")
			put(config, strings.Split(step.path, "."), step.value)
			expectSays(t, d.ExpectPlan(t.Context(), o, config, update).Diagnostics, step.says)
			o = applyCleanly(t, d, e, o, config, step.sent)
		}
	})
}

// TestImportOfAMachineThatThePlanDestroys: a plan that imports a machine under one address and destroys it under another
// is an error, whichever Terraform plans first. A machine that was imported by an earlier run can be destroyed.
func TestImportOfAMachineThatThePlanDestroys(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		o := d.MustApply(ctx, vmType, nil, configured())
		id := o.Get("id").(string)
		const refused, advice = `Cannot import and destroy virtual machine "web1" in one plan`, "block moved"

		first := e.NewDriver(t, nil)
		mustImport(t, first, id)
		expectSays(t, first.Plan(ctx, vmType, o, nil).Errors(), refused, advice)

		second := e.NewDriver(t, nil)
		if text := acctest.DiagText(second.Plan(ctx, vmType, o, nil).Diagnostics); text != "" {
			t.Error(text)
		}
		_, diags := second.Import(ctx, vmType, id)
		expectSays(t, acctest.Errors(diags), refused, advice)

		later := e.NewDriver(t, nil)
		mustApply(t, later, later.Plan(ctx, vmType, mustImport(t, e.NewDriver(t, nil), id), nil))
	})
}
