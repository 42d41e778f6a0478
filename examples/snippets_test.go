package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// runSnippets executes the blocks of configuration that are no file of an example.
func runSnippets(t *testing.T, c *cli) {
	c.book.block(t, "docs/functions/megabytes.md", "megabytes(size") // which is generated from the function
	runREADME(newWorkspace(t, c, acctest.StartEmulator(t, emulator.Options{}), "provider"))
	for _, provider := range []string{"boot-time=0s", "emulator:world.json?fault="} {
		runEmulated(newWorkspace(t, c, &acctest.Emulator{}, "provider"), c.book.block(t, "docs/guides/emulator.md", provider))
	}
}

// runEmulated applies a machine with a provider block that emulates the service.
func runEmulated(w *workspace, provider string) {
	write(w.T, w.dir, "provider.tf", "terraform {\n  required_providers {\n    cloudserver = {\n      source = \"cloudserver/cloudserver\"\n    }\n  }\n}\n\n"+provider)
	write(w.T, w.dir, "machine.tf", "resource \"cloudserver_vm\" \"web\" {\n  name = \"web1\"\n\n  disc {\n    label = \"vda\"\n    size  = 25600\n  }\n}\n")
	w.run("init")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
}

// runREADME builds the mirror of the README, installs from it, and applies the quick start and the README's
// configuration.
func runREADME(w *workspace) {
	try := w.cli.book.block(w.T, "README.md", "eval ")
	w.env = append(w.env, "MAKEFLAGS=", "TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve", "CDPATH=")
	root, err := filepath.Abs("..")
	if err != nil {
		w.Fatal(err)
	}
	quickStart := w.T.TempDir()
	copyExample(w.T, "quickstart", quickStart)
	script := "cd " + root + "\n" + strings.ReplaceAll(try, "examples/quickstart", quickStart)
	if output, err := w.try("sh", "-ec", script); err != nil || !strings.Contains(output, "Destroy complete! Resources: 1 destroyed.") {
		w.Fatalf("%s\n%v\n%s", script, err, output)
	}

	commands := w.cli.book.block(w.T, "README.md", "make demo")
	dry, err := w.try("sh", "-ec", "cd "+root+"\nexport MAKEFLAGS=n\n"+commands) // .ci/run runs them
	if err != nil || !strings.Contains(dry, "demo.sh") || !strings.Contains(dry, "gotestsum") || strings.Index(dry, "cli.sh") > strings.Index(dry, "go build") {
		w.Errorf("%s: %v, or a CLI is not the first thing that they look for:\n%s", commands, err, dry)
	}

	w.dir = w.TempDir() // a folder of its own
	write(w.T, w.dir, "main.tf", w.cli.book.block(w.T, "README.md", `resource "cloudserver_vm" "web"`))
	w.run("init")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
}

var mapped = regexp.MustCompile(`(?m)^( *)((?:[\w-]+/ )*[\w.-]+/?)(?:  | →|$)`)

// compareMaps compares the map of DESIGN.md with the code.
func compareMaps(t *testing.T, c *cli) {
	folders := []string{".."}
	shown := map[string]bool{}
	for _, line := range mapped.FindAllStringSubmatch(c.book.block(t, "DESIGN.md", "main.go  "), -1) {
		depth := len(line[1]) / 2
		if depth >= len(folders) {
			continue // the second line of a description
		}
		for _, name := range strings.Fields(line[2]) {
			path := filepath.Join(folders[depth], name)
			if _, err := os.Stat(path); err != nil {
				t.Errorf("DESIGN.md shows %s, which does not exist", name)
			}
			shown[path] = true
			folders = append(folders[:depth+1], path)
		}
	}
	packages, err := os.ReadDir("../internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if !shown[filepath.Join("../internal", p.Name())] {
			t.Errorf("DESIGN.md does not show internal/%s", p.Name())
		}
	}
	c.book.block(t, "DESIGN.md", "main → provider") // which the linter enforces
}
