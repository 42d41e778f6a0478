package vm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocNamesEveryFile: doc.go of the larger packages lists all files, so that readers find things.
func TestDocNamesEveryFile(t *testing.T) {
	t.Parallel()
	for _, directory := range []string{
		".", "../adopt", "../backup", "../check", "../fleet", "../group", "../operation", "../presence", "../rdns", "../vmaction",
	} {
		text, err := os.ReadFile(filepath.Join(directory, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile(`\b[a-z_]+\.go\b`).FindAllString(string(text), -1)
		paths, err := filepath.Glob(filepath.Join(directory, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, path := range paths {
			if name := filepath.Base(path); name != "doc.go" && !strings.HasSuffix(name, "_test.go") {
				files = append(files, name)
			}
		}
		slices.Sort(named)
		if !slices.Equal(slices.Compact(named), files) {
			t.Errorf("%s/doc.go names\n%v\nand the package has\n%v", directory, named, files)
		}
	}
}
