// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestUpdate checks PUT of a machine (API.md §3), except for its power.
func TestUpdate(t *testing.T) {
	t.Parallel()
	const running = `["cannot be changed while the virtual machine is on"]`
	for _, c := range []conformance{
		{"name: renamed, hostname follows", []step{
			do("PUT "+web, `{"name":"web2"}`, 200, `{"name":"web2","hostname":"web2.default.demo.cluster.example"}`),
			do("GET "+web, "", 404, "no such virtual machine"),
			do("GET "+group+"/virtual_machines/web2", "", 200, `{"id":{web1}}`),
			do(create, `{{discs},"virtual_machine":{"name":"web1"}}`, 202, `{}`),
		}},
		{"name: taken", []step{
			do("PUT "+web, `{"name":"off1","cores":1}`, 400, `{"name":["has already been taken"]}`),
			do("PUT "+web, `{"name":"old1"}`, 400, `{"name":["has already been taken"]}`),
			do("PUT "+web, `{"name":"web1"}`, 200, `{"name":"web1","cores":2}`),
		}},
		{"group_id: moved, hostname follows", []step{
			do("PUT "+web, `{"group_id":{private},"name":"web9"}`, 200,
				`{"group_id":{private},"hostname":"web9.private.demo.cluster.example"}`),
			do("GET /accounts/demo/groups/private/virtual_machines/web9", "", 200, `{"id":{web1}}`),
		}},
		{"group_id: of another account", []step{
			useBackDoor(func(e *emulator.Emulator) { e.AddAccount("other", false) }),
			func(t *testing.T, f *fixture) {
				other := f.AddGroup("other", "team", false)
				do("PUT "+web, `{"group_id":`+idText(other)+`}`, 200, `{"id":{web1},"hostname":"web1.team.other.cluster.example"}`)(t, f)
			},
			do("GET /accounts/other/groups/team/virtual_machines/web1?view=overview", "", 200, `{"id":{web1},"discs":[{"id":{vda}},{}]}`),
			do("GET "+web, "", 404, "no such virtual machine"),
		}},
		{"name: too short, or no hostname label", []step{
			do("PUT "+web, `{"name":"ab"}`, 400, `{"name":["is too short (minimum is 3 characters)"]}`),
			do("PUT "+web, `{"name":"a.b"}`, 400, `{"name":["is invalid"]}`),
			do("PUT "+web, `{"name":"123"}`, 200, `{"name":"123"}`),
		}},
		{"group_id: unknown, or the name is taken there", []step{
			do("PUT "+web, `{"group_id":1}`, 400, `{"group_id":["is not included in the list"]}`),
			do("PUT "+inside, `{"name":"off1"}`, 200, `{}`),
			do("PUT "+off, `{"group_id":{private}}`, 400, `{"name":["has already been taken"]}`),
			do("GET "+off, "", 200, `{"group_id":{default}}`),
		}},
		{"running: raising, and another profile, are refused", []step{
			do("PUT "+web, `{"cores":3,"memory":2049,"hardware_profile":"virtio2011","keymap":"de"}`, 400,
				`{"cores":`+running+`,"memory":`+running+`,"hardware_profile":`+running+`}`),
			do("GET "+web, "", 200, `{"cores":2,"memory":2048,"hardware_profile":"virtio2013","keymap":null}`),
		}},
		{"running: lowering is accepted", []step{
			do("PUT "+web, `{"cores":1,"memory":1024,"hardware_profile":"virtio2013"}`, 200, `{"cores":1,"memory":1024,"power_on":true}`),
		}},
		{"off: all of it is accepted", []step{
			do("PUT "+off, `{"cores":8,"memory":65536,"hardware_profile":"compatibility2011","hardware_profile_locked":true}`, 200,
				`{"cores":8,"memory":65536,"hardware_profile":"compatibility2011","hardware_profile_locked":true}`),
		}},
		{"cdrom_url and keymap: set, and removed by null", []step{
			do("PUT "+web, `{"cdrom_url":"https://example.org/a.iso","keymap":"fr"}`, 200, `{"cdrom_url":"https://example.org/a.iso","keymap":"fr"}`),
			do("PUT "+web, `{"cdrom_url":null,"keymap":null}`, 200, `{"cdrom_url":null,"keymap":null}`),
			do("PUT "+web, `{"keymap":"xx"}`, 400, `{"keymap":["is not included in the list"]}`),
		}},
		{"cdrom_url: 500 when the service cannot use it", []step{
			do("PUT "+web, `{"cdrom_url":"ftp://example.org/a.iso"}`, 500, "internal server error"),
			do("PUT "+web, `{"cdrom_url":"https:///a.iso"}`, 500, "internal server error"),
			do("GET "+web, "", 200, `{"cdrom_url":null}`),
			do(create, `{{discs},"virtual_machine":{"name":"new1","cdrom_url":"iso"}}`, 500, "internal server error"),
			do(created, "", 404, "no such virtual machine"),
		}},
		{"deleted: only false", []step{
			do("PUT "+web, `{"deleted":true}`, 400, `{"deleted":["can only become false"]}`),
		}},
	} {
		c.run(t)
	}
}

