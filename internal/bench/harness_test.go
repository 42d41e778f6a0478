package main

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestMeasure runs the whole harness over two machines: each configuration fits its provider's schema, and the
// peer-shaped subject sends as many requests as its page says.
func TestMeasure(t *testing.T) {
	o := options{cli: cmp.Or(os.Getenv("TERRAFORM"), "terraform"), root: "../..", sizes: []int{2}, large: 20, pairs: 1, quick: true}
	r, err := measure(t.Context(), o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.sizes) != 3 {
		t.Fatalf("measured %d times, want with the state in a file, in a large group, and with the state in a backend", len(r.sizes))
	}
	for _, size := range r.sizes {
		// All but the first two read first.
		want := map[string]int{"apply": 4, "empty plan": 1, "plan, more cores": 1, "plan, a new name": 1, "apply, more cores": 1 + 2, "destroy": 1 + 2}
		for _, step := range steps {
			if got := size.of(step, peer)[0].requests; got != size.n*want[step.name] {
				t.Errorf("%s, %s: the peer-shaped subject sent %d requests, want %d each", size.title(), step.name, got, want[step.name])
			}
			if got := size.of(step, floor)[0].requests; got != 0 {
				t.Errorf("%s, %s: the floor sent %d requests", size.title(), step.name, got)
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

	page := r.page()
	for _, want := range []string{"| | 2 machines | 2 machines in a group of 20 | 2 machines, state in a backend |", "| destroy |", "## 2 machines, state in a backend", chartFile} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	chart := r.chart()
	if err := wellFormed(chart); err != nil {
		t.Errorf("the chart is not XML: %v", err)
	}
	if got, want := strings.Count(chart, "<rect"), len(subjects)*2; got != want {
		t.Errorf("the chart has %d rectangles, want %d", got, want)
	}
}

// stateOfMachine is how many bytes of a state file a machine may take, and stateItself what the file has beside
// machines.
const (
	stateOfMachine = 1730
	stateItself    = 420
)

func wellFormed(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
