package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// hasAnEstate adds a group with two machines, a backup schedule and a reverse name.
func hasAnEstate(w *workspace) {
	w.e.AddGroup(emulator.DemoAccount, "web", false)
	for _, name := range []string{"web1", "web2"} {
		w.e.AddMachine(emulator.DemoAccount, "web", emulator.Machine{
			Name: name, PowerOn: name == "web1", LastImagedWith: "bookworm",
			Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}, {Label: "data", Size: 51200, StorageGrade: "archive"}},
		})
	}
	d := w.e.NewDriver(w.T, nil)
	machine, diags := d.Import(w.Context(), "cloudserver_vm", "demo/web/web1")
	if acctest.HasErrors(diags) {
		w.Fatal(acctest.DiagText(diags))
	}
	d.MustApply(w.Context(), "cloudserver_rdns", nil, map[string]any{"address": machine.Get("ipv4_address"), "hostname": "www.example.com"})
	d.MustApply(w.Context(), "cloudserver_backup_schedule", nil, map[string]any{
		"virtual_machine_id": machine.Get("id"), "disc_id": machine.Get("disc.1.id"),
		"start_at": "2030-01-06 04:00:00", "interval_seconds": 604800,
	})
}

// isAdopted follows the page, twice: the second time the configuration is there and the state is not.
func isAdopted(w *workspace) {
	const page = "docs/guides/adopt.md"
	w.e.ResetJournal()
	inventory := filepath.Join(w.dir, "inventory")
	copyExample(w.T, w.example, inventory)
	if err := os.Remove(filepath.Join(w.dir, "inventory.tf")); err != nil {
		w.Fatal(err)
	}
	expect := func(block, want string) {
		w.Helper()
		if output := w.sh(page, block); !strings.Contains(output, want) {
			w.Fatalf("%q is missing:\n%s", want, output)
		}
	}
	expect("-generate-config-out", "7 to import, 0 to add, 0 to change, 0 to destroy")
	expect("terraform apply import.tfplan", "7 imported, 0 added, 0 changed, 0 destroyed")
	expect("sed -f references.sed", "0 to add, 2 to change, 0 to destroy")
	w.run("apply", "-auto-approve")
	w.expectNoChange()

	if err := os.Remove(filepath.Join(w.dir, "terraform.tfstate")); err != nil {
		w.Fatal(err)
	}
	expect("sed '/provider", "7 to import, 0 to add, 2 to change, 0 to destroy")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
	acctest.ExpectCalls(w.T, w.e)

	estate, err := os.ReadFile(filepath.Join(w.dir, "estate.tf"))
	if err != nil {
		w.Fatal(err)
	}
	for _, reference := range []string{"cloudserver_group.web.id", "cloudserver_vm.web_web1.disc[1].id", "cloudserver_vm.web_web1.ipv4_address"} {
		if !strings.Contains(string(estate), reference) {
			w.Errorf("nothing refers to %s:\n%s", reference, estate)
		}
	}
	w.expectRefusal("deletion_protection is true", "destroy", "-auto-approve")
	write(w.T, w.dir, "estate.tf", regexp.MustCompile(`(deletion_protection *=) true`).ReplaceAllString(string(estate), "$1 false"))
	w.run("apply", "-auto-approve")
}
