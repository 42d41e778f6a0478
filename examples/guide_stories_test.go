package examples_test

import (
	"path/filepath"
	"strings"
)

// passesItsTests runs the tests of a module, which ask nothing of the service. Then the block moved of the page keeps a machine under
// another key.
func passesItsTests(w *workspace) {
	w.e.ResetJournal()
	w.cli.book.executedFiles(w.T, filepath.Join(w.example, "tests"), ".hcl")
	if output := w.sh("docs/guides/modules.md", "terraform test"); !strings.Contains(output, "2 passed, 0 failed") {
		w.Errorf("the tests: %s", output)
	}
	if requests := w.e.Journal(); len(requests) > 0 {
		w.Errorf("a mocked provider calls the service: %+v", requests)
	}

	before := w.e.Machines()
	write(w.T, w.dir, "moved.tf", w.cli.book.block(w.T, "docs/guides/modules.md", "moved {"))
	w.edit("main.tf", "    app      = {", "    web      = {")
	w.run("apply", "-auto-approve")
	if after := w.e.Machines(); len(after) != 2 || after[0].ID != before[0].ID || after[1].ID != before[1].ID {
		w.Errorf("another key: %+v", after)
	}
}

// rollsOut reimages the three machines, with no more than one down at a time.
func rollsOut(w *workspace) {
	const page = "docs/guides/web-tier.md"
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
	if output := w.sh(page, "terraform output backends"); strings.Count(output, "127.77.") < 3 {
		w.Errorf("the backends: %s", output)
	}
	w.rollOut(page, "image=2026-12", 3)
	w.set("image", "2026-12")
	w.expectNoChange()
}