// TestPower checks the power table of API.md §3, and the signals.
func TestPower(t *testing.T) {
	t.Parallel()
	const signal = "POST " + web + "/signal"
	isOn := do("GET "+web, "", 200, `{"power_on":true}`)
	isOff := do("GET "+web, "", 200, `{"power_on":false,"head":null}`)
	stop := do("PUT "+web, `{"autoreboot_on":false,"power_on":false}`, 200, `{"power_on":false,"autoreboot_on":false}`)
	restart := do("PUT "+web, `{"autoreboot_on":true,"power_on":false}`, 200, `{"power_on":false,"autoreboot_on":true}`)
	start := do("PUT "+web, `{"autoreboot_on":true,"power_on":true}`, 200, `{"power_on":false,"autoreboot_on":true}`)
	powerdown := do(signal, `{"signal":"powerdown"}`, 200, `{}`)
	profile := func(name string, locked bool) step {
		return change("web1", func(m *emulator.Machine) {
			m.HardwareProfile, m.HardwareProfileLocked = name, locked
		})
	}
	upgraded := func(name string) step { return do("GET "+web, "", 200, `{"hardware_profile":"`+name+`"}`) }

	for _, c := range []conformance{
		{"start: on after the boot", []step{stop, start, pass(bootTime - 1), isOff, pass(1), isOn}},
		{"start: of one that is on changes nothing", []step{
			do("PUT "+web, `{"autoreboot_on":true,"power_on":true}`, 200, `{"power_on":true}`),
		}},
		{"stop, hard: at once, and for good", []step{stop, isOff, pass(bootTime), isOff}},
		{"stop, hard: while it is coming up", []step{stop, start, pass(1), stop, pass(bootTime), isOff}},
		{"restart, hard: it is brought back", []step{restart, isOff, pass(bootTime), isOn}},
		{"restart, hard: of one that is off starts it", []step{stop, restart, pass(bootTime), isOn}},
		{"restart, hard: of one that is starting starts it again", []step{
			stop, start, pass(bootTime - 1), restart, pass(bootTime - 1), isOff, pass(1), isOn,
		}},
		{"autoreboot_on alone: starts a machine that is off", []step{
			stop, do("PUT "+web, `{"autoreboot_on":true}`, 200, `{"power_on":false}`), pass(bootTime), isOn,
		}},
		{"autoreboot_on: starts a machine that was switched off elsewhere", []step{
			change("web1", func(m *emulator.Machine) { m.AutorebootOn = true }),
			change("web1", func(m *emulator.Machine) { m.PowerOn = false }), isOff, pass(bootTime), isOn,
		}},
		{"autoreboot_on: not while soft-deleted, but when undeleted", []step{
			do("PUT "+web, `{"autoreboot_on":true}`, 200, `{}`), do("DELETE "+web, "", 204, ""), pass(bootTime),
			do("GET "+web+"?include_deleted=true", "", 200, `{"power_on":false}`),
			do("PUT "+web, `{"deleted":false}`, 200, `{"power_on":false}`), pass(bootTime), isOn,
		}},
		{"stop, gracefully", []step{
			do("PUT "+web, `{"autoreboot_on":false}`, 200, `{"power_on":true}`), powerdown,
			pass(shutdownTime - 1), isOn, pass(1), isOff, pass(bootTime), isOff,
		}},
		{"powerdown with autoreboot_on: brought back", []step{
			do("PUT "+web, `{"autoreboot_on":true}`, 200, `{}`), powerdown,
			pass(shutdownTime), isOff, pass(bootTime), isOn,
		}},
		{"powerdown: autoreboot_on counts at the moment of going off", []step{
			powerdown, do("PUT "+web, `{"autoreboot_on":true}`, 200, `{}`), pass(shutdownTime + bootTime), isOn,
		}},
		{"powerdown: a second one changes nothing", []step{
			powerdown, pass(shutdownTime - 1), powerdown, pass(1), isOff,
		}},
		{"powerdown: a guest that ignores it", []step{
			change("web1", func(m *emulator.Machine) { m.IgnoresPowerdown = true }),
			powerdown, pass(shutdownTime), isOn, stop, isOff,
		}},
		{"reset: stays on, profile is not upgraded", []step{
			profile("virtio2011", false), do(signal, `{"signal":"reset"}`, 200, `{}`), isOn, upgraded("virtio2011"),
		}},
		{"sendkey: keys of the definitions", []step{
			do(signal, `{"signal":"sendkey","data":"ctrl-alt-delete"}`, 200, `{}`),
			do(signal, `{"signal":"sendkey","data":"f12"}`, 200, `{}`),
			do(signal, `{"signal":"sendkey","data":"ctrl-alt-"}`, 400, `{"data":["is not included in the list"]}`),
			do(signal, `{"signal":"sendkey","data":"ctrl-any"}`, 400, `{"data":["is not included in the list"]}`),
			do(signal, `{"signal":"sendkey"}`, 400, `{"data":["can't be blank"]}`),
		}},
		{"signal: unknown, or none", []step{
			do(signal, `{"signal":"explode"}`, 400, `{"signal":["is not included in the list"]}`),
			do(signal, `{}`, 400, `{"signal":["can't be blank"]}`),
		}},
		{"signal: only on a machine that is on", []step{
			do("POST "+off+"/signal", `{"signal":"reset"}`, 400, "is off"),
			do("POST "+old+"/signal", `{"signal":"reset"}`, 404, "no such virtual machine"),
		}},
		{"profile: virtio2011 is upgraded by a restart", []step{
			profile("virtio2011", false), restart, upgraded("virtio2011"), pass(bootTime), upgraded("virtio2013"),
		}},
		{"profile: not when it is locked", []step{
			profile("virtio2011", true), restart, pass(bootTime), upgraded("virtio2011"),
		}},
		{"profile: compatibility2011 never", []step{
			profile("compatibility2011", false), restart, pass(bootTime), upgraded("compatibility2011"),
		}},
	} {
		c.run(t)
	}
}

