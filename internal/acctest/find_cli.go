package acctest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// cli is a Terraform or OpenTofu.
type cli struct {
	path     string
	openTofu bool
}

// oldestMinor is the 1.x from which both know write-only attributes.
const oldestMinor = 11

var errNoCLI = errors.New("there is no terraform or tofu 1.11 or newer: set TERRAFORM to one, or run `make test`, which builds one")

// findCLI looks where `make test` looks, but builds nothing: $TERRAFORM, what
// make has chosen, terraform and tofu on PATH, the OpenTofu in build/tools.
func findCLI() (cli, error) {
	for _, name := range []string{"TERRAFORM", envCLI} {
		if path := os.Getenv(name); path != "" {
			found, err := examine(path)
			if err != nil {
				return cli{}, fmt.Errorf("%s=%s: %w", name, path, err)
			}
			return found, nil
		}
	}
	for _, candidate := range append([]string{"terraform", "tofu"}, builtCLIs()...) {
		if found, err := examine(candidate); err == nil {
			return found, nil
		}
	}
	return cli{}, errNoCLI
}

// builtCLIs are those in the build folder of the repository above the current
// directory, the newest first.
func builtCLIs() []string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	for filepath.Dir(dir) != dir {
		if built, err := filepath.Glob(filepath.Join(dir, "build", "tools", "opentofu-*")); err == nil && len(built) > 0 {
			slices.SortFunc(built, func(a, b string) int { return modified(b).Compare(modified(a)) })
			return built
		}
		dir = filepath.Dir(dir)
	}
	return nil
}

func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

var versionLine = regexp.MustCompile(`^(Terraform|OpenTofu) v1\.(\d+)`)

// examine asks a program for its version.
func examine(name string) (cli, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return cli{}, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return cli{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, path, "version")
	command.Env = []string{"CHECKPOINT_DISABLE=1", "HOME=" + os.TempDir(), "TF_CLI_CONFIG_FILE=" + os.DevNull}
	output, err := command.Output()
	if err != nil {
		return cli{}, fmt.Errorf("ask for its version: %w", err)
	}
	found := cli{path: path}
	found.openTofu, err = parseVersion(output)
	return found, err
}

// parseVersion reads what the version command prints.
func parseVersion(output []byte) (openTofu bool, err error) {
	parts := versionLine.FindSubmatch(output)
	if parts == nil {
		return false, errors.New("it is neither Terraform 1.x nor OpenTofu 1.x")
	}
	if minor, err := strconv.Atoi(string(parts[2])); err != nil || minor < oldestMinor {
		return false, fmt.Errorf("it is %s, older than 1.%d", parts[0], oldestMinor)
	}
	return string(parts[1]) == "OpenTofu", nil
}

// EachCLI runs a test with every Terraform and OpenTofu that is at hand: the
// one that Main found, terraform and tofu on PATH, and the newest OpenTofu in
// build/tools. There is always one, so the test is never skipped. It may not be
// parallel, because the CLI is chosen by the environment.
func EachCLI(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	for name, cli := range clisAtHand() {
		t.Run(name, func(t *testing.T) {
			host, namespace := "", ""
			if cli.openTofu {
				host, namespace = tofuHost, tofuNamespace
			}
			t.Setenv(envCLI, cli.path)
			t.Setenv(envHost, host)
			t.Setenv(envNamespace, namespace)
			test(t)
		})
	}
}

// clisAtHand are the CLIs by the name of their program.
func clisAtHand() map[string]cli {
	candidates := []string{CLI(), os.Getenv("TERRAFORM"), "terraform", "tofu"}
	if built := builtCLIs(); len(built) > 0 {
		candidates = append(candidates, built[0])
	}
	found := map[string]cli{}
	for _, candidate := range candidates {
		if candidate == "" {
			continue
		}
		if cli, err := examine(candidate); err == nil {
			found[filepath.Base(cli.path)] = cli
		}
	}
	return found
}
