package emulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// describeEvents returns the events of a fixture after a number, each with the machine's name, what happened, and who
// requested it.
func describeEvents(f *fixture, after int64) []string {
	list := []string{}
	for _, e := range f.Events() {
		if e.Number <= after {
			continue
		}
		name, _, _ := strings.Cut(e.Hostname, ".")
		line := strings.TrimSpace(name + " " + e.Text)
		if e.By != "" {
			line += " (" + e.By + ")"
		}
		if e.Trouble {
			line += "!"
		}
		list = append(list, line)
	}
	return list
}

// lastEvent returns the number of the last event.
func lastEvent(f *fixture) int64 {
	if list := f.Events(); len(list) > 0 {
		return list[len(list)-1].Number
	}
	return 0
}

// TestEvents checks the descriptions of all events: of requests, of staff, and of what happens by itself.
func TestEvents(t *testing.T) {
	t.Parallel()
	call := func(call, body string) step {
		return func(t *testing.T, f *fixture) {
			t.Helper()
			f.send(t, f.request(t, call, body))
		}
	}
	disc := func(change func(e *emulator.Emulator, id int64) error) step {
		return func(t *testing.T, f *fixture) {
			t.Helper()
			if err := change(f.Emulator, find(t, f.Emulator, "web1").ID); err != nil {
				t.Error(err)
			}
		}
	}
	for _, test := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{
			name: "creation",
			steps: []step{
				call(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true},"reimage":{"distribution":"noble"}}`), pass(bootTime),
			},
			want: []string{"new1 was created, noble is being installed (API)", "new1 noble was installed, is on"},
		},
		{
			name:  "creation of a machine that stays off",
			steps: []step{call(create, `{{discs},"virtual_machine":{"name":"new1"}}`)},
			want:  []string{"new1 was created (API)"},
		},
		{
			name: "graceful stop and start",
			steps: []step{
				call("PUT "+web, `{"autoreboot_on":false}`), call("POST "+web+"/signal", `{"signal":"powerdown"}`), pass(shutdownTime),
				call("PUT "+web, `{"cores":4}`), call("PUT "+web, `{"autoreboot_on":true,"power_on":true}`), pass(bootTime),
			},
			want: []string{"web1 was asked to shut down (API)", "web1 was shut down", "web1 cores 2 → 4 (API)", "web1 is starting (API)", "web1 is on"},
		},
		{
			name:  "hard stop",
			steps: []step{call("PUT "+web, `{"autoreboot_on":false,"power_on":false}`)},
			want:  []string{"web1 was switched off (API)"},
		},
		{
			name:  "restart",
			steps: []step{call("PUT "+web, `{"autoreboot_on":true,"power_on":false}`), pass(bootTime)},
			want:  []string{"web1 was switched off, and is starting again (API)", "web1 is on"},
		},
		{
			name:  "host failure",
			steps: []step{change("web1", func(m *emulator.Machine) { m.AutorebootOn = true }), disc(func(e *emulator.Emulator, id int64) error { e.FailHost(id); return nil })},
			want:  []string{"web1 host failure: was switched off, and is starting again (staff)!"},
		},
		{
			name:  "reimage",
			steps: []step{call("POST "+off+"/reimage", `{"distribution":"noble","root_password":"correct horse"}`), pass(bootTime)},
			want:  []string{"off1 noble is being installed (API)", "off1 noble was installed, is on"},
		},
		{
			name:  "old profile",
			steps: []step{change("off1", func(m *emulator.Machine) { m.HardwareProfile = "virtio2011" }), call("PUT "+off, `{"power_on":true}`), pass(bootTime)},
			want:  []string{"off1 hardware profile virtio2013 → virtio2011 (staff)", "off1 is starting (API)", "off1 hardware profile virtio2011 → virtio2013, is on"},
		},
		{
			name:  "smaller, and the rest is described",
			steps: []step{call("PUT "+web, `{"cores":1,"memory":1024,"keymap":"de","cdrom_url":"https://cd.example/a.iso","hardware_profile_locked":true}`)},
			want:  []string{"web1 cores 2 → 1, memory 2 GiB → 1 GiB, hardware profile locked, keymap de, CD inserted (API)"},
		},
		{
			name:  "rename and move",
			steps: []step{call("PUT "+web, `{"name":"web9","group_id":{private}}`)},
			want:  []string{"web9 was called web1 before, was moved from group default to private (API)"},
		},
		{
			name: "soft delete, undelete, purge",
			steps: []step{
				call("DELETE "+web, ""), call("PUT "+web, `{"deleted":false}`), call("DELETE "+web+"?purge=true", ""),
			},
			want: []string{"web1 was deleted, and can be brought back (API)", "web1 was brought back (API)", "web1 was purged (API)"},
		},
		{
			name: "discs",
			steps: []step{
				call("POST "+web+"/discs", `{"label":"new","size":1024}`), call("PUT "+web+"/discs/new", `{"size":2048}`), call("PUT "+web+"/discs/new", `{"label":"data"}`),
				call("DELETE "+web+"/discs/data?purge=true", ""),
			},
			want: []string{"web1 disc new added, 1 GiB (API)", "web1 disc new 1 GiB → 2 GiB (API)", "web1 disc new is called data now (API)", "web1 disc data removed (API)"},
		},
		{
			name: "disc moved to another machine",
			steps: []step{
				change("web1", func(m *emulator.Machine) { m.PowerOn = false }), call("PUT "+web+"/discs/vdb", `{"virtual_machine_id":{off1}}`),
			},
			want: []string{"web1 was switched off (staff)", "web1 disc vdb moved to off1 (API)", "off1 disc vdb moved here from web1 (API)"},
		},
		{
			name:  "disc moved by staff",
			steps: []step{disc(func(e *emulator.Emulator, id int64) error { return e.MigrateDisc(id, "vdb", "ssd") }), pass(time.Second)},
			want:  []string{"web1 disc vdb is being moved to ssd storage (staff)", "web1 disc vdb was moved to ssd storage"},
		},
		{
			name: "backups",
			steps: []step{
				call("POST "+web+"/discs/vda/backups", `{}`), pass(time.Second),
				call("POST "+web+"/discs/vda/backup_schedules", `{"start_at":"2026-11-20 12:00:03","interval_seconds":3600,"capacity":1}`), pass(time.Minute),
				disc(func(e *emulator.Emulator, id int64) error { return e.RestoreDisc(id, "vda") }), pass(time.Second),
			},
			want: []string{
				"web1 disc vda was backed up (API)", "web1 backup schedule of disc vda added (API)", "web1 disc vda was backed up as scheduled",
				"web1 disc vda is being restored from a backup (staff)", "web1 disc vda was restored from a backup",
			},
		},
		{
			name:  "reverse name",
			steps: []step{call("PUT /ips/{web1-ip}", `{"rdns":"www.example.org"}`), call("PUT /ips/{web1-ip}", `{"rdns":""}`)},
			want:  []string{"web1 198.51.100.2 has the reverse name www.example.org (API)", "web1 198.51.100.2 lost the reverse name www.example.org (API)"},
		},
		{
			name: "deaf guest",
			steps: []step{
				disc(func(e *emulator.Emulator, id int64) error { e.SetDeaf(id, true); return nil }), disc(func(e *emulator.Emulator, id int64) error { e.SetDeaf(id, false); return nil }),
			},
			want: []string{"web1 does not answer (staff)!", "web1 answers (staff)"},
		},
		{
			name: "groups",
			steps: []step{
				call("POST /accounts/demo/groups", `{"name":"team"}`), call("PUT /accounts/demo/groups/team", `{"name":"crew"}`), call("DELETE /accounts/demo/groups/crew", ""),
			},
			want: []string{"group team was created (API)", "group team is called crew now (API)", "group crew was deleted (API)"},
		},
		{
			name: "what changes nothing",
			steps: []step{
				call("GET "+web, ""), call("PUT "+web, `{}`), call("PUT "+web, `{"cores":64}`), call("PUT "+off, `{"power_on":false}`), call("DELETE /accounts/demo/groups/default", ""),
				call("PUT "+web, `{"autoreboot_on":true}`),
			},
			want: []string{},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixtureWith(t, emulator.Options{BootTime: bootTime, ShutdownTime: shutdownTime, CopyTime: time.Second})
			before := lastEvent(f)
			for _, step := range test.steps {
				step(t, f)
			}
			if got := describeEvents(f, before); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestEventsOfOneMoment: if shutdown and boot take no time, one event says that the machine was shut down or was
// started. There is no earlier one that says that it was asked to shut down, or is starting.
func TestEventsOfOneMoment(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{})
	before := lastEvent(f)
	do("POST "+web+"/signal", `{"signal":"powerdown"}`, 200, `{}`)(t, f)
	do("PUT "+web, `{"power_on":true}`, 200, `{}`)(t, f)
	do("POST "+create[len("POST "):], ``, 415, "send")(t, f)
	do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true},"reimage":{"distribution":"noble"}}`, 202, `{}`)(t, f)
	want := []string{"web1 was shut down (API)", "web1 was started (API)", "new1 was created, noble was installed, was started (API)"}
	if got := describeEvents(f, before); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// TestEventsOfGuests: the guest of a machine that is on answers after its boot, or does not answer.
func TestEventsOfGuests(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{GuestBoot: time.Second, Guests: true})
	before := lastEvent(f)
	web1 := find(t, f.Emulator, "web1").ID
	do("PUT "+web, `{"autoreboot_on":true,"power_on":false}`, 200, `{}`)(t, f)
	pass(2*time.Second)(t, f)
	do("GET "+web, "", 200, `{"power_on":true}`)(t, f)
	f.SetDeaf(web1, true)
	do("PUT "+web, `{"power_on":false}`, 200, `{}`)(t, f)
	pass(2*time.Second)(t, f)
	f.SetDeaf(web1, false)
	do("PUT "+web, `{"autoreboot_on":false,"power_on":false}`, 200, `{}`)(t, f)
	f.SetDeaf(web1, true)
	want := []string{
		"web1 was restarted (API)", "web1 answers", "web1 does not answer (staff)!", "web1 was restarted (API)", "web1 does not answer!", "web1 answers (staff)",
		"web1 was switched off (API)", "web1 will not answer (staff)",
	}
	if got := describeEvents(f, before); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEventsSayWhoAsked: an event has the program that sent the request, and the request without secrets. The journal
// has the number of the event.
func TestEventsSayWhoAsked(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"terraform-provider-cloudserver/1.2.3 (Terraform/1.14.0)": "provider", "curl/8.5.0": "curl", "": "API", "  ": "API", "a b\u202ec/1": "abc",
		strings.Repeat("x", 100): strings.Repeat("x", 40),
	} {
		f := newFixture(t)
		f.Inject(emulator.Fault{Name: "slow", Delay: 1, Times: 1})
		r := f.request(t, "PUT "+web, `{"cores":1}`)
		r.Header.Set("User-Agent", agent)
		f.send(t, r)
		events, journal := f.Events(), f.Journal()
		last := events[len(events)-1]
		if last.By != want || last.Call != strings.ReplaceAll("PUT "+web, "{web1}", "") || last.Power != "on" || !slices.Equal(last.Changed, []string{"cores"}) || !last.Time.Equal(fixtureStart) {
			t.Errorf("%q: %+v", agent, last)
		}
		if request := journal[len(journal)-1]; request.Reached.Event != last.Number || request.Fault != "slow" {
			t.Errorf("the request says %+v and %q, the event is %d", request.Reached, request.Fault, last.Number)
		}
	}
}

// TestEventsAreKept: the last thousand events are kept, and a saved state has the last hundred of them. A seed has
// none.
func TestEventsAreKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := range 1500 {
		f.send(t, f.request(t, "PUT "+web, fmt.Sprintf(`{"keymap":%q}`, []string{"de", "fr"}[n%2])))
	}
	all := f.Events()
	if len(all) < 1000 || len(all) > 1200 {
		t.Errorf("%d events are kept", len(all))
	}
	again := newFixture(t)
	if err := again.Load(f.State()); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(again.Events()), fmt.Sprint(all[len(all)-100:]); got != want {
		t.Errorf("loaded %s\nsaved  %s", got, want)
	}
	again.Note("the clock was moved")
	if last := lastEvent(again); last != all[len(all)-1].Number+1 {
		t.Errorf("the next number is %d", last)
	}
	if strings.Contains(string(f.Dump()), `"events"`) {
		t.Error("a seed has events")
	}
}
