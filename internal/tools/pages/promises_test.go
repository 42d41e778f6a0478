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
	named    = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`")
	declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w+)\(`)
)

// TestNamedTestsExist checks that the tests which SECURITY.md names exist.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	err := filepath.WalkDir("../../../internal", func(path string, _ fs.DirEntry, err error) error {
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
	page, err := os.ReadFile("../../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	promises := named.FindAllStringSubmatch(string(page), -1)
	if len(promises) == 0 {
		t.Fatal("SECURITY.md names no test")
	}
	for _, promise := range promises {
		if !tests[promise[1]] {
			t.Errorf("SECURITY.md names %s, which does not exist", promise[1])
		}
	}
}
