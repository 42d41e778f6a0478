// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"testing"

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

// TestChange checks that changes through the back door leave the data consistent.
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
