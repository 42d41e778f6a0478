package examples_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// runSnippets executes the blocks of configuration that are no file of an example.
func runSnippets(t *testing.T, c *cli) {
	runREADME(newWorkspace(t, c, acctest.StartEmulator(t, emulator.Options{}), "provider"))
}

const rootPasswordVariable = "variable \"root_password\" {\n  ephemeral = true\n}\n"

// runREADME builds the mirror that the README tells to build, installs from it, and applies the quick start and what it shows.
func runREADME(w *workspace) {
	w.cli.book.block(w.T, "README.md", "make emulator #") // it stays in the first terminal; here the emulator is in process
	try := w.cli.book.block(w.T, "README.md", "eval ")
	w.env = append(w.env, "MAKEFLAGS=", "TF_CLI_ARGS_apply=-auto-approve", "CDPATH=")
	root, err := filepath.Abs("..")
	if err != nil {
		w.Fatal(err)
	}
	quickStart := w.T.TempDir()
	copyExample(w.T, "quickstart", quickStart)
	script := "cd " + root + "\n" + strings.Replace(strings.ReplaceAll(try, "examples/quickstart", quickStart), "\ncd ", "\nCLOUDSERVER_ENDPOINT="+w.e.URL+"\ncd ", 1)
	if output, err := w.try("sh", "-ec", script); err != nil || !strings.Contains(output, "Apply complete!") {
		w.Fatalf("%s\n%v\n%s", script, err, output)
	}
	if output, err := w.try("sh", "-ec", "cd "+quickStart+"; terraform destroy -auto-approve"); err != nil {
		w.Fatalf("%v\n%s", err, output)
	}

	write(w.T, w.dir, "machine.tf", w.cli.book.block(w.T, "README.md", `resource "cloudserver_vm" "web"`)+rootPasswordVariable)
	w.run("init")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
}
