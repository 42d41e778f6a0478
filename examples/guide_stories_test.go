package examples_test

import (
	"path/filepath"
	"strings"
)

// passesItsTests runs the tests of the module, which ask nothing of the service. A module is called twice. Then the
// blocks moved of the page keep a machine under another key.
func passesItsTests(w *workspace) {
	const page = "docs/guides/modules.md"
	w.e.ResetJournal()
	w.cli.book.executedFiles(w.T, filepath.Join(w.example, "tests"), ".hcl")
	if output := w.sh(page, "terraform init\nterraform test"); !strings.Contains(output, "4 passed, 0 failed") {
		w.Errorf("the tests: %s", output)
	}
	if requests := w.e.Journal(); len(requests) > 0 {
		w.Errorf("the tests call the service: %+v", requests)
	}

	write(w.T, w.dir, "moved.tf", w.cli.book.block(w.T, page, "moved {"))
	w.edit("main.tf", "    app      = {", "    web      = {")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "0 added, 0 changed, 0 destroyed") {
		w.Errorf("another key: %s", output)
	}
	w.run("destroy", "-auto-approve") // the names are the caller's from here on

	caller := newWorkspace(w.T, w.cli, w.e, "provider")
	copyExample(w.T, w.example, filepath.Join(caller.dir, "modules", "shop"))
	write(w.T, caller.dir, "main.tf", w.cli.book.block(w.T, page, `module "shop"`))
	caller.run("init")
	caller.run("apply", "-auto-approve")
	caller.run("destroy", "-auto-approve")
}
