// SPDX-License-Identifier: MPL-2.0

// Package examples_test checks what the pages show. Every example and every block of configuration on a page is evaluated
// in process and driven through the provider on an emulator; ten examples and the quick start go through the CLI.
package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// read returns the content of a file.
func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// filesBelow returns the files below a folder with one of the endings. What a run of the CLI left there is not of them.
func filesBelow(t *testing.T, folder string, endings ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if isHidden := strings.HasPrefix(entry.Name(), ".") && path != folder; err == nil && isHidden {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		for _, ending := range endings {
			if err == nil && strings.HasSuffix(path, ending) {
				found = append(found, filepath.ToSlash(path))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// pages returns the pages in docs/ and those at the root of the repository, by their path from there.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range filesBelow(t, "../docs", ".md") {
		found[strings.TrimPrefix(path, "../")] = read(t, path)
	}
	atRoot, err := filepath.Glob("../*.md")
	if err != nil || len(atRoot) == 0 || len(found) == 0 {
		t.Fatalf("there are no pages: %v", err)
	}
	for _, path := range atRoot {
		found[filepath.Base(path)] = read(t, path)
	}
	return found
}

// TestFilesBelow: what a CLI leaves in a folder is not part of the example.
func TestFilesBelow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"main.tf", "tests/a.tftest.hcl", ".terraform.lock.hcl", ".terraform/modules/x/main.tf"} {
		write(t, filepath.Join(dir, name), "")
	}
	want := []string{filepath.ToSlash(filepath.Join(dir, "main.tf")), filepath.ToSlash(filepath.Join(dir, "tests/a.tftest.hcl"))}
	if found := filesBelow(t, dir, ".tf", ".hcl"); !slices.Equal(found, want) {
		t.Errorf("found %v", found)
	}
}
