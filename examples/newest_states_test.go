// SPDX-License-Identifier: MPL-2.0

//go:build newest

package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestNewestStates: five products, each with a state of its own in a backend that locks, are applied and destroyed by the
// script of the page "In a team".
func TestNewestStates(t *testing.T) {
	t.Parallel()
	program, err := acctest.BuildProvider()
	if err != nil {
		t.Fatal(err)
	}
	dir, config := t.TempDir(), filepath.Join(t.TempDir(), "cli.tfrc")
	write(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror(t, program)))
	write(t, filepath.Join(dir, "states.sh"), read(t, "guides/team/states.sh"))
	for _, product := range []string{"blog", "mail", "mail-archive", "shop", "wiki"} {
		text := strings.ReplaceAll(read(t, "guides/team/shop/main.tf"), "shop", product)
		write(t, filepath.Join(dir, product, "main.tf"), text)
	}
	programs := t.TempDir()
	if err := os.Symlink(acctest.CLI(), filepath.Join(programs, "terraform")); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t, config), "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CLOUDSERVER_ENDPOINT=emulator:"+filepath.Join(dir, "world.json")+"?boot-time=0s")
	const forwards, backwards = "blog mail mail-archive shop wiki", "wiki shop mail-archive mail blog"
	for _, step := range []struct{ command, want, order string }{
		{"apply -auto-approve", "2 added", forwards},
		{"plan -detailed-exitcode", "No changes.", forwards},
		{"destroy -auto-approve", "2 destroyed", backwards},
	} {
		printed := run(t, dir, env, "sh", append([]string{"states.sh"}, strings.Fields(step.command)...)...)
		if found := strings.Count(printed, step.want); found != 5 {
			t.Errorf("%s: %q %d times\n%s", step.command, step.want, found, printed)
		}
		var order []string
		for _, line := range strings.Split(printed, "\n") {
			if product, isOne := strings.CutPrefix(line, "== "); isOne {
				order = append(order, product)
			}
		}
		if got := strings.Join(order, " "); got != step.order {
			t.Errorf("%s: in the order %s, want %s", step.command, got, step.order)
		}
	}
}
