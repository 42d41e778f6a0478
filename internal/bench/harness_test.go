package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMeasure runs the whole harness over two machines: each configuration fits its provider's schema, and the
// peer-shaped subject sends as many requests as its page says.
func TestMeasure(t *testing.T) {
	o := options{cli: cmp.Or(os.Getenv("TERRAFORM"), "terraform"), root: "../..", sizes: []int{2}, pairs: 1}
	r, err := measure(t.Context(), o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.sizes) != 2 {
		t.Fatalf("measured %d times, want with the state in a file and in a backend", len(r.sizes))
	}
	for _, size := range r.sizes {
		// All but the first two read first.
		want := map[string]int{"apply": 4, "empty plan": 1, "plan, more cores": 1, "plan, a new name": 1, "apply, more cores": 1 + 7, "destroy": 1 + 2}
		for _, step := range steps {
			if got := size.of(step, peer)[0].requests; got != size.n*want[step.name] {
				t.Errorf("%s, %s: the peer-shaped subject sent %d requests, want %d each", size.title(), step.name, got, want[step.name])
			}
		}
		// The size of the state decides what the CLI takes for an apply and a destroy with a file (see the page).
		if got := size.of(applyStep, ours)[0].state; !size.backend && got > 2*stateOfMachine+stateItself {
			t.Errorf("%s: a state of %d bytes, want at most %d for each machine", size.title(), got, stateOfMachine)
		}
		for _, step := range steps {
			if size.of(step, ours)[0].requests == 0 {
				t.Errorf("%s, %s: no request of ours was counted", size.title(), step.name)
			}
		}
	}

	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n"+oneHeading+"\n\nold\n\n## After\n\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replaceSection(page, oneHeading, r.section()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Page\n\n" + oneHeading + "\n\nMeasured", "| | 2 machines | 2 machines, state in a backend |", "| destroy |", "|\n\n## After\n\nb\n"} {
		if !strings.Contains(string(text), want) || strings.Contains(string(text), "old") {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if details := r.details(); strings.Count(details, "apply, more cores") != len(r.sizes)*len(subjects) {
		t.Errorf("the details:\n%s", details)
	}
}

// stateOfMachine is how many bytes of a state file a machine may take, and stateItself what the file has beside
// machines.
const (
	stateOfMachine = 1890 // addresses differ in length
	stateItself    = 420
)
