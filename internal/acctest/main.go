package acctest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// envCLI is the variable of terraform-plugin-testing that names the CLI.
const envCLI = "TF_ACC_TERRAFORM_PATH"

// Main is the TestMain of every package that tests through the CLI:
//
//	func TestMain(m *testing.M) { acctest.Main(m) }
//
// It removes a developer's own settings from the environment, writes an empty
// configuration for the CLI, and finds the CLI. Without one it fails: a test that is
// skipped for want of a CLI would be believed to have passed.
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

// Prepare does what Main does before the tests, for a package that has a
// TestMain of its own. Variables whose names begin with one of the prefixes
// stay. The function that it returns removes what Prepare created.
func Prepare(keep ...string) (clean func() error, err error) {
	clean = func() error { return nil }
	cli, err := findCLI()
	if err != nil {
		return clean, err
	}
	dir, err := os.MkdirTemp("", "acctest")
	if err != nil {
		return clean, err
	}
	clean = func() error { return os.RemoveAll(dir) }
	return clean, setEnvironment(cli, filepath.Join(dir, "cli.tfrc"), keep)
}

// CLI is the absolute path of the Terraform or OpenTofu that Main found, for
// tests that run it themselves.
func CLI() string { return os.Getenv(envCLI) }

// setEnvironment removes a developer's own variables, and sets those that the CLI
// and terraform-plugin-testing need.
func setEnvironment(cli cli, configFile string, keep []string) error {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !developers(name) ||
			slices.ContainsFunc(keep, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	if err := os.WriteFile(configFile, []byte("disable_checkpoint = true\n"), 0o600); err != nil {
		return err
	}
	wanted := map[string]string{
		"CHECKPOINT_DISABLE": "1",
		"TF_CLI_CONFIG_FILE": configFile,
		envCLI:               cli.path,
	}
	if cli.openTofu { // where a provider has to be placed for OpenTofu to take it for its own
		wanted["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
		wanted["TF_ACC_PROVIDER_NAMESPACE"] = "hashicorp"
	}
	for name, value := range wanted {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// developers reports whether a variable would change what a test does: all of
// the provider's and of the CLI's, but for those that only help to see.
func developers(name string) bool {
	harmless := []string{"TF_ACC_LOG", "TF_ACC_LOG_PATH", "TF_ACC_PERSIST_WORKING_DIR", "TF_ACC_TEMP_DIR"}
	return (strings.HasPrefix(name, "CLOUDSERVER_") || strings.HasPrefix(name, "TF_")) && !slices.Contains(harmless, name)
}
