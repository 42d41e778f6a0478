package examples_test

import (
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// recipes are the stories of the guide's recipes.
var recipes = map[string]story{
	"recipes/ansible-inventory":    {then: hasAnInventory},
	"recipes/dns":                  {then: hasAZoneFile},
	"recipes/first-boot":           {},
	"recipes/ignore-changes":       {then: ignoresOtherCores},
	"recipes/image-version":        {then: installsAChangedScript},
	"recipes/mocks":                {before: isLarge, then: mocksTheProvider},
	"recipes/private-network":      {},
	"recipes/provision-over-ssh":   {before: reachesAnSSHServer, then: ranOverSSH},
	"recipes/random-root-password": {before: hasAPublicKey, then: keepsNoPassword},
	"recipes/rolling-replacement":  {then: reimagesOneByOne},
	"recipes/two-accounts":         {before: hasASecondAccount},
	"recipes/zones":                {then: hasAMachineInEachZone},
}

func hasAnInventory(w *workspace) {
	if inventory := w.run("output", "-raw", "inventory"); !strings.Contains(inventory, `"ansible_host": "198.51.100.`) {
		w.Errorf("the inventory: %s", inventory)
	}
}

func hasAZoneFile(w *workspace) {
	if zone := w.run("output", "-raw", "zone_file"); !strings.Contains(zone, "web2 300 IN A 198.51.100.") || !strings.Contains(zone, " AAAA ") {
		w.Errorf("the zone file: %s", zone)
	}
}

func ignoresOtherCores(w *workspace) {
	w.change(w.e.Machines()[0].ID, func(m *emulator.Machine) { m.Cores = 4 })
	w.expectNoChange()
}

// A changed script is seen although it is in no state, and the same machine gets it.
func installsAChangedScript(w *workspace) {
	id, before := w.id("cloudserver_vm.web"), w.e.Machines()[0]
	w.edit("firstboot.sh", "nginx", "caddy")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
	w.expectID("cloudserver_vm.web", id)
	if after := w.e.Machines()[0]; after.Images != before.Images+1 || after.FirstbootScriptSHA256 == before.FirstbootScriptSHA256 {
		w.Errorf("before %+v\nafter %+v", before, after)
	}
}

func isLarge(w *workspace) { w.set("size", "large") }

func mocksTheProvider(w *workspace) {
	w.e.ResetJournal()
	if output := w.run("test"); !strings.Contains(output, "2 passed, 0 failed") {
		w.Errorf("the tests: %s", output)
	}
	if requests := w.e.Journal(); len(requests) > 0 {
		w.Errorf("a mocked provider calls the service: %+v", requests)
	}
}

func hasAPublicKey(w *workspace) { w.set("ssh_public_key", "ssh-ed25519 AAAA") }

func keepsNoPassword(w *workspace) {
	if machine := w.e.Machines()[0]; machine.RootPasswordSHA256 == "" || machine.SSHPublicKey == "" {
		w.Errorf("the machine has no password or no key: %+v", machine)
	}
	state := strings.ReplaceAll(w.run("state", "pull"), " ", "") // OpenTofu prints it in one line
	if strings.Contains(state, `"result"`) || !strings.Contains(state, `"root_password":null`) {
		w.Errorf("the state: %s", state)
	}
}

// Only the machine whose image was changed is reimaged.
func reimagesOneByOne(w *workspace) {
	w.edit("main.tf", `web2 = "2026-11"`, `web2 = "2026-12"`)
	w.e.ResetJournal()
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "0 added, 1 changed, 0 destroyed") {
		w.Errorf("not one machine is changed: %s", output)
	}
	reimages := 0
	for _, call := range w.e.Calls() {
		if strings.HasSuffix(call, "/reimage") {
			reimages++
		}
	}
	if reimages != 1 {
		w.Errorf("want one reimage, got %q", w.e.Calls())
	}
	w.expectNoChange()
}

func hasASecondAccount(w *workspace) {
	w.e.AddAccount("backup", false)
	w.e.AddGroup("backup", emulator.DefaultGroup, false)
}

func hasAMachineInEachZone(w *workspace) {
	if output := w.run("output"); !strings.Contains(output, `"york"`) || !strings.Contains(output, `"manchester"`) {
		w.Errorf("a zone is missing: %s", output)
	}
}

func (w *workspace) change(id int64, f func(*emulator.Machine)) {
	w.Helper()
	if err := w.e.Change(id, f); err != nil {
		w.Fatal(err)
	}
}
