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

// TestNamedTestsExist: tests that pages name exist.
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

// TestThreatsNameTheirFiles: the files in the third column of the tables of threats exist, and each row names one.
func TestThreatsNameTheirFiles(t *testing.T) {
	t.Parallel()
	const folder = "../../../internal/cloudserver/"
	page, err := os.ReadFile(folder + "THREATS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.ReplaceAll(line, "`|`", ""), "|")
		if len(cells) != 6 || strings.TrimSpace(cells[1]) == "Threat" || strings.HasPrefix(cells[1], "---") {
			continue
		}
		rows++
		files := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1)
		if len(files) == 0 || !named.MatchString(cells[4]) {
			t.Errorf("a row names no file or no test: %s", line)
		}
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(folder, file[1])); err != nil {
				t.Errorf("THREATS.md names %s, which does not exist", file[1])
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}
