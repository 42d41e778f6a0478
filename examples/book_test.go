package examples_test

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// book has the code blocks of all pages, and records which of them were executed.
type book struct {
	blocks []codeOnPage
	record record

	partial atomic.Bool // not every example was executed: -run selects some, or one has failed
	mu      sync.Mutex
	ran     map[string]bool // by text
}

// codeOnPage is a fenced block.
type codeOnPage struct{ page, language, text string }

var fence = regexp.MustCompile("(?m)^[ \t>]*(```|~~~)")

// TestPages executes every code block of every page as it is, with the provider built here and the emulator. If the
// installed CLI does not support a block, it is executed over the protocol. The test fails for a block that was not
// executed.
func TestPages(t *testing.T) {
	t.Parallel()
	c := newCLI(t)
	parts := map[string]func(*testing.T, *cli){
		"examples":        runExamples,
		"shell":           runShellBlocks,
		"snippets":        runSnippets,
		"without network": installWithoutNetwork,
		"CI":              runJobs,
		"many states":     runFleet,
		"policies":        showPolicies,
		"emulator":        runSeeds,
		"map of the code": compareMaps,
	}
	var whole atomic.Int32
	t.Cleanup(func() {
		if int(whole.Load()) == len(parts) && !c.book.partial.Load() {
			c.book.expectPrinted(t, !c.openTofu && c.minor == 11)
			c.book.expectExecuted(t)
		}
	})
	for name, run := range parts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {
				if !t.Failed() {
					whole.Add(1)
				}
			})
			run(t, c)
		})
	}
}

// openBook reads the pages of the registry and those at the root of the repository.
func openBook(t *testing.T) *book {
	t.Helper()
	b := &book{ran: map[string]bool{}}
	for name, page := range allPages(t) {
		found := fenced.FindAllStringSubmatch(page, -1)
		if len(fence.FindAllString(page, -1)) != 2*len(found) {
			t.Errorf("%s: a code block that no test would find: begin its fences at the start of a line, with three backticks", name)
		}
		for _, block := range found {
			if block[1] == "" && strings.HasPrefix(name, "docs/") {
				t.Errorf("%s: a code block names no language:\n%s", name, block[2])
			}
			b.blocks = append(b.blocks, codeOnPage{name, block[1], block[2]})
		}
	}
	slices.SortFunc(b.blocks, func(x, y codeOnPage) int {
		return cmp.Or(strings.Compare(x.page, y.page), strings.Compare(x.text, y.text))
	})
	return b
}

// executed marks the block with the text as executed, on any page.
func (b *book) executed(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran[strings.TrimSpace(text)] = true
}

// executedFiles marks the files of an example with one of the suffixes as executed.
func (b *book) executedFiles(t *testing.T, dir string, suffixes ...string) {
	t.Helper()
	for _, path := range files(t, dir) {
		if filepath.ToSlash(filepath.Dir(path)) == dir && slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) {
			b.executed(read(t, path))
		}
	}
}

// block returns the only block of a page that begins with the text, or else the one that contains it, for a test that
// executes it.
func (b *book) block(t *testing.T, page, contains string) string {
	t.Helper()
	var found []string
	begins := func(text string) bool { return strings.HasPrefix(text, contains) }
	for _, block := range b.blocks {
		if strings.HasPrefix(block.page, page) && strings.Contains(block.text, contains) && !slices.Contains(found, block.text) {
			found = append(found, block.text)
		}
	}
	if slices.ContainsFunc(found, begins) {
		found = slices.DeleteFunc(found, func(text string) bool { return !begins(text) })
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d blocks with %q, want one", page, len(found), contains)
	}
	b.executed(found[0])
	return found[0]
}

// expectExecuted fails for each block that was not executed.
func (b *book) expectExecuted(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.blocks) < 120 {
		t.Errorf("only %d blocks were found", len(b.blocks))
	}
	for _, block := range b.blocks {
		if !b.ran[strings.TrimSpace(block.text)] {
			t.Errorf("%s: nothing executes this block: add it to a part of TestPages\n%s", block.page, block.text)
		}
	}
}

// showPolicies: the rules of the guide are those that TestPolicies runs with OPA, over plans that each one refuses and
// lets pass.
func showPolicies(t *testing.T, c *cli) { c.book.executedFiles(t, "policies", ".rego") }
