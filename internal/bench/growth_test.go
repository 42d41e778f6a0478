package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGrowth measures states of one and two machines, and writes the section, its chart and the page.
func TestGrowth(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## Before\n\na\n\n"+growthHeading+"\n\nold\n\n## After\n\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	o := options{cli: cmp.Or(os.Getenv("TERRAFORM"), "terraform"), root: root, out: page, sizes: []int{1, 2}, pairs: 1}
	if err := runGrowth(t.Context(), o, home, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	section, text, chart := read(t, filepath.Join(home, growthText)), read(t, page), read(t, filepath.Join(home, growthChart))
	if !strings.HasPrefix(text, "# Page\n\n## Before\n\na\n\n"+section+"\n## After\n\nb\n") || strings.Contains(text, "old") {
		t.Errorf("the page:\n%s", text)
	}
	for _, step := range mainSteps {
		if !strings.Contains(section, "| "+step.name+" |") {
			t.Errorf("the section lacks %s:\n%s", step.name, section)
		}
	}
	if rows := strings.Count(section, "\n| 2 |"); rows != len(mainSteps) {
		t.Errorf("%d rows for two machines:\n%s", rows, section)
	}
	if err := wellFormed(chart); err != nil {
		t.Errorf("the chart is not XML: %v", err)
	}
}

// TestGrowthChart: a cost is a line in each panel, and what is zero is left out.
func TestGrowthChart(t *testing.T) {
	t.Parallel()
	r := &results{}
	for _, n := range []int{1, 100} {
		s := sized{n: n, timings: map[string]map[string][]timing{}}
		for _, step := range mainSteps {
			s.timings[step.name] = map[string][]timing{}
			for _, who := range subjects {
				took := timing{wall: time.Duration(n) * time.Second, requests: 4 * n}
				if who == floor {
					took.requests = 0
				}
				s.timings[step.name][who.name] = []timing{took}
			}
		}
		r.sizes = append(r.sizes, s)
	}
	chart := r.growthChart()
	if got, want := strings.Count(chart, "<polyline"), len(subjects)+len(mainSteps)*(2*len(subjects)-1); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	if strings.Contains(chart, "NaN") || strings.Contains(chart, "Inf") {
		t.Errorf("the chart:\n%s", chart)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
