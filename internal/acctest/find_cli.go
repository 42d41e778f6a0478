package acctest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// findCLI looks where `make test` looks, but builds nothing: $TERRAFORM, and
// terraform and tofu on PATH.
func findCLI() (cli, error) {
	if path := os.Getenv("TERRAFORM"); path != "" {
		found, err := examine(path)
		if err != nil {
			return cli{}, fmt.Errorf("TERRAFORM=%s: %w", path, err)
		}
		return found, nil
	}
	for _, candidate := range []string{"terraform", "tofu"} {
		if found, err := examine(candidate); err == nil {
			return found, nil
		}
	}
	return cli{}, errNoCLI
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
