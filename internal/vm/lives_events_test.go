// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// edit changes the configuration.
type edit struct {
	set   given
	discs func(objects) objects
}

func (e edit) apply(config object) object {
	config = maps.Clone(config)
	if e.discs != nil {
		config["disc"] = e.discs(config["disc"].(objects))
	}
	for path, value := range e.set {
		put(config, strings.Split(path, "."), value)
	}
	return config
}

var edits = []edit{
	{},
	{set: given{"cores": 4, "name": "web2", "reimage.revision": "2"}, discs: func(d objects) objects { return append(withBoot(d, 5000), discs("logs:1000")...) }},
	{set: given{"cores": 1}},
	{set: given{"cores": 2}},
	{set: given{"cores": 6}},
	{set: given{"cores": nil}},
	{set: given{"memory": 1024}},
	{set: given{"memory": 4096}},
	{set: given{"memory": nil}},
	{set: given{"hardware_profile": "virtio2011"}},
	{set: given{"hardware_profile": "virtio2013"}},
	{set: given{"hardware_profile": "compatibility2011"}},
	{set: given{"hardware_profile": nil}},
	{set: given{"hardware_profile_locked": true}},
	{set: given{"hardware_profile_locked": false}},
	{set: given{"hardware_profile_locked": nil}},
	{set: given{"autoreboot_on": true}},
	{set: given{"autoreboot_on": false}},
	{set: given{"autoreboot_on": nil}},
	{set: given{"power_on": true}},
	{set: given{"power_on": false}},
	{set: given{"power_on": nil}},
	{set: given{"power_on": false, "autoreboot_on": nil}},
	{set: given{"keymap": "de"}},
	{set: given{"keymap": "fr"}},
	{set: given{"keymap": nil}},
	{set: given{"cdrom_url": "https://a.example/a.iso"}},
	{set: given{"cdrom_url": nil}},
	{set: given{"zone_name": "york"}},
	{set: given{"zone_name": "manchester"}},
	{set: given{"zone_name": nil}},
	{set: given{"name": "web1"}},
	{set: given{"name": "web2"}},
	{set: given{"group": "private"}},
	{set: given{"group": "default"}},
	{set: given{"group": nil}},
	{set: given{"account": "other", "group": "default"}},
	{set: given{"account": "demo"}},
	{set: given{"account": nil}},
	{discs: func(d objects) objects { return append(discs(), append(d[:len(d):len(d)], discs("more:500")...)...) }},
	{discs: func(d objects) objects { return append(d[:len(d):len(d)], discs("fast:500:ssd")...) }},
	{discs: func(d objects) objects { return d[:1] }},
	{discs: func(d objects) objects { return d[:max(1, len(d)-1)] }},
	{discs: func(d objects) objects { return reversedTail(d) }},
	{discs: func(d objects) objects { return withLast(d, "size", 5000) }},
	{discs: func(d objects) objects { return withLast(d, "label", "renamed") }},
	{discs: func(d objects) objects { return withLast(d, "label", "More") }},
	{discs: func(d objects) objects { return withLast(d, "storage_grade", "sata") }},
	{discs: func(d objects) objects {
		return append(withBoot(d, 100), discs("d1:50", "d2:50", "d3:50", "d4:50", "d5:50", "d6:50", "d7:50")...)
	}},
	{set: given{"reimage.distribution": "bookworm"}},
	{set: given{"reimage.distribution": "noble"}},
	{set: given{"reimage.revision": "1"}},
	{set: given{"reimage.revision": "2"}},
	{set: given{"reimage.revision": nil}},
	{set: given{"reimage.on_change": "replace"}},
	{set: given{"reimage.on_change": "reimage"}},
	{set: given{"reimage.ssh_public_key": publicKey}},
	{set: given{"reimage.ssh_public_key": nil}},
	{set: given{"reimage": nil}},
	{set: inPlace},
	{set: given{"ready": object{"port": 22, "timeout": "1m"}}},
	{set: given{"ready": object{"port": 22, "timeout": "15s"}}},
	{set: given{"ready": nil}},
	{set: given{"ready": object{"port": 80, "http_path": "/"}}},
	{set: given{"timeouts": object{"update": "1m"}}},
	{set: given{"timeouts": nil}},
	{set: given{"shutdown_timeout": "2s"}},
	{set: given{"shutdown_timeout": "20s"}},
	{set: given{"shutdown_timeout": nil}},
	{set: given{"on_shutdown_timeout": "fail"}},
	{set: given{"on_shutdown_timeout": nil}},
	{set: given{"shutdown_before_destroy": true}},
	{set: given{"shutdown_before_destroy": nil}},
	{set: given{"deletion_protection": true}},
	{set: given{"deletion_protection": false}},
	{set: given{"deletion_protection": nil}},
	{set: given{"purge_on_destroy": true}},
	{set: given{"purge_on_destroy": nil}},
	{set: given{leave: nil}},
	{set: given{leave: true}},
}

