package examples_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every page is at most two clicks away from the index, and each guide but the first is in a group of the registry's
// menu.
func TestEveryPageIsReachable(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for name, page := range prose(t) {
		texts[filepath.ToSlash(name)] = page
	}
	near := []string{"index.md"}
	for range 2 {
		for _, from := range slices.Clone(near) {
			for _, l := range link.FindAllStringSubmatch(texts[from], -1) {
				to := strings.TrimPrefix(leadsTo(t, "docs/"+from, l[1]), "docs/")
				if texts[to] != "" && !slices.Contains(near, to) {
					near = append(near, to)
				}
			}
		}
	}
	for name, page := range texts {
		if !slices.Contains(near, name) {
			t.Errorf("%s is more than two clicks away from the index", name)
		}
		if strings.HasPrefix(name, "guides/") && name != "guides/quick-start.md" && strings.Contains(page, "\nsubcategory: \"\"\n") {
			t.Errorf("%s is in no group", name)
		}
	}
}

var (
	frontMatter = regexp.MustCompile(`(?s)\A---\n.*?\n---\n`)
	linked      = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	// A paragraph is what stands between empty lines, a heading, an entry of a list or a cell of a table.
	paragraphEnd = regexp.MustCompile(`\n\s*\n|\n\s*(?:[-*>]|\d+\.|#+|->)\s|\|`)
	sentenceEnd  = regexp.MustCompile(`[.!?:;](?:\s|$)`)
	described    = regexp.MustCompile("^\\s*(?:- )?`(\\w+)` \\([^)]*\\) ") // as the generator writes an attribute
	notAWord     = regexp.MustCompile(`[^\pL\pN]+`)
)

// No sentence of eight words or more stands on two pages: a subject has one place, and the others link it. The
// description of an attribute may stand on each page whose schema has that attribute, because one is derived from the
// other.
func TestNoSentenceStandsTwice(t *testing.T) {
	t.Parallel()
	type place struct{ page, attribute string }
	found := map[string][]place{}
	for name, page := range pages(t) {
		for sentence, attribute := range sentences(page) {
			found[sentence] = append(found[sentence], place{filepath.ToSlash(name), attribute})
		}
	}
	for sentence, on := range found {
		if derived := on[0].attribute; len(on) > 1 && (derived == "" || slices.ContainsFunc(on, func(p place) bool { return p.attribute != derived })) {
			t.Errorf("%v: %s", on, sentence)
		}
	}
}

// sentences returns the words of each sentence with at least eight of a page, and the attribute that it describes, if
// any.
func sentences(page string) map[string]string {
	page = linked.ReplaceAllString(codeBlock.ReplaceAllString(frontMatter.ReplaceAllString(page, ""), "\n\n"), "$1")
	long := map[string]string{}
	for _, paragraph := range paragraphEnd.Split(page, -1) {
		attribute := ""
		if description := described.FindStringSubmatch(paragraph); description != nil {
			attribute, paragraph = description[1], strings.TrimPrefix(paragraph, description[0])
		}
		for _, text := range sentenceEnd.Split(paragraph, -1) {
			if words := strings.Fields(notAWord.ReplaceAllString(strings.ToLower(text), " ")); len(words) >= 8 {
				long[strings.Join(words, " ")] = attribute
			}
		}
	}
	return long
}
