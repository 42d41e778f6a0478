package acctest

import (
	"os"
	"path/filepath"
	"testing"
)

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
