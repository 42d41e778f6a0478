package cloudserver_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	apiSection = regexp.MustCompile(`(?m)^## (\d+) \S`)
	apiClause  = regexp.MustCompile(`(?m)^(\d+\.\d+) (.*)$`)
	standing   = regexp.MustCompile(`\*\((specified|reference|assumed)\b[^)]*\)\*`)
	// A reference may be wrapped: API.md at the end of a line, §3 in the next.
	apiReference = regexp.MustCompile(`API\.md[\s/]*((?:,? ?(?:and |to )?§\d+(?:\.\d+)?)+)`)
	apiNumber    = regexp.MustCompile(`§(\d+(?:\.\d+)?)`)
	elsewhere    = regexp.MustCompile(`(?:^|[^-\w])(?:api\.md|service\.md|design\.md|design: ?section|design section)\b`)
)

// TestAPIClauses checks that the clauses are numbered in order and that each has a standing.
func TestAPIClauses(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, section := range apiSection.FindAllStringSubmatch(string(document), -1) {
		if section[1] != string(rune('1'+i)) {
			t.Errorf("section %s is number %d", section[1], i+1)
		}
	}
	paragraphs := strings.Split(string(document), "\n\n")
	clauses := 0
	for _, paragraph := range paragraphs {
		clause := apiClause.FindStringSubmatch(paragraph)
		if clause == nil || !strings.HasPrefix(paragraph, clause[1]) {
			continue
		}
		clauses++
		if !standing.MatchString(paragraph) {
			t.Errorf("clause %s has no standing", clause[1])
		}
	}
	if clauses < 50 {
		t.Errorf("only %d clauses were found", clauses)
	}
}

// TestAPIReferences checks that every reference in the code names a clause of API.md, and that none names a document that is not in
// the repository.
func TestAPIReferences(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, numbered := range []*regexp.Regexp{apiSection, apiClause} {
		for _, found := range numbered.FindAllStringSubmatch(string(document), -1) {
			known[found[1]] = true
		}
	}
	references := 0
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "build" || strings.HasPrefix(entry.Name(), ".") && path != root && entry.Name() != ".."):
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
				references++
				if !known[number[1]] {
					t.Errorf("%s refers to API.md §%s, which does not exist", path, number[1])
				}
			}
		}
		for _, found := range elsewhere.FindAllString(text, -1) {
			t.Errorf("%s refers to %q, which is not in the repository", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if references < 100 {
		t.Errorf("only %d references were found", references)
	}
}
