package examples_test

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

const adoptPage = "docs/guides/adopt.md"

// hasAnEstate loads the seed that the page links.
func hasAnEstate(w *workspace) {
	seed, err := os.ReadFile(filepath.Join(w.example, "seed.json"))
	if err == nil {
		err = w.e.Load(seed)
	}
	if err != nil {
		w.Fatal(err)
	}
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
}

// isAdopted follows the page: the whole estate, and one machine whose configuration the CLI writes. Nothing is sent all
// the while.
func isAdopted(w *workspace) {
	w.e.ResetJournal()
	expect := func(in *workspace, block, want string) {
		w.Helper()
		if output := in.sh(adoptPage, block); !strings.Contains(output, want) {
			w.Fatalf("%q is missing:\n%s", want, output)
		}
	}
	expect(w, " adopt estate", "7 imported, 0 added, 0 changed, 0 destroyed")
	estate := *w
	estate.dir = filepath.Join(w.dir, "estate")
	estate.expectNoChange()
	file, err := os.ReadFile(filepath.Join(estate.dir, "web.tf"))
	if shown := w.cli.book.block(w.T, adoptPage, `"web1_data"`); err != nil || !strings.Contains(string(file), shown) {
		w.Errorf("%v: what the page shows is not in\n%s", err, file)
	}

	w.run("state", "rm", "cloudserver_vm.web1")
	block, _, _ := strings.Cut(w.shown("main.tf"), "\n\n")
	write(w.T, w.dir, "main.tf", block)
	expect(w, "-generate-config-out", "1 to import, 0 to add, 0 to change, 0 to destroy")
	w.run("apply")
	w.expectNoChange()
	acctest.ExpectCalls(w.T, w.e)
}

// isPurged removes the machines that the first directory does not manage.
func isPurged(w *workspace) {
	for _, machine := range w.e.Machines() {
		w.e.Purge(machine.ID)
	}
}
