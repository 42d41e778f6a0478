package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// cli is the installed Terraform or OpenTofu, configured to find the provider.
type cli struct {
	path, config string
	mirror       string // of the registries, which the configuration names
	provider     string // the program
	programs     string // a folder with both, under the names that the pages use
	openTofu     bool
	minor        int // of its version 1.x
	book         *book
}

// localVersion is the version under which init finds the provider. The examples accept it, and no release has it.
const localVersion = "1.99.0"

// newCLI asks the CLI for its version, and builds the provider into a mirror of its registry, so that init finds it
// like a release.
func newCLI(t *testing.T) *cli {
	t.Helper()
	c := &cli{path: acctest.CLI(), book: openBook(t)}
	version := output(t, c.path, "version")
	var name string
	if _, err := fmt.Sscanf(version, "%s v1.%d", &name, &c.minor); err != nil {
		t.Fatalf("the CLI's version, %q: %v", version, err)
	}
	registry := "registry.terraform.io"
	if c.openTofu = name == "OpenTofu"; c.openTofu {
		registry = "registry.opentofu.org"
	}

	mirror := t.TempDir()
	platform := runtime.GOOS + "_" + runtime.GOARCH
	binary := filepath.Join(mirror, registry, "cloudserver", "cloudserver", localVersion, platform, "terraform-provider-cloudserver_v"+localVersion)
	output(t, "go", "build", "-o", binary, "github.com/cloudserver/terraform-provider-cloudserver")
	write(t, mirror, "cli.tfrc", fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))
	c.config, c.mirror, c.provider = filepath.Join(mirror, "cli.tfrc"), mirror, binary
	c.programs = t.TempDir()
	for name, program := range map[string]string{"terraform": c.path, "terraform-provider-cloudserver": c.provider} {
		if err := os.Symlink(program, filepath.Join(c.programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// knows reports whether the CLI has the minor version that a feature needs, or a newer one; 0 stands for a version that
// does not exist yet.
func (c *cli) knows(terraform, openTofu int) bool {
	needs := terraform
	if c.openTofu {
		needs = openTofu
	}
	return needs != 0 && c.minor >= needs
}

// output runs a program, which must succeed.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	command := exec.CommandContext(t.Context(), name, args...)
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, output, stderr.String())
	}
	return string(output)
}
