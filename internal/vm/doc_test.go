package vm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocNamesEveryFile: the file map of the package is how readers find things.
func TestDocNamesEveryFile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b[a-z_]+\.go\b`).FindAllString(string(text), -1)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") || name == "doc.go" })
	slices.Sort(named)
	if !slices.Equal(slices.Compact(named), files) {
		t.Errorf("doc.go names\n%v\nand the package has\n%v", named, files)
	}
}
