// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// unknownRow has the values that an attribute, which is unknown at plan, may have at apply: the one that the machine
// has already, one that changes in place, and one that needs a new machine. If there is no such value, it is nil.
type unknownRow struct {
	same, inPlace, replacing any
}

// unknownRows returns a row for every attribute and block that a user may set.
func unknownRows(base given) map[string]unknownRow {
	rows := map[string]unknownRow{}
	for path, value := range base {
		rows[path] = unknownRow{same: value}
	}
	inPlace := given{
		"account": "other", "group": "default", "name": "web2", "cores": 4, "memory": 4096, "hardware_profile": "compatibility2013",
		"autoreboot_on": false, "power_on": false,
		"allow_stopping_for_update": false, "shutdown_timeout": "3m", "on_shutdown_timeout": "switch_off", "shutdown_before_destroy": true, "deletion_protection": true, "purge_on_destroy": false,
		"disc.0.label": "boot", "disc.0.size": 30000, "disc.1.label": "data", "disc.1.size": 6000,
		"reimage.root_password": "other", "reimage.ssh_public_key": "ssh-ed25519 B", "reimage.firstboot_script": "#!b",
		"timeouts.create": "6m", "timeouts.update": "6m", "timeouts.delete": "6m",
		"disc": discs("vda:25600:sata", "vdc:4000", "vdd:4000"), "timeouts": object{"update": "6m"}, "ips": nil,
		"ready": object{"port": 80}, "ready.port": 80, "ready.timeout": "2m", "ready.host": "192.0.2.10",
		"ready.http_path": "/health", "ready.http_status": "200", "ready.http_host": "www.example.com", "ready.https": true,
		"ready.ca_certificate": authorityPEM("one"),
		"keymap":               "fr", "cdrom_url": "https://b.example/b.iso", "hardware_profile_locked": false,
	}
	for path, to := range inPlace {
		row := rows[path]
		row.inPlace = to
		rows[path] = row
	}
	for path, to := range map[string]any{
		"ips.ipv4": "192.0.2.99", "ips.ipv6": "2001:db8:1::99", "disc.0.storage_grade": "ssd", "disc.1.storage_grade": "ssd",
		"disc.0.size": 1000, "reimage.distribution": "trixie", "reimage.revision": "2", "reimage.on_change": "replace",
		"reimage": object{"distribution": "trixie", "root_password": "test-only"}, "ips": object{"ipv4": "192.0.2.98"},
	} {
		row := rows[path]
		row.replacing = to
		rows[path] = row
	}
	rows["zone_name"] = unknownRow{same: base["zone_name"]} // another one is refused by the CLI: see TestUnknownZone
	for _, block := range []string{"disc", "reimage", "ips", "timeouts", "ready"} {
		row := rows[block]
		row.same = configured(base)[block]
		rows[block] = row
	}
	return rows
}

// TestUnknownValues plans every attribute with a value that is known only after apply. Each case ends with a consistent
// plan, or with an error that says what to do: never with a loss that the plan did not show, and never with an error
// that Terraform calls a bug of the provider.
func TestUnknownValues(t *testing.T) {
	t.Parallel()
	base := given{
		"account": "demo", "group": "private", "name": "web1", "cores": 2, "memory": 2048, "hardware_profile": "virtio2013",
		"autoreboot_on": true, "power_on": true, "zone_name": "york", "allow_stopping_for_update": true, "shutdown_timeout": "1m", "on_shutdown_timeout": "fail", "shutdown_before_destroy": false,
		"deletion_protection": false, "purge_on_destroy": true,
		"disc.0.label": "vda", "disc.0.size": 25600, "disc.0.storage_grade": "sata", "disc.1.label": "vdb", "disc.1.size": 5000, "disc.1.storage_grade": "sata",
		"reimage.distribution": "bookworm", "reimage.root_password": "test-only", "reimage.ssh_public_key": "ssh-ed25519 A",
		"reimage.firstboot_script": "#!a", "reimage.revision": "1",
		"ips.ipv4": "192.0.2.10", "ips.ipv6": "2001:db8:1::a", "timeouts.create": "5m", "timeouts.update": "5m", "timeouts.delete": "5m", "ready.port": 22, "ready.timeout": "1m",
		"keymap": "de", "cdrom_url": "https://a.example/a.iso", "hardware_profile_locked": true,
	}
	for _, onChange := range []string{"replace", "reimage"} {
		base := with(with(base, "disc", discs("vda:25600", "vdb:5000")), "reimage.on_change", onChange)
		for path, row := range unknownRows(base) {
			if onChange == "reimage" && !strings.HasPrefix(path, "reimage") {
				continue
			}
			for how, to := range map[string]any{"same": row.same, "in place": row.inPlace, "replacing": row.replacing} {
				if how == "same" && row.inPlace != nil && row.replacing == nil {
					continue // the plan is that of another value
				}
				if to == nil && (how != "same" || !slices.Contains([]string{"ips", "disc", "reimage", "timeouts", "ready"}, path)) {
					continue
				}
				t.Run(strings.Join([]string{onChange, path, how}, "/"), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { checkUnknown(t, base, path, to, how) })
				})
			}
		}
	}
}

