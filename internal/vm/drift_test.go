// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// driftChanges returns, for every attribute that the service reports, a change that somebody makes outside Terraform.
// Attributes that the service does not know cannot drift. Without an emulator, only the keys of the map are useful.
func driftChanges(e *acctest.Emulator) map[string]func(*emulator.Machine) {
	other, private := groupID(e, "other", emulator.DefaultGroup), groupID(e, emulator.DemoAccount, emulator.PrivateGroup)
	face := func(f func(*emulator.Interface)) func(*emulator.Machine) {
		return func(m *emulator.Machine) { f(&m.Interfaces[0]) }
	}
	disc := func(f func(*emulator.Disc)) func(*emulator.Machine) {
		return func(m *emulator.Machine) { f(&m.Discs[0]) }
	}
	return map[string]func(*emulator.Machine){
		"account":                    func(m *emulator.Machine) { m.GroupID = other },
		"group":                      func(m *emulator.Machine) { m.GroupID = private },
		"group_id":                   func(m *emulator.Machine) { m.GroupID = private },
		"account_id":                 func(m *emulator.Machine) { m.GroupID = other },
		"name":                       func(m *emulator.Machine) { m.Name = "renamed" },
		"hostname":                   func(m *emulator.Machine) { m.Name = "renamed" },
		"cores":                      func(m *emulator.Machine) { m.Cores = 4 },
		"memory":                     func(m *emulator.Machine) { m.Memory = 8192 },
		"hardware_profile":           func(m *emulator.Machine) { m.HardwareProfile = "compatibility2011" },
		"effective_hardware_profile": func(m *emulator.Machine) { m.HardwareProfile = "compatibility2011" },
		"hardware_profile_locked":    func(m *emulator.Machine) { m.HardwareProfileLocked = !m.HardwareProfileLocked },
		"keymap":                     func(m *emulator.Machine) { m.Keymap = "fr" },
		"cdrom_url":                  func(m *emulator.Machine) { m.CDROMURL = "https://b.example/b.iso" },
		"autoreboot_on":              func(m *emulator.Machine) { m.AutorebootOn = !m.AutorebootOn },
		"power_on":                   func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = !m.PowerOn, false },
		"zone_name":                  func(m *emulator.Machine) { m.ZoneName = "manchester" },
		"last_imaged_with":           func(m *emulator.Machine) { m.LastImagedWith = "trixie" },
		"management_address":         func(m *emulator.Machine) { m.ManagementAddress = "192.0.2.250" },
		"reimage":                    func(m *emulator.Machine) { m.LastImagedWith = "trixie" },
		"reimage.distribution":       func(m *emulator.Machine) { m.LastImagedWith = "trixie" },

		"disc":                 func(m *emulator.Machine) { m.Discs = m.Discs[:1] },
		"disc.0.label":         disc(func(d *emulator.Disc) { d.Label = "boot" }),
		"disc.0.size":          disc(func(d *emulator.Disc) { d.Size = 51200 }),
		"disc.0.storage_grade": disc(func(d *emulator.Disc) { d.StorageGrade = "archive" }),

		"ips.ipv4":     face(func(f *emulator.Interface) { f.IPs[0] = "192.0.2.200" }),
		"ips.ipv6":     face(func(f *emulator.Interface) { f.IPs[1] = "2001:db8:1::beef" }),
		"ipv4_address": face(func(f *emulator.Interface) { f.IPs[0] = "198.51.100.200" }),
		"ipv6_address": face(func(f *emulator.Interface) { f.IPs[1] = "2001:db8::beef" }),
	}
}

// groupID returns the ID of a group.
func groupID(e *acctest.Emulator, account, group string) int64 {
	return probeMachine(e, account, group).GroupID
}

// probeMachine adds a machine to the group, purges it, and returns it.
func probeMachine(e *acctest.Emulator, account, group string) emulator.Machine {
	if e == nil {
		return emulator.Machine{}
	}
	id := e.AddMachine(account, group, emulator.Machine{Name: "probe"})
	machine, _ := e.Machine(id)
	e.Purge(id)
	return machine
}

// The matrix tests the drift of every attribute. The tests below concern the whole machine: what looks like drift but is
// not, and its loss.

// TestDriftIsNotTheServicesOwnUpgrade: after a restart the service has upgraded an old profile, which is nobody's
// change.
func TestDriftIsNotTheServicesOwnUpgrade(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		config := configured(mayStop, given{"hardware_profile": "virtio2011", "power_on": false})
		o := d.MustApply(ctx, vmType, nil, config)
		is := func(effective string) {
			t.Helper()
			o = d.MustRefresh(ctx, o)
			expectState(t, o, given{"hardware_profile": "virtio2011", "effective_hardware_profile": effective})
		}
		is("virtio2011")
		config["power_on"] = true
		o = applyCleanly(t, d, e, o, config, start)
		is("virtio2013")
		changeMachine(t, e, func(m *emulator.Machine) { m.HardwareProfile = "virtio2031" }) // a newer one yet
		is("virtio2031")
		d.ExpectPlan(ctx, o, config, noop)
		changeMachine(t, e, func(m *emulator.Machine) { m.HardwareProfile = "compatibility2013" }) // somebody's change
		d.ExpectPlan(ctx, o, config, update)
	})
}

