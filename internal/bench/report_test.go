// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReport: the table has medians, and replaces what was below the last heading of the page.
func TestReport(t *testing.T) {
	t.Parallel()
	subjects := []subject{{name: "floor"}, {name: "ours"}}
	r := result{n: 20, backend: true, rounds: map[string][]figures{}}
	for _, s := range subjects {
		for _, st := range steps {
			for _, seconds := range []int{9, 1, 5} {
				took := time.Duration(seconds) * time.Second
				r.rounds[key(s, st)] = append(r.rounds[key(s, st)], figures{wall: took, cpu: took / 2, requests: seconds, state: 100 * seconds})
			}
		}
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n"+heading+"\nold\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writePage(page, report("Terraform v1.2.3", subjects, []result{r})); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Page\n\n" + heading + "\nMeasured by", "with Terraform v1.2.3", "medians of 3 rounds",
		"| 20, backend | first plan | 5.00 (2.50), 5 | 5.00 (2.50), 5 |\n",
		"| | bytes of state for each machine | 25 | 25 |\n",
	} {
		if !strings.Contains(string(text), want) || strings.Contains(string(text), "old") {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}
