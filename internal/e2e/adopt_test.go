// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestAdopt: the CLI imports what `adopt` has written, and changes nothing. Only the CLI evaluates import blocks and
// references between files.
func TestAdopt(t *testing.T) {
	t.Parallel()
	service := acctest.StartEmulator(t, emulator.Options{})
	objects := addEstate(t, service, 6)
	w := newWorkspace(t, service)
	program, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "CLOUDSERVER_ENDPOINT="+service.URL, "CLOUDSERVER_TOKEN="+emulator.DemoAPIKey)
	command := exec.CommandContext(t.Context(), program, "adopt", w.path("estate"))
	command.Dir, command.Env = w.dir, w.env
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	w.dir = w.path("estate")

	w.must("fmt", "-check", "-diff")
	service.ResetJournal()
	output := w.must("apply", "-auto-approve", "-no-color")
	if want := fmt.Sprintf("%d imported, 0 added, ", objects); !strings.Contains(output, want) || !strings.Contains(output, " 0 destroyed") {
		t.Errorf("the apply should say %q:\n%s", want, output)
	}
	acctest.ExpectCalls(t, service)
	w.must("plan", "-detailed-exitcode", "-no-color")
	state, err := os.ReadFile(w.path("terraform.tfstate"))
	if err != nil || strings.Count(string(state), `"index_key"`)+strings.Count(string(state), `"mode": "managed"`) < objects {
		t.Errorf("the state lacks objects, %v:\n%s", err, state)
	}
}

// addEstate adds machines in three groups, backup schedules for half of them, and two reverse names. It returns the
// number of objects.
func addEstate(t *testing.T, e *acctest.Emulator, machines int) (objects int) {
	t.Helper()
	groups := []string{"web", "db", "shop"}
	for _, name := range groups {
		e.AddGroup(emulator.DemoAccount, name, false)
	}
	schedules := 0
	for i := range machines {
		m := emulator.Machine{
			Name: fmt.Sprintf("m%d", i), Cores: 2, Memory: 4096, PowerOn: true, AutorebootOn: true, LastImagedWith: "bookworm",
			Discs:      []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "data", Size: 51200, StorageGrade: "archive"}},
			Interfaces: []emulator.Interface{{MAC: fmt.Sprintf("52:54:00:00:00:%02x", i), IPs: []string{fmt.Sprintf("203.0.113.%d", i+1), fmt.Sprintf("2001:db8:2::%x", i+1)}}},
		}
		if i%2 == 0 {
			schedules++
			m.Discs[1].Backups = &emulator.Backups{Schedules: []emulator.BackupSchedule{{StartAt: "2030-01-06 04:00:00", IntervalSeconds: 604800, Capacity: 4}}}
		}
		e.AddMachine(emulator.DemoAccount, groups[i%len(groups)], m)
	}
	d := e.NewDriver(t, nil)
	addresses := []string{"203.0.113.1", "2001:db8:2::2"}
	for i, address := range addresses {
		d.MustApply(t.Context(), rdnsType, nil, object{"address": address, "hostname": fmt.Sprintf("host%d.example.com", i)})
	}
	e.ResetJournal()
	return len(groups) + 2 + machines + schedules + len(addresses) // plus the two groups of every emulator
}
