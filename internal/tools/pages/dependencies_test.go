// Package pages_test checks statements about the code in pages of the root directory.
package pages_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// row matches a line of the table of dependencies.
var row = regexp.MustCompile("(?m)^\\| `([\\w.-]+\\.[\\w.-]+/[^`]+)` \\| (.*?) \\|")

// TestEachDependencyHasAReason compares the table in CONTRIBUTING.md with go.mod.
func TestEachDependencyHasAReason(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, found := range row.FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, found[1])
		if len(strings.Fields(found[2])) < 3 {
			t.Errorf("%s has no reason", found[1])
		}
	}
	required := requirements(t)
	for _, module := range required {
		if !slices.Contains(listed, module) {
			t.Errorf("CONTRIBUTING.md has no reason for %s", module)
		}
	}
	for _, module := range listed {
		if !slices.Contains(required, module) {
			t.Errorf("CONTRIBUTING.md lists %s, which go.mod does not require", module)
		}
	}
}

// direct matches a line of go.mod for a direct requirement.
var direct = regexp.MustCompile(`(?m)^(?:require )?\t?([\w.-]+\.[\w.-]+/\S+) v\S+$`)

// requirements returns the direct requirements of go.mod.
func requirements(t *testing.T) (modules []string) {
	t.Helper()
	file, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range direct.FindAllStringSubmatch(string(file), -1) {
		modules = append(modules, found[1])
	}
	if len(modules) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	return modules
}