// checkUnknown plans with an unknown value at the path, and applies the plan with the value to.
func checkUnknown(t *testing.T, base given, path string, to any, how string) {
	ctx := t.Context()
	configured := func(settings ...given) object {
		fresh := with(base, "disc", discs("vda:25600", "vdb:5000")) // put changes its blocks
		return configured(append([]given{fresh}, settings...)...)
	}
	d, e := acctest.Drive(t, emulator.Options{BootTime: 34 * time.Second, ShutdownTime: 5 * time.Second}, nil)
	e.AddAccount("other", false)
	e.AddGroup("other", "private", true)
	o := d.MustApply(ctx, vmType, nil, configured())
	before := e.Machines()[0]
	e.ResetJournal()
	plan := d.Plan(ctx, vmType, o, configured(given{path: acctest.Unknown}))
	if plan.Action == acctest.ActionError {
		expectAdvice(t, "plan", acctest.DiagText(plan.Diagnostics))
		expectSent(t, e, "")
		return
	}
	config := configured(given{path: to})
	o, diags := d.ApplyWith(ctx, plan, config)
	after := e.Machines()
	if replaced := !slices.ContainsFunc(after, func(m emulator.Machine) bool { return m.ID == before.ID }); replaced && plan.Action != replace {
		t.Errorf("%s, and the machine was replaced\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
	}
	warned := acctest.DiagText(plan.Warnings())
	for _, disc := range before.Discs {
		kept := slices.ContainsFunc(after, func(m emulator.Machine) bool {
			return slices.ContainsFunc(m.Discs, func(is emulator.Disc) bool { return is.ID == disc.ID })
		})
		if !kept && plan.Action != replace && !strings.Contains(warned, fmt.Sprintf("%q", disc.Label)) {
			t.Errorf("%s: disc %q is lost\n%s", plan.Action, disc.Label, acctest.DiagText(plan.Diagnostics))
		}
	}
	if acctest.HasErrors(diags) {
		if expectAdvice(t, "apply", acctest.DiagText(acctest.Errors(diags))); how == "same" {
			t.Error("a value that did not change fails the apply")
		}
		return
	}
	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)
}

// expectAdvice expects an error that a user can act on.
func expectAdvice(t *testing.T, when, text string) {
	t.Helper()
	advice := []string{"known at plan", "-target", "Set ", "Add ", "Put ", "add:", "Revert", "Remove ", "Change ", "create it first", "Correct the configuration", "in an apply of its own"}
	if blamesProvider(text) || !slices.ContainsFunc(advice, func(phrase string) bool { return strings.Contains(text, phrase) }) {
		t.Errorf("the error at %s says not what to do:\n%s", when, text)
	}
}

// TestUnknownsAreWhole checks that every attribute has its row.
func TestUnknownsAreWhole(t *testing.T) {
	t.Parallel()
	rows := unknownRows(given{})
	for path, settable := range schemaPaths(t) {
		if _, ok := rows[path]; settable && !ok && !strings.Contains(fmt.Sprint(slices.Collect(maps.Keys(rows))), path) {
			t.Errorf("no row of %s", path)
		}
	}
}

// TestUnknownBlocksAtCreation creates machines with dynamic blocks over collections that are not known yet.
func TestUnknownBlocksAtCreation(t *testing.T) {
	t.Parallel()
	whole := given{"group": "private", "ips.ipv4": "192.0.2.10", "reimage.distribution": "bookworm", "timeouts.create": "5m", "ready.port": 22}
	for _, block := range []string{"disc", "reimage", "ips", "timeouts", "ready"} {
		inBubbleNamed(t, block, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
			ctx := t.Context()
			plan := d.Plan(ctx, vmType, nil, configured(whole, given{block: acctest.Unknown}))
			o, diags := d.ApplyWith(ctx, plan, configured(whole))
			if plan.Action != acctest.ActionCreate || acctest.HasErrors(diags) {
				t.Fatalf("create: %s\n%s", plan.Action, acctest.DiagText(diags))
			}
			d.ExpectPlan(ctx, o, configured(whole), acctest.ActionNoOp)
		})
	}
}