// reversedTail returns the discs behind the first in the reverse order.
func reversedTail(d objects) objects {
	reversed := objects{d[0]}
	for i := len(d) - 1; i > 0; i-- {
		reversed = append(reversed, d[i])
	}
	return reversed
}

// withLast returns the discs, the last with another value.
func withLast(d objects, name string, value any) objects {
	last := maps.Clone(d[len(d)-1])
	last[name] = value
	return append(d[:len(d)-1:len(d)-1], last)
}

// withBoot returns the boot disc alone, grown.
func withBoot(d objects, more int) objects {
	boot := maps.Clone(d[0])
	boot["size"] = boot["size"].(int) + more
	return objects{boot}
}

// event is what somebody does outside of Terraform.
type event struct {
	name string
	do   func(*life)
}

// elsewhere returns what somebody else may do.
func elsewhere(e *acctest.Emulator) []event {
	changed := func(name string, f func(*emulator.Machine)) event {
		return event{name, func(l *life) { l.change(f) }}
	}
	all := []event{{}}
	drifts := driftChanges(e)
	for _, path := range []string{"account", "group", "name", "cores", "memory", "hardware_profile", "hardware_profile_locked", "keymap", "cdrom_url", "zone_name", "last_imaged_with", "disc", "disc.0.label", "disc.0.storage_grade"} {
		all = append(all, changed(path, drifts[path]))
	}
	off := func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }
	return append(all,
		changed("off", off),
		changed("on", func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true }),
		changed("on without autoreboot", func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, false }),
		changed("a reboot under way", func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, true }),
		changed("no autoreboot", func(m *emulator.Machine) { m.AutorebootOn = false }),
		changed("autoreboot", func(m *emulator.Machine) { m.AutorebootOn = true }),
		changed("deaf to a shutdown", func(m *emulator.Machine) { m.IgnoresPowerdown = true }),
		changed("not deaf to it", func(m *emulator.Machine) { m.IgnoresPowerdown = false }),
		changed("deaf", func(m *emulator.Machine) { m.Deaf = true }),
		changed("not deaf", func(m *emulator.Machine) { m.Deaf = false }),
		changed("the last disc is renamed", func(m *emulator.Machine) { m.Discs[len(m.Discs)-1].Label = "theirs" }),
		event{"the boot disc is grown, and its block follows", func(l *life) {
			l.change(func(m *emulator.Machine) { m.Discs[0].Size += 2000 })
			l.config = edit{discs: func(d objects) objects { return append(withBoot(d, 2000), d[1:]...) }}.apply(l.config)
		}},
		event{"a disc is added", func(l *life) { l.e.AddDisc(acctest.ID(l.o.Get("id")), emulator.Disc{Label: "more", Size: 700}) }},
		event{"a disc is added beside", func(l *life) { l.e.AddDisc(acctest.ID(l.o.Get("id")), emulator.Disc{Label: "beside", Size: 700}) }},
		event{"purged", func(l *life) { l.e.Purge(acctest.ID(l.o.Get("id"))) }},
		event{"imported again", (*life).importAnew},
		event{"refreshed while off", func(l *life) { l.change(off); l.o = l.e.NewDriver(l.t, nil).MustRefresh(l.t.Context(), l.o) }},
	)
}