// TestReimage checks POST reimage (API.md §3).
func TestReimage(t *testing.T) {
	t.Parallel()
	const reimage = "POST " + off + "/reimage"
	const body = `{"distribution":"noble","root_password":"correct horse"}`
	for _, c := range []conformance{
		{"accepted: on afterwards, with autoreboot_on false", []step{
			do(reimage, body, 200, body),
			pass(bootTime - 1), do("GET "+off, "", 200, `{"power_on":false,"last_imaged_with":null}`),
			pass(1), do("GET "+off, "", 200, `{"power_on":true,"autoreboot_on":false,"last_imaged_with":"noble"}`),
		}},
		{"accepted: empty texts, as public clients send them", []step{
			do(reimage, `{"distribution":"noble","root_password":"battery staple","ssh_public_key":"","firstboot_script":""}`, 200, `{"distribution":"noble"}`),
		}},
		{"refused: while it is on, coming up, or being reimaged", []step{
			do("POST "+web+"/reimage", body, 400, "not off"),
			do("PUT "+off, `{"power_on":true}`, 200, `{}`), do(reimage, body, 400, "not off"),
			do("PUT "+off, `{"power_on":false}`, 200, `{}`), do(reimage, body, 200, body),
			do(reimage, body, 400, "not off"),
			do("PUT "+off, `{"power_on":true}`, 400, `{"power_on":["cannot be changed during a reimage"]}`),
		}},
		{"refused: values", []step{
			do(reimage, `{}`, 400, `{"distribution":["can't be blank"],"root_password":["can't be blank"]}`),
			do(reimage, `{"distribution":"warty","root_password":"ab"}`, 400,
				`{"distribution":["is not included in the list"],"root_password":["is too short (minimum is 3 characters)"]}`),
			do("POST "+old+"/reimage", body, 404, "no such virtual machine"),
		}},
	} {
		c.run(t)
	}
}

// TestOptions checks what only an option makes the service do.
func TestOptions(t *testing.T) {
	t.Parallel()
	conformance{"guests that ignore powerdown", []step{
		do("POST "+web+"/signal", `{"signal":"powerdown"}`, 200, `{}`), do("GET "+web, "", 200, `{"power_on":true}`),
	}}.runWith(t, emulator.Options{IgnorePowerdown: true})
	conformance{"rate limit: 429 with Retry-After", []step{
		do("GET /accounts", "", 200, `[{}]`), do("GET /accounts", "", 200, `[{}]`),
		func(t *testing.T, f *fixture) {
			answer, _ := f.send(t, f.request(t, create, newMachine))
			if answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "1" {
				t.Errorf("%d %v", answer.StatusCode, answer.Header)
			}
		},
		pass(time.Second), do(created, "", 404, "no such"),
	}}.runWith(t, emulator.Options{RateLimit: 2})
}
