package console

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTroubleFirst: tiles count each machine once and filter the page, and trouble comes first in every list.
func TestTroubleFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t, 12)
	s.emulator.AddGroup("demo", "aaa", false)
	s.emulator.AddMachine("demo", "aaa", emulator.Machine{Name: "fine1", PowerOn: true})
	s.deafen("web10")
	s.update("web2")                                                                    // booting
	s.call("PUT", "/virtual_machines/web3", `{"autoreboot_on":false,"power_on":false}`) // off
	s.call("DELETE", "/virtual_machines/web4", "")                                      // soft-deleted
	s.call("POST", "/virtual_machines/web5/signal", `{"signal":"powerdown"}`)           // still on
	s.call("POST", "/vm_create", `{"virtual_machine":{"name":"new1","power_on":true},"discs":[{"label":"vda","size":50}],"reimage":{"distribution":"noble"}}`)

	p := s.page("")
	want := "web10 does not answer, new1 installing noble, web2 booting, web3 off, web1 on, web5 shutting down, web6 on, web7 on, web8 on, web9 on, web11 on, web12 on, web4 deleted, fine1 on"
	if got := p.machines(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	tiles := func(p pageData) string {
		list := ""
		for _, tile := range p.Tiles {
			list += fmt.Sprintf("%d %s %s %t, ", tile.Count, tile.Label, tile.Href, tile.Chosen)
		}
		return list
	}
	if got, want := tiles(p), "9 on /?show=on false, 1 off /?show=off false, 2 booting /?show=booting false, 1 not answering /?show=silent false, 0 faults armed /?show=faults false, "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p.Fleet.Total() != 13 || p.Fleet.Deleted() != 1 {
		t.Errorf("%d machines, %d deleted", p.Fleet.Total(), p.Fleet.Deleted())
	}
	if got := len(p.Fleet.Empty); got != 2 {
		t.Errorf("%d groups without machines", got)
	}
	for query, want := range map[string]string{
		"?show=silent":           "web10 does not answer",
		"?show=off":              "web3 off",
		"?show=booting":          "new1 installing noble, web2 booting",
		"?show=off&q=web1":       "",
		"?show=nonsense&q=WEB12": "web12 on",
		"?q=noble":               "new1 installing noble",
		"?q=" + p.Fleet.Groups[0].Machines[0].Address(): "web10 does not answer",
	} {
		if got := s.page(query).machines(); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if chosen := s.page("?show=off&q=web").Tiles[1]; !chosen.Chosen || chosen.Href != "/?q=web" {
		t.Errorf("%+v", chosen)
	}
	s.pass(time.Minute)
	if got := s.page("?show=booting").machines(); got != "" {
		t.Errorf("still booting: %s", got)
	}
}

// TestManyMachines: the page shows a hundred machines of a group, including those with trouble.
func TestManyMachines(t *testing.T) {
	t.Parallel()
	s := newStage(t, 250)
	s.deafen("web250")
	p := s.page("")
	if group := p.Fleet.Groups[0]; len(group.Machines) != 100 || group.More != 150 || group.Machines[0].Name != "web250" {
		t.Errorf("%d machines, %d more, the first is %s", len(group.Machines), group.More, group.Machines[0].Name)
	}
	if got := s.page("?q=web199").machines(); got != "web199 on" {
		t.Error(got)
	}
}

// TestNatural: names are sorted as people expect.
func TestNatural(t *testing.T) {
	t.Parallel()
	ordered := strings.Fields("a a1 a2 a10 a10b a010c b web-9 web-10 web9 web10 web10a")
	for i, a := range ordered {
		for j, b := range ordered {
			if got := natural(a, b); i < j && got >= 0 || i > j && got <= 0 || i == j && got != 0 {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}

// TestActed: a fault shows how often it acted, or why it has not.
func TestActed(t *testing.T) {
	t.Parallel()
	for fault, want := range map[emulator.ArmedFault]string{
		{Times: 2}:                      "has acted 0 of 2 times, no request has matched",
		{Times: 1, Asked: 1}:            "has acted 0 of 1 time, 1 request matched",
		{}:                              "has not acted yet, no request has matched",
		{Asked: 1200, Acted: 1}:         "has acted 1 time, 1\u202f200 requests matched",
		{Asked: 12, Acted: 3, Times: 5}: "has acted 3 of 5 times, 12 requests matched",
	} {
		if got := acted(fault); got != want {
			t.Errorf("%+v: %s, want %s", fault, got, want)
		}
	}
}

// TestSpell: a duration is shown in one unit.
func TestSpell(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 0: "0 s", 1500 * time.Millisecond: "1 s", 119 * time.Second: "119 s", 2 * time.Minute: "2 min", 119 * time.Minute: "119 min",
		24 * time.Hour: "24 h", 168 * time.Hour: "7 days",
	} {
		if got := spell(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
