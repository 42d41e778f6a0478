// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var promise = regexp.MustCompile("(?m)^\\|.*\\| `(never-[a-z-]+)` \\|$")

// TestPromises compares the promises of DESIGN.md, each with the story that shows it, with the stories of that kind.
func TestPromises(t *testing.T) {
	t.Parallel()
	var promised []string
	for _, found := range promise.FindAllStringSubmatch(readText(t, "../../DESIGN.md"), -1) {
		promised = append(promised, found[1])
	}
	slices.Sort(promised)
	files, err := filepath.Glob("testdata/stories/never-*.hcl")
	if err != nil {
		t.Fatal(err)
	}
	var stories []string
	for _, file := range files {
		stories = append(stories, strings.TrimSuffix(filepath.Base(file), ".hcl"))
	}
	if diff := cmp.Diff(promised, stories); diff != "" {
		t.Errorf("-the promises of DESIGN.md +the stories:\n%s", diff)
	}
}
