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

// cli is the Terraform or OpenTofu at hand, configured to find the provider.
type cli struct {
	path, config string
	openTofu     bool
	minor        int // of its version 1.x
}

// newCLI builds the provider into a mirror of the registries, so that init finds it as it will find a release, and asks
// the CLI for its version.
func newCLI(t *testing.T) *cli {
	t.Helper()
	mirror := t.TempDir()
	binary := filepath.Join(mirror, "registry.terraform.io", "cloudserver", "cloudserver", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH, "terraform-provider-cloudserver_v0.0.1")
	output(t, "go", "build", "-o", binary, "github.com/cloudserver/terraform-provider-cloudserver")
	if err := os.Symlink("registry.terraform.io", filepath.Join(mirror, "registry.opentofu.org")); err != nil {
		t.Fatal(err)
	}
	write(t, mirror, "cli.tfrc", fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))

	c := &cli{path: acctest.CLI(), config: filepath.Join(mirror, "cli.tfrc")}
	version := output(t, c.path, "version")
	var name string
	if _, err := fmt.Sscanf(version, "%s v1.%d", &name, &c.minor); err != nil {
		t.Fatalf("the CLI's version, %q: %v", version, err)
	}
	c.openTofu = name == "OpenTofu"
	return c
}

// knows tells whether the CLI is the 1.x that a feature needs, or newer; 0 is a version that does not exist yet.
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
	output, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
	return string(output)
}
