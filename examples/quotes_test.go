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
	console    = regexp.MustCompile("(?ms)^```console\n(.*?)^```")
	diagnostic = regexp.MustCompile(`(?m)^(Warning|Error): `)
	leftOut    = regexp.MustCompile(`(?m)^\s*…$`)
	changing   = regexp.MustCompile(`\b1\d{3}\b`) // ids
	trailing   = regexp.MustCompile(`(?m)[ \t]+$`)
)

// record keeps what the CLI has printed while examples were executed.
type record struct {
	mu      sync.Mutex
	printed []string
}

func (r *record) add(output string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed = append(r.printed, steady(output))
}

// expectQuoted expects that every warning and error that the pages quote of a machine was printed just so. Plans are worded
// by the CLI, each version of it in its own way.
func (r *record) expectQuoted(t *testing.T) {
	t.Helper()
	for name, page := range pages(t) {
		for _, block := range console.FindAllStringSubmatch(page, -1) {
			for _, quotation := range diagnostics(block[1]) {
				if !r.has(quotation) {
					t.Errorf("%s quotes what no example prints:\n%s", name, quotation)
				}
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

// steady returns a text without what changes from run to run.
func steady(text string) string {
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
