// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fileName  = regexp.MustCompile("`([\\w./*-]+\\.(?:go|md|tmpl|txt|sh|yml)|internal/[\\w./-]+)`")
	directory = regexp.MustCompile(`[\w.-]+/`)
)

// TestDesign: the files that DESIGN.md and CONTRIBUTING.md name exist, and the tree of DESIGN.md has every package. A name
// without a directory is that of a file at the root, or beside the one that was named before it.
func TestDesign(t *testing.T) {
	t.Parallel()
	const root = "../.."
	for _, document := range []string{"DESIGN.md", "CONTRIBUTING.md"} {
		beside := ""
		for _, found := range fileName.FindAllStringSubmatch(readText(t, filepath.Join(root, document)), -1) {
			name := found[1]
			if exists(t, root, name) {
				beside = filepath.Dir(name)
			} else if strings.Contains(name, "/") || !exists(t, root, beside, name) {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}

	_, tree, _ := strings.Cut(readText(t, filepath.Join(root, "DESIGN.md")), "```")
	tree, _, _ = strings.Cut(tree, "```")
	shown := map[string]bool{}
	for _, name := range directory.FindAllString(tree, -1) {
		shown[strings.TrimSuffix(name, "/")] = true
	}
	packages, err := os.ReadDir(filepath.Join(root, "internal"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range packages {
		if found.IsDir() && !shown[found.Name()] {
			t.Errorf("the tree of DESIGN.md does not have internal/%s", found.Name())
		}
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exists reports whether a file or a pattern of files exists.
func exists(t *testing.T, path ...string) bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}
