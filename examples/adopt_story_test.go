package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// hasAnEstate loads the seed that the page links.
func hasAnEstate(w *workspace) {
	seed, err := os.ReadFile(filepath.Join(w.example, "seed.json"))
	if err == nil {
		err = w.e.Load(seed)
	}
	if err != nil {
		w.Fatal(err)
	}
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
