package emulator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// find returns the machine with a name.
func find(t *testing.T, e *emulator.Emulator, name string) emulator.Machine {
	t.Helper()
	for _, m := range e.Machines() {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no machine %s", name)
	return emulator.Machine{}
}

// TestChange checks that changes through the back door stay consistent.
func TestChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	web1, inside1 := find(t, f.Emulator, "web1"), find(t, f.Emulator, "inside1")
	for name, c := range map[string]func(*emulator.Machine){
		"unknown group":  func(m *emulator.Machine) { m.GroupID = 1 },
		"taken name":     func(m *emulator.Machine) { m.Name = "off1" },
		"taken address":  func(m *emulator.Machine) { m.Interfaces[0].IPs[0] = inside1.Interfaces[0].IPs[0] },
		"broken address": func(m *emulator.Machine) { m.Interfaces[0].IPs[0] = "x" },
	} {
		if err := f.Change(web1.ID, c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := f.Change(1, func(*emulator.Machine) {}); err == nil {
		t.Error("unknown machine: accepted")
	}
	do("GET "+web+"?view=overview", "", 200, `{"network_interfaces":[{"ips":["{web1-ip}","…"]}]}`)(t, f)

	err := f.Change(web1.ID, func(m *emulator.Machine) {
		m.ID, m.Name, m.GroupID, m.PowerOn = 7, "moved1", inside1.GroupID, false
		m.Interfaces[0].IPs = []string{"192.0.2.99"}
		m.Discs = append(m.Discs, emulator.Disc{Label: "vdc", Size: 50})
	})
	if err != nil {
		t.Fatal(err)
	}
	do("GET "+web, "", 404, "no such")(t, f)
	do("GET /ips/{web1-ip}", "", 404, "no such")(t, f)
	do("GET /ips/192.0.2.99", "", 200, `{"rdns":"moved1.private.demo.cluster.example"}`)(t, f)
	do("GET /virtual_machines/{web1}?view=overview", "", 200, `{"name":"moved1","power_on":false,
		"discs":[{},{},{"label":"vdc","storage_grade":"sata","storage_pool":"tier1-sata"}]}`)(t, f)
}

// TestAdd checks what is added, and what is refused with an id of 0.
func TestAdd(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	web1 := find(t, f.Emulator, "web1")
	if web1.Account != "demo" || web1.Group != "default" || web1.Hostname != "web1.default.demo.cluster.example" {
		t.Errorf("%+v", web1)
	}
	if id := f.AddDisc(web1.ID, emulator.Disc{Label: "vdc", Size: 50}); id == 0 {
		t.Error("no disc")
	}
	f.RemoveDisc(web1.ID, "vda")
	do("GET "+web+"/discs", "", 200, `[{"label":"vdb"},{"label":"vdc","storage_grade":"sata"}]`)(t, f)
	if f.AddGroup("demo", "own", true) == 0 || f.AddMachine("demo", "own", emulator.Machine{Name: "a"}) == 0 {
		t.Error("nothing added")
	}
	do("GET /accounts/demo/groups/own/virtual_machines?view=overview", "", 200,
		`[{"name":"a","cores":1,"network_interfaces":[{"ips":["10.0.2.2","2001:db8:2::2"]}]}]`)(t, f)
	for name, id := range map[string]int64{
		"disc of no machine":    f.AddDisc(1, emulator.Disc{}),
		"group that exists":     f.AddGroup("demo", "default", false),
		"group of nobody":       f.AddGroup("nobody", "more", false),
		"account that exists":   f.AddAccount("demo", false),
		"machine that exists":   f.AddMachine("demo", "default", emulator.Machine{Name: "web1"}),
		"machine of nobody":     f.AddMachine("nobody", "default", emulator.Machine{Name: "a"}),
		"machine with taken ip": f.AddMachine("demo", "default", emulator.Machine{Name: "a", Interfaces: web1.Interfaces}),
	} {
		if id != 0 {
			t.Errorf("%s: %d", name, id)
		}
	}
	if len(f.Journal()) != 2 {
		t.Errorf("%d requests in the journal, want those of this test", len(f.Journal()))
	}
	f.Purge(web1.ID)
	if _, found := f.Machine(web1.ID); found {
		t.Error("not purged")
	}
}

// TestCopies checks that callers cannot reach into the store.
func TestCopies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	m := find(t, f.Emulator, "web1")
	m.Discs[0].Label, m.Interfaces[0].IPs[0] = "x", "x"
	again, _ := f.Machine(m.ID)
	if again.Discs[0].Label != "vda" || again.Interfaces[0].IPs[0] == "x" {
		t.Errorf("%+v", again)
	}
}

// TestSecretsAreSums checks that only sums of the secrets of an image are kept.
func TestSecretsAreSums(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true},"reimage":{"distribution":"noble","root_password":"correct horse",
		"ssh_public_key":"ssh-ed25519 AAAA"}}`, 202, `{}`)(t, f)
	f.Advance(bootTime)
	m := find(t, f.Emulator, "new1")
	digest := sha256.Sum256([]byte("correct horse"))
	if !m.RootPasswordSet || m.RootPasswordSHA256 != hex.EncodeToString(digest[:]) ||
		m.FirstbootScriptSHA256 != "" || m.SSHPublicKey != "ssh-ed25519 AAAA" || m.Images != 1 {
		t.Errorf("%+v", m)
	}
}

// TestClock checks the service on a fake clock: it has no goroutine and no timer, and what was due in between happens at
// its own time.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixtureWith(t, emulator.Options{
			BootTime: time.Minute, ShutdownTime: time.Minute, DescribeAfter: 10 * time.Second, Now: time.Now,
		})
		do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true}}`, 202, `{}`)(t, f)
		do(created, "", 202, `{}`)(t, f)
		do("GET "+group+"/virtual_machines", "", 200, `[{"name":"web1"},{"name":"off1"}]`)(t, f)
		time.Sleep(10 * time.Second)
		do(created, "", 200, `{"power_on":false}`)(t, f)
		time.Sleep(50 * time.Second)
		do(created, "", 200, `{"power_on":true}`)(t, f)
		// Down in one minute, up again in two: both are past after three.
		do("POST "+group+"/virtual_machines/new1/signal", `{"signal":"powerdown"}`, 200, `{}`)(t, f)
		f.Advance(2*time.Minute - 1)
		do(created, "", 200, `{"power_on":false}`)(t, f)
		f.Advance(1)
		do(created, "", 200, `{"power_on":true}`)(t, f)
	})
}

// TestAtOnce checks that without a boot time the next request sees the machine on.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{})
	do(create, `{{discs},"virtual_machine":{"name":"new1","power_on":true}}`, 202, `{"virtual_machine":{"power_on":false}}`)(t, f)
	do(created, "", 200, `{"power_on":true}`)(t, f)
	do("POST "+group+"/virtual_machines/new1/signal", `{"signal":"powerdown"}`, 200, `{}`)(t, f)
	do(created, "", 200, `{"power_on":true,"autoreboot_on":true}`)(t, f)
}
