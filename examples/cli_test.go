// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// throughTheCLI are the examples that are executed by the CLI as well, and what each shows that neither the driver nor an
// acceptance test can.
var throughTheCLI = map[string]string{
	"resources/cloudserver_vm":                   "a function of the provider",
	"resources/cloudserver_vm/private-addresses": "a block that replaces",
	"recipes":        "for_each, and outputs over all instances",
	"guides/adopt":   "an import block",
	"guides/modules": "dynamic blocks, optional attributes, and terraform test",
}

// Five examples are applied, planned without a change and destroyed, and the commands of the quick start do what it says.
func TestCLI(t *testing.T) {
	t.Parallel()
	program, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	overrides := filepath.Join(t.TempDir(), "cli.tfrc")
	write(t, overrides, fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"cloudserver/cloudserver\" = %q\n  }\n}\n", filepath.Dir(program)))
	for example := range throughTheCLI {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			dir, env := t.TempDir(), environment(t, overrides)
			copyExample(t, example, dir)
			if seeds := filesBelow(t, dir, "seed.json"); len(seeds) > 0 {
				env = append(env, "CLOUDSERVER_ENDPOINT=emulator:world.json?seed=seed.json")
			}
			if len(filesBelow(t, dir, ".tftest.hcl")) > 0 {
				if err := os.Mkdir(filepath.Join(dir, ".terraform"), 0o755); err != nil { // as init does
					t.Fatal(err)
				}
				run(t, dir, env, acctest.CLI(), "test")
			}
			run(t, dir, env, acctest.CLI(), "apply", "-auto-approve")
			run(t, dir, env, acctest.CLI(), "plan", "-detailed-exitcode")
			run(t, dir, env, acctest.CLI(), "destroy", "-auto-approve")
		})
	}
	t.Run("quick start", func(t *testing.T) {
		t.Parallel()
		quickStart(t, program)
	})
}

var shellBlock = regexp.MustCompile("(?ms)^```shell\n(.*?)^```")

// quickStart runs the commands of the page, with a provider that init finds in a mirror of the registries. It leaves out
// the one that serves the emulator until it is interrupted.
func quickStart(t *testing.T, program string) {
	t.Helper()
	dir, programs, config := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "cli.tfrc")
	write(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror(t, program)))
	if err := os.Symlink(acctest.CLI(), filepath.Join(programs, "terraform")); err != nil {
		t.Fatal(err)
	}
	copyExample(t, "quickstart", dir)
	var script strings.Builder
	for _, found := range shellBlock.FindAllStringSubmatch(read(t, "../docs/guides/quick-start.md"), -1) {
		if !strings.Contains(found[1], " emulator 127.0.0.1") {
			script.WriteString(found[1])
		}
	}
	env := append(environment(t, config), "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"),
		"TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve")
	printed := run(t, dir, env, "sh", "-c", script.String())
	for _, want := range []string{"Apply complete! Resources: 1 added", "\n0\n", "No changes.", "Destroy complete! Resources: 1 destroyed."} {
		if !strings.Contains(printed, want) {
			t.Errorf("the quick start does not print %q:\n%s", want, printed)
		}
	}
}

// mirror lays the program out as a mirror of both registries, under a version that the examples accept.
func mirror(t *testing.T, program string) (dir string) {
	t.Helper()
	const version = "1.99.0"
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		at := filepath.Join(dir, registry, "cloudserver", "cloudserver", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "terraform-provider-cloudserver_v"+version), content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// environment is that of a user with a key, on the emulator in the provider.
func environment(t *testing.T, cliConfig string) []string {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, ".ssh", "id_ed25519.pub"), publicKey+"\n")
	return append(os.Environ(), "HOME="+home, "TF_CLI_CONFIG_FILE="+cliConfig, "TF_CLI_ARGS=-no-color", "TF_INPUT=0",
		"CLOUDSERVER_ENDPOINT=emulator:world.json?boot-time=0s", "CLOUDSERVER_ACCOUNT=demo", "TF_VAR_password=demo")
}

// copyExample copies the files of an example without the ways to import. One that names no provider gets the blocks that
// every configuration has.
func copyExample(t *testing.T, example, to string) {
	t.Helper()
	whole := false
	for _, name := range filesBelow(t, example, ".tf", ".hcl", ".json") {
		inside, err := filepath.Rel(example, name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(inside, ".") { // a lock file of somebody who has tried the example
			continue
		}
		if nested := path.Dir(filepath.ToSlash(inside)); nested != "." && nested != "tests" || strings.HasPrefix(inside, "import-by-") {
			continue
		}
		whole = whole || strings.Contains(read(t, name), "required_providers")
		write(t, filepath.Join(to, inside), read(t, name))
	}
	if !whole {
		write(t, filepath.Join(to, "provider.tf"), read(t, "provider/provider.tf"))
	}
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a program, which must succeed, and returns what it prints.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir, command.Env = dir, env
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
	return string(output)
}
