// Package pages_test checks what the pages at the root say about the code.
package pages_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// row is a line of the table of dependencies.
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

// requirements returns the direct requirements of go.mod.
func requirements(t *testing.T) []string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "../../../go.mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(output, &module); err != nil {
		t.Fatal(err)
	}
	var direct []string
	for _, requirement := range module.Require {
		if !requirement.Indirect {
			direct = append(direct, requirement.Path)
		}
	}
	if len(direct) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	return direct
}