// change changes the machine in the back door, if the service would.
func (l *life) change(f func(*emulator.Machine)) {
	if err := l.e.Change(acctest.ID(l.o.Get("id")), f); err != nil {
		l.t.Log(err)
	}
}

// importAnew imports the machine into an empty state.
func (l *life) importAnew() {
	o, diags := l.e.NewDriver(l.t, nil).Import(l.t.Context(), vmType, acctest.Text(l.o.Get("id")))
	if acctest.HasErrors(diags) {
		l.t.Fatal(acctest.DiagText(diags))
	}
	l.o = o
}

// trouble disturbs an apply.
type trouble struct {
	name      string
	fault     emulator.Fault
	interrupt time.Duration
	then      func(*emulator.Machine) // what somebody does 7 seconds after the start of the apply
	elsewhere bool                    // somebody else changes the machine, so that the next plan has something to do
	power     bool                    // or its power
}

// troubles returns a failure of each request in each way, interrupts, and changes elsewhere.
func troubles() []trouble {
	all := []trouble{{}}
	for _, at := range []struct{ method, suffix, body string }{
		{"PUT", "", `"name"`},
		{"PUT", "", `{"autoreboot_on":false}`},
		{"PUT", "", `{"autoreboot_on":true}`},
		{"PUT", "", `"power_on":true`},
		{"PUT", "", `"power_on":false`},
		{"PUT", "", `"cores"`},
		{"PUT", "", `"size"`},
		{"PUT", "", `"label"`},
		{"PUT", "", ""},
		{"POST", "/signal", ""},
		{"POST", "/discs", ""},
		{"POST", "/reimage", ""},
		{"POST", "/vm_create", ""},
		{"DELETE", "", ""},
		{"GET", "", ""},
	} {
		once := refuse(at.method, at.suffix, at.body, 1)
		always := refuse(at.method, at.suffix, at.body, 0)
		bad := once
		bad.Status = http.StatusBadRequest
		away := always
		away.Status = http.StatusServiceUnavailable
		for _, how := range []struct {
			name  string
			fault emulator.Fault
		}{
			{"refused", once},
			{"always refused", always},
			{"invalid", bad},
			{"unavailable", away},
			{"lost", loseAnswer(once)},
			{"refused the second time", skipFirst(1, once)},
			{"refused the third time", skipFirst(2, once)},
		} {
			all = append(all, trouble{name: strings.Join([]string{at.method, at.suffix, at.body, how.name}, " "), fault: how.fault})
		}
	}
	for _, after := range []time.Duration{time.Nanosecond, 3 * time.Second, 6 * time.Second, 20 * time.Second, 45 * time.Second, 70 * time.Second} {
		all = append(all, trouble{name: "interrupted after " + after.String(), interrupt: after})
	}
	return append(all,
		trouble{name: "off elsewhere", then: func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = false, false }, elsewhere: true, power: true},
		trouble{name: "on elsewhere", then: func(m *emulator.Machine) { m.PowerOn, m.AutorebootOn = true, true }, elsewhere: true, power: true},
		trouble{name: "renamed elsewhere", then: func(m *emulator.Machine) { m.Name = "theirs" }, elsewhere: true},
		trouble{name: "no autoreboot elsewhere", then: func(m *emulator.Machine) { m.AutorebootOn = false }, elsewhere: true, power: true},
	)
}

// begin begins the trouble, and returns what ends it.
func (b trouble) begin(l *life, d *acctest.Driver) (end func()) {
	if b.fault.Match != nil {
		l.e.Inject(b.fault)
	}
	if b.interrupt > 0 {
		stopAfter(l.t, d, b.interrupt)
	}
	stopped := func() bool { return true }
	if b.then != nil && l.o != nil {
		id := acctest.ID(l.o.Get("id"))
		stopped = time.AfterFunc(7*time.Second, func() { _ = l.e.Change(id, b.then) }).Stop
	}
	return func() {
		stopped()
		l.e.RemoveFaults()
	}
}
