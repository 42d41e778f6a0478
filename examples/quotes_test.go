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
	console = regexp.MustCompile("(?ms)^```console\n(.*?)^```")
	changes = regexp.MustCompile(`\b1\d{3}\b|after \d+s`) // from run to run: ids and durations
	blanks  = regexp.MustCompile(`(?m)[ \t]+$`)
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

// expectQuoted expects that everything the pages quote about a machine was printed just so. A line of dots in a quotation
// stands for what was left out.
func (r *record) expectQuoted(t *testing.T) {
	t.Helper()
	for name, page := range pages(t) {
		for _, block := range console.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(block[1], "cloudserver_vm.") {
				continue
			}
			for _, quotation := range regexp.MustCompile(`(?m)^\s*…\n`).Split(block[1], -1) {
				if !r.has(quotation) {
					t.Errorf("%s quotes what no example prints:\n%s", name, quotation)
				}
			}
		}
	}
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

// steady is a text without what changes from run to run.
func steady(text string) string {
	return blanks.ReplaceAllString(changes.ReplaceAllString(text, "…"), "")
}

// edit replaces a text in a file of the configuration, and answers how to take that back.
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
