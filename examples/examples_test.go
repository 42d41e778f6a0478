// Package examples_test executes every example of the documentation through the real CLI with the emulator, and checks
// the pages against the provider.
package examples_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// runExamples takes every directory with a configuration through its life: it is applied, planned without a change,
// imported in each way that it shows, and destroyed. After that the emulator must have no machine.
func runExamples(t *testing.T, c *cli) {
	var executed atomic.Int32
	dirs := exampleDirs(t)
	t.Cleanup(func() {
		if int(executed.Load()) != len(dirs) {
			c.book.partial.Store(true)
		}
	})
	for _, dir := range dirs {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			e := acctest.StartEmulator(t, emulator.Options{Guests: stories[dir].guests || recipes[dir].guests, GuestBoot: 50 * time.Millisecond})
			k := kindOf(dir)
			byCLI := c.knows(k.terraform, k.openTofu)
			switch {
			case byCLI && k.run != nil:
				k.run(newWorkspace(t, c, e, dir))
			case !byCLI && k.drive != nil:
				k.drive(t, c, e, dir)
			default:
				t.Fatalf("nothing says how the example of a %s is executed with this CLI: see kinds", k.name)
			}
			executed.Add(1)
			c.book.executedFiles(t, dir, ".tf", ".tfquery.hcl")
			if left := e.Machines(); len(left) > 0 {
				t.Errorf("machines left: %+v", left)
			}
		})
	}
}

// live takes a configuration through its life.
func live(w *workspace) {
	story, ok := stories[w.example]
	if !ok {
		story = recipes[w.example]
	}
	if story.before != nil {
		story.before(w)
	}
	w.run("init", "-input=false")
	w.run("apply", "-auto-approve")
	w.expectNoChange()
	w.importEachWay()
	if story.then != nil {
		story.then(w)
	}
	w.run("destroy", "-auto-approve")
	if story.after != nil {
		story.after(w)
	}
}

// exampleDirs returns the directories with a configuration or a query, except the modules of tests.
func exampleDirs(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, path := range files(t, ".") {
		dir := filepath.ToSlash(filepath.Dir(path))
		configuration := strings.HasSuffix(path, ".tf") || strings.HasSuffix(path, ".tfquery.hcl")
		if configuration && !strings.Contains(dir+"/", "/tests/") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		t.Fatal("there is no example")
	}
	return dirs
}