// TestDriftIsNotTheDefaultOfAnotherProvider: without account and group in the configuration, a provider with other
// defaults neither moves nor replaces the machine.
func TestDriftIsNotTheDefaultOfAnotherProvider(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		e.AddAccount("other", false)
		o := d.MustApply(ctx, vmType, nil, configured())
		d = e.NewDriver(t, given{"account": "other", "group": "private"})
		d.ExpectPlan(ctx, o, configured(), noop)
		expectState(t, applyCleanly(t, d, e, o, configured(mayStop, given{"cores": 2}), stop+"PUT cores=2; "+start), given{"account": "demo", "group": "default"})
	})
}

// TestDriftOfNothing: unusual forms of answers are not drift.
func TestDriftOfNothing(t *testing.T) {
	t.Parallel()
	for name, rewrite := range map[string]func(string) string{
		"no discs reported":          func(body string) string { return strings.Replace(body, `"discs"`, `"unsaid"`, 1) },
		"no interfaces reported":     func(body string) string { return strings.Replace(body, `"network_interfaces"`, `"unsaid"`, 1) },
		"null for what was reported": func(body string) string { return strings.Replace(body, `"memory":1024`, `"memory":null`, 1) },
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			o := d.MustApply(ctx, vmType, nil, configured())
			e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool {
					return r.Method == "GET" && strings.Contains(r.Path, "virtual_machines")
				},
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					rewritten := rewrite(string(body))
					if rewritten == string(body) {
						t.Errorf("nothing to rewrite in %s", body)
					}
					return status, header, []byte(rewritten)
				},
			})
			d = e.NewDriver(t, nil)
			refreshed := d.MustRefresh(ctx, o)
			if diff, err := refreshed.State.Diff(o.State); len(diff) > 0 || err != nil {
				t.Errorf("the state has changed: %v (%v)", diff, err)
			}
			d.ExpectPlan(ctx, refreshed, configured(), noop)
		})
	}
}

// TestCreationAfterALossIsNoReplacement: Terraform plans the creation with the private state that the refresh leaves.
// What the state said about the machine that is gone, such as its deletion_protection, does not refuse the new one.
func TestCreationAfterALossIsNoReplacement(t *testing.T) {
	t.Parallel()
	config := configured(inYork, protected, given{"purge_on_destroy": false})
	lost := func(t *testing.T, d *acctest.Driver, e *acctest.Emulator, lose func(*acctest.Emulator, int64)) (id string, plan *acctest.PlanResult) {
		t.Helper()
		o := d.MustApply(t.Context(), vmType, nil, config)
		lose(e, onlyMachine(t, e).ID)
		e.ResetJournal()
		plan = e.NewDriver(t, nil).RefreshAndPlan(t.Context(), o, config)
		if expectSent(t, e, ""); plan.Action != create {
			t.Fatalf("%s:\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
		}
		return textOf(o.Get("id")), plan
	}
	inBubbleNamed(t, "purged", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id, plan := lost(t, d, e, (*acctest.Emulator).Purge)
		expectSays(t, plan.Warnings(), "The machine is gone", "deleted outside of Terraform, with its data, or moved to an account that these credentials do not see")
		if made := mustApply(t, d, plan); made.Get("id") == id {
			t.Errorf("not a new machine: %v", made.Get("id"))
		}
	})
	inBubbleNamed(t, "soft-deleted", func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		id, plan := lost(t, d, e, (*acctest.Emulator).SoftDelete)
		expectSays(t, plan.Warnings(), "The machine was soft-deleted elsewhere", "its name stays taken until it is purged", "undelete it")
		expectApplyFailure(t, d, plan, "Cannot create", "soft-deleted virtual machine "+id, "undelete it")
	})
}

// TestPurgedBetweenPlanAndApply: whichever request finds it out, the error does not advise to apply again, which would
// create an empty machine.
func TestPurgedBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]given{
		"a rename":  {"name": "web2"},
		"a setting": {"keymap": "de"},
		"a restart": {"cores": 2, leave: true},
		"a disc":    {"disc": discs("vda:25600", "vdb:5000")},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured(given{"cores": 1}))
			plan := d.ExpectPlan(t.Context(), o, configured(given{"cores": 1}, change), update)
			e.Purge(onlyMachine(t, e).ID)
			expectApplyFailure(t, d, plan, "404 Not Found: no such virtual machine. The machine is gone: the next plan creates it again, with empty discs.")
		})
	}
}

// TestDiscPurgedBetweenPlanAndApply: a 404 for a disc does not mean that the machine is gone.
func TestDiscPurgedBetweenPlanAndApply(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		o := d.MustApply(t.Context(), vmType, nil, configured(given{"disc": discs("vda:25600", "vdb:5000")}))
		plan := d.ExpectPlan(t.Context(), o, configured(given{"disc": discs("vda:25600", "vdb:6000")}), update)
		changeMachine(t, e, func(m *emulator.Machine) { m.Discs = m.Discs[:1] })
		expectApplyFailure(t, d, plan, "404 Not Found", "Nothing was changed. The next plan shows what is missing.")
	})
}