// TestNewLabelWithUnknownGrade: the new label is a rename. A grade that turns out to be another one is refused by the CLI,
// which calls the plan inconsistent, before any request.
func TestNewLabelWithUnknownGrade(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, _ *acctest.Emulator) {
		disc := func(label string, grade any) object {
			return configured(given{"disc": []object{{"label": "vda", "size": 25600}, {"label": label, "size": 1000, "storage_grade": grade}}})
		}
		o := d.MustApply(t.Context(), vmType, nil, disc("data", "sata"))
		plan := d.Plan(t.Context(), vmType, o, disc("logs", acctest.Unknown))
		after := mustApplyWith(t, d, plan, disc("logs", "sata"))
		if after.Get("disc.1.id") != o.Get("disc.1.id") {
			t.Error("the disc is another one")
		}
	})
}

// TestUnknownDiscs: a list of discs, a label or a size is known only after apply. The plan names the discs that may be
// lost.
func TestUnknownDiscs(t *testing.T) {
	t.Parallel()
	second := func(label, size any) objects {
		return objects{{"label": "vda", "size": 25600}, {"label": label, "size": size}}
	}
	for name, test := range map[string]struct {
		plan, apply any
		warns       string // of a disc, "" for no warning
		sent        string
	}{
		"the list":              {plan: acctest.Unknown, apply: discs("vda:25600", "vdc:4000", "vdd:4000"), warns: `Discs of virtual machine "web1" may be purged: "vda", "vdb"`, sent: "DELETE disc?purge=true; POST disc label=vdc size=4000; POST disc label=vdd size=4000"},
		"a label":               {plan: second(acctest.Unknown, 5000), apply: second("vdc", 5000), warns: `Discs of virtual machine "web1" may be purged: "vdb"`, sent: "PUT disc label=vdc"},
		"a new label, as large": {plan: second("vdc", acctest.Unknown), apply: second("vdc", 6000), sent: "PUT disc label=vdc; PUT disc size=6000"},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(off, given{"disc": discs("vda:25600", "vdb:5000")}))
			plan := d.ExpectPlan(ctx, o, configured(off, given{"disc": test.plan}), update)
			if text := acctest.DiagText(plan.Diagnostics); !strings.Contains(text, test.warns) || (text == "") != (test.warns == "") {
				t.Errorf("the plan says\n%s", text)
			}
			e.ResetJournal()
			config := configured(off, given{"disc": test.apply})
			o = mustApplyWith(t, d, plan, config)
			expectSent(t, e, test.sent)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownAutorebootOfAMachineThatIsOff: the service starts the machine if the value turns out to be true, so its
// power is known after apply.
func TestUnknownAutorebootOfAMachineThatIsOff(t *testing.T) {
	t.Parallel()
	for _, reboots := range []bool{true, false} {
		inBubbleNamed(t, strconv.FormatBool(reboots), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured(given{"power_on": false}))
			plan := d.ExpectPlan(ctx, o, configured(given{"autoreboot_on": acctest.Unknown}), update)
			if plan.Get("power_on") != acctest.Unknown {
				t.Errorf("power_on is planned as %v", plan.Get("power_on"))
			}
			config := configured(given{"autoreboot_on": reboots})
			o = mustApplyWith(t, d, plan, config)
			expectPower(t, e, reboots, reboots)
			d.ExpectPlan(ctx, o, config, noop)
		})
	}
}

// TestUnknownSpecificationOfAMachineThatMayNotStop: it is refused at apply, when it is known.
func TestUnknownSpecificationOfAMachineThatMayNotStop(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		base := given{"cores": 2}
		o := d.MustApply(ctx, vmType, nil, configured(base))
		plan := d.Plan(ctx, vmType, o, configured(base, given{"cores": acctest.Unknown}))
		e.ResetJournal()
		_, diags := d.ApplyWith(ctx, plan, configured(base, given{"cores": 4}))
		acctest.ExpectError(t, acctest.Errors(diags), "error at cores:", `Cannot change cores of virtual machine "web1" without a restart`)
		expectSent(t, e, "")
		if is := onlyMachine(t, e); is.Cores != 2 || !is.PowerOn {
			t.Errorf("cores %d, power_on %t", is.Cores, is.PowerOn)
		}
	})
}
