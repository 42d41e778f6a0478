package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var (
	diagnostic = regexp.MustCompile(`(?m)^(Warning|Error): `)
	leftOut    = regexp.MustCompile(`(?m)^\s*…$`)
	changing   = regexp.MustCompile(`\b1\d{3}\b|\b20\d\d-\d\d-\d\d\b|\b\d{12}\b|\b\d+s\b|\b\d\d:\d\d:\d\d\b|\b(?:198\.51\.100|127\.77\.\d+)\.\d+(?::\d+)?`) // ids, times and addresses
	trailing   = regexp.MustCompile(`(?m)[ \t]+$`)
)

// record has the output of everything that was executed for the pages.
type record struct {
	mu      sync.Mutex
	printed []string
}

func (r *record) add(output string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed = append(r.printed, steady(output))
}

// expectPrinted checks that what the pages quote was printed: warnings and errors exactly, and every other line only
// with the CLI that the pages quote, because other CLIs word plans differently.
func (b *book) expectPrinted(t *testing.T, quoted bool) {
	t.Helper()
	for _, block := range b.blocks {
		if block.language != "console" {
			continue
		}
		b.executed(block.text)
		for _, quotation := range diagnostics(block.text) {
			if !b.record.has(quotation) {
				t.Errorf("%s quotes what nothing prints:\n%s", block.page, quotation)
			}
		}
		for line := range strings.Lines(diagnostic.Split(block.text, 2)[0]) {
			if quoted && !leftOut.MatchString(line) && !strings.HasPrefix(line, "$ ") && !b.record.has(line) {
				t.Errorf("%s quotes a line that nothing prints: %s", block.page, line)
			}
		}
	}
}

// diagnostics returns the warnings and errors of a quotation, each up to the next one, or to a line of dots.
func diagnostics(block string) []string {
	var found []string
	starts := diagnostic.FindAllStringIndex(block, -1)
	for i, start := range starts {
		end := len(block)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		found = append(found, leftOut.Split(block[start[0]:end], 2)[0])
	}
	return found
}

func (r *record) has(quotation string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	quotation = strings.Trim(steady(quotation), "\n")
	for _, output := range r.printed {
		if strings.Contains(output, quotation) {
			return true
		}
	}
	return false
}

// steady returns a text without the parts that change from run to run, or from Terraform to OpenTofu.
func steady(text string) string {
	text = strings.ReplaceAll(text, "registry.opentofu.org/", "registry.terraform.io/")
	return trailing.ReplaceAllString(changing.ReplaceAllString(text, "…"), "")
}

// edit replaces a text in a file of the configuration. undo reverts it.
func (w *workspace) edit(name, from, to string) (undo func()) {
	w.Helper()
	path := filepath.Join(w.dir, name)
	content, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	if !strings.Contains(string(content), from) {
		w.Fatalf("%s has no %s", name, from)
	}
	write(w.T, w.dir, name, strings.Replace(string(content), from, to, 1))
	return func() { write(w.T, w.dir, name, string(content)) }
}
