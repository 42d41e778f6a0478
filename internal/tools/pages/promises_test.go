package pages_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	named    = regexp.MustCompile(`\b((?:Test|Fuzz)[A-Z]\w+)`)
	declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w+)\(`)
)

// TestNamedTestsExist checks that the tests which pages name exist.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if path == "../../../build" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, found := range declared.FindAllStringSubmatch(string(code), -1) {
			tests[found[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SECURITY.md", "DESIGN.md", "RELEASING.md", "internal/cloudserver/THREATS.md"} {
		page, err := os.ReadFile("../../../" + name)
		promises := named.FindAllStringSubmatch(string(page), -1)
		if err != nil || len(promises) == 0 {
			t.Errorf("%s names no test: %v", name, err)
		}
		for _, promise := range promises {
			if !tests[promise[1]] {
				t.Errorf("%s names %s, which does not exist", name, promise[1])
			}
		}
	}
}
