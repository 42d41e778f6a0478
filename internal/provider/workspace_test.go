package provider_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// workspace is a folder with a configuration, where the real CLI starts the
// real provider as a process of its own.
type workspace struct {
	dir      string
	env      []string
	provider string // the file that the CLI starts
}

// newWorkspace builds the provider and writes the configuration.
func newWorkspace(t *testing.T, config string) *workspace {
	t.Helper()
	plugins := t.TempDir()
	w := &workspace{dir: t.TempDir(), provider: filepath.Join(plugins, "terraform-provider-cloudserver")}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", w.provider, "github.com/cloudserver/terraform-provider-cloudserver")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	cliConfig := fmt.Sprintf(`disable_checkpoint = true
provider_installation {
  dev_overrides {
    "registry.terraform.io/cloudserver/cloudserver" = %[1]q
    "registry.opentofu.org/cloudserver/cloudserver" = %[1]q
  }
  direct {}
}
`, plugins)
	w.write(t, "cli.tfrc", cliConfig)
	w.write(t, "main.tf", "terraform {\n  required_providers {\n    cloudserver = { source = \"cloudserver/cloudserver\" }\n  }\n}\n"+config)
	w.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(w.dir, "cli.tfrc"), "TF_IN_AUTOMATION=1", "TF_INPUT=0")
	return w
}

func (w *workspace) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w *workspace) read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// run runs the CLI, which must succeed, and answers all that it prints.
func (w *workspace) run(t *testing.T, env []string, args ...string) (stdout, stderr string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), acctest.CLI(), args...)
	command.Dir, command.Env = w.dir, append(append([]string{}, w.env...), env...)
	var out, log strings.Builder
	command.Stdout, command.Stderr = &out, &log
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", strings.Join(args, " "), err, out.String(), log.String())
	}
	return out.String(), log.String()
}

// TestValidateNeedsNothing: no endpoint, no credentials, no service.
func TestValidateNeedsNothing(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
variable "token" {
  default = null
}
provider "cloudserver" {
  token    = var.token
  username = var.token
}
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}
data "cloudserver_definitions" "all" {}
`)
	if stdout, _ := w.run(t, nil, "validate", "-no-color"); !strings.Contains(stdout, "The configuration is valid") {
		t.Errorf("validate says\n%s", stdout)
	}
}
