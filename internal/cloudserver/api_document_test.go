package cloudserver_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	apiSection = regexp.MustCompile(`(?m)^## (\d+) \S`)
	apiClause  = regexp.MustCompile(`^(\d+\.\d+) `)
	standing   = regexp.MustCompile(`\*\((specified|reference|assumed)\b[^)]*\)\*`)
	// A reference may be wrapped: API.md at the end of a line, §3 on the next.
	apiReference = regexp.MustCompile(`API\.md[\s/]*((?:,? ?(?:and |to )?§\d+(?:\.\d+)?)+)`)
	apiNumber    = regexp.MustCompile(`§(\d+(?:\.\d+)?)`)
	elsewhere    = regexp.MustCompile(`(?:^|[^-\w])(?:api\.md|service\.md|design\.md|design: ?section|design section)\b`)
)

// TestAPIDocument: clauses are numbered and each has a standing, references in the code name existing clauses, and no
// comment names a document that is not in the repository.
func TestAPIDocument(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	known, references := map[string]bool{}, 0
	for i, section := range apiSection.FindAllStringSubmatch(string(document), -1) {
		if known[section[1]] = true; section[1] != strconv.Itoa(i+1) {
			t.Errorf("section %s is number %d", section[1], i+1)
		}
	}
	for paragraph := range strings.SplitSeq(string(document), "\n\n") {
		clause := apiClause.FindStringSubmatch(paragraph)
		if clause == nil {
			continue
		}
		if known[clause[1]] = true; !standing.MatchString(paragraph) {
			t.Errorf("clause %s has no standing", clause[1])
		}
	}
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "build" || strings.HasPrefix(entry.Name(), ".") && path != root):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || entry.Name() == "api_document_test.go":
			return nil
		}
		code, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(strings.ReplaceAll(string(code), "\n// ", " "), "\n\t// ", " ")
		for _, found := range apiReference.FindAllStringSubmatch(text, -1) {
			for _, number := range apiNumber.FindAllStringSubmatch(found[1], -1) {
				if references++; !known[number[1]] {
					t.Errorf("%s refers to API.md §%s, which does not exist", path, number[1])
				}
			}
		}
		for _, found := range elsewhere.FindAllString(text, -1) {
			t.Errorf("%s refers to %q, which is not in the repository", path, found)
		}
		return nil
	})
	if err != nil || len(known) < 50 || references < 50 {
		t.Errorf("%v; %d clauses and %d references were found", err, len(known), references)
	}
}
