// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// envCLI is the variable of terraform-plugin-testing that names the CLI.
const envCLI = "TF_ACC_TERRAFORM_PATH"

// CLI returns the absolute path of the Terraform or OpenTofu that Main found.
func CLI() string { return os.Getenv(envCLI) }

// Main is the TestMain of every package that tests through the CLI:
//
//	func TestMain(m *testing.M) { acctest.Main(m) }
//
// It removes a developer's own settings from the environment, writes an empty configuration for the CLI, and finds the
// CLI. Without one it fails: a test that is skipped for want of a CLI would be believed to have passed.
func Main(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) (code int) {
	clean, err := Prepare()
	if err == nil {
		code = m.Run()
	}
	if err = errors.Join(err, clean()); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "acctest:", err) // there is nowhere else to say it
		return 1
	}
	return code
}

// Prepare does what Main does before the tests, for a package that has a TestMain of its own. Variables whose names begin
// with one of the prefixes stay. The function that it returns removes what Prepare created.
func Prepare(keep ...string) (clean func() error, err error) {
	clean = func() error { return nil }
	cli, openTofu, err := findCLI()
	if err != nil {
		return clean, err
	}
	dir, err := os.MkdirTemp("", "acctest")
	if err != nil {
		return clean, err
	}
	clean = func() error { return os.RemoveAll(dir) }
	configFile := filepath.Join(dir, "cli.tfrc")
	if err := os.WriteFile(configFile, []byte("disable_checkpoint = true\n"), 0o600); err != nil {
		return clean, err
	}
	if err := removeVariables(keep); err != nil {
		return clean, err
	}
	wanted := map[string]string{"CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": configFile, envCLI: cli}
	if openTofu { // where a provider has to be placed for OpenTofu to take it for its own
		wanted["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
		wanted["TF_ACC_PROVIDER_NAMESPACE"] = "hashicorp"
	}
	for name, value := range wanted {
		err = errors.Join(err, os.Setenv(name, value))
	}
	return clean, err
}

// removeVariables removes a developer's own variables of the provider and of the CLI, which would change what tests do.
// Those that only help to see what happens stay.
func removeVariables(keep []string) error {
	keep = append(slices.Clone(keep), "TF_ACC_LOG", "TF_ACC_PERSIST_WORKING_DIR", "TF_ACC_TEMP_DIR")
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		isOwn := strings.HasPrefix(name, "CLOUDSERVER_") || strings.HasPrefix(name, "TF_")
		if !isOwn || slices.ContainsFunc(keep, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	return nil
}

// findCLI returns the absolute path of $TERRAFORM, or else of terraform or tofu on PATH, and whether it is OpenTofu.
func findCLI() (path string, openTofu bool, err error) {
	candidates := []string{"terraform", "tofu"}
	if chosen := os.Getenv("TERRAFORM"); chosen != "" {
		candidates = []string{chosen}
	}
	for _, name := range candidates {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return "", false, fmt.Errorf("there is no terraform or tofu: set TERRAFORM to one, or run make test: %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, path, "version")
	command.Env = []string{"CHECKPOINT_DISABLE=1", "HOME=" + os.TempDir(), "TF_CLI_CONFIG_FILE=" + os.DevNull}
	version, err := command.Output()
	if err != nil {
		return "", false, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	return path, strings.HasPrefix(string(version), "OpenTofu"), nil
}

// BuildProvider builds the provider of this repository, and returns the path of the program. All test packages have the
// same one, which is linked again only if the code has changed.
var BuildProvider = sync.OnceValues(func() (path string, err error) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(module)), "build", "test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "terraform-provider-cloudserver")
	build := exec.Command("go", "build", "-o", path, "github.com/cloudserver/terraform-provider-cloudserver")
	// In the same file system, the new program replaces one that is running.
	build.Env = append(os.Environ(), "GOTMPDIR="+dir)
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the provider: %w\n%s", err, output)
	}
	return path, nil
})
