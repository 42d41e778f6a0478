package examples_test

import (
	"path/filepath"
	"strings"
)

// passesItsTests runs the tests of a module, which ask nothing of the service. Then the blocks moved of the page keep a machine
// under another key.
func passesItsTests(w *workspace) {
	w.e.ResetJournal()
	w.cli.book.executedFiles(w.T, filepath.Join(w.example, "tests"), ".hcl")
	if output := w.sh("docs/guides/modules.md", "terraform test"); !strings.Contains(output, "2 passed, 0 failed") {
		w.Errorf("the tests: %s", output)
	}
	if requests := w.e.Journal(); len(requests) > 0 {
		w.Errorf("a mocked provider calls the service: %+v", requests)
	}

	write(w.T, filepath.Join(w.dir, "tests"), "emulator.tftest.hcl", w.cli.book.block(w.T, "docs/guides/modules.md", `run "creates"`))
	write(w.T, w.dir, "seed.json", w.cli.book.block(w.T, "docs/guides/modules.md", `{"accounts"`))
	if output := w.run("test", "-filter=tests/emulator.tftest.hcl"); !strings.Contains(output, "1 passed, 0 failed") {
		w.Errorf("the test on the emulator: %s", output)
	}

	caller := newWorkspace(w.T, w.cli, w.e, "provider")
	copyExample(w.T, w.example, filepath.Join(caller.dir, "modules", "shop"))
	write(w.T, caller.dir, "main.tf", w.cli.book.block(w.T, "docs/guides/modules.md", `module "shop"`))
	caller.run("init")
	caller.run("plan")

	write(w.T, w.dir, "moved.tf", w.cli.book.block(w.T, "docs/guides/modules.md", "moved {"))
	w.edit("main.tf", "    app      = {", "    web      = {")
	if output := w.run("apply", "-auto-approve"); !strings.Contains(output, "0 added, 0 changed, 0 destroyed") {
		w.Errorf("another key: %s", output)
	}
}

// rollsOut reimages the three machines, with no more than one down at a time.
func rollsOut(w *workspace) {
	const page = "docs/guides/web-tier.md"
	w.env = append(w.env, "TF_CLI_ARGS_apply=-auto-approve")
	if output := w.sh(page, "terraform apply\n"); strings.Count(output, "127.77.") < 3 {
		w.Errorf("the backends: %s", output)
	}
	w.rollOut(page, "image=2026-12", 3, 0)
	w.set("image", "2026-12")
	w.expectNoChange()
}
