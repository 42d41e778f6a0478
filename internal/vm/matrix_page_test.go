// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// outcomes are the words with which a cell of the page "Changes and drift" says what happens, and whether a row of the
// matrix shows that.
var outcomes = map[string]func(row) bool{
	"nothing":    row.changesNothing,
	"kept":       row.changesNothing,
	"shown":      row.changesNothing,
	"state only": func(r row) bool { return r.plan == update && r.sent == "" },
	"in place":   func(r row) bool { return r.sends("PUT") && !r.sends(stop) },
	"moved":      func(r row) bool { return r.sends("group_id=") },
	"started":    func(r row) bool { return r.sends(start) },
	"stopped":    func(r row) bool { return r.sends("signal powerdown") },
	"ejected":    func(r row) bool { return r.sends("cdrom_url=null") },
	"added":      func(r row) bool { return r.sends("POST disc") },
	"purged":     func(r row) bool { return r.sends("DELETE disc?purge=true") },
	"installed":  func(r row) bool { return r.sends("distribution=") },
	"replace":    func(r row) bool { return r.plan == replace },
	"required":   func(r row) bool { return r.plan == refused },
	"error":      func(r row) bool { return r.plan == refused },

	// A machine that is on needs permission for it. One that is off needs no restart.
	"restart": func(r row) bool {
		return r.sends(stop) || r.plan == refused && r.beside[leave] == nil || r.sends("PUT") && r.beside["power_on"] == false
	},
	// A value that is not configured follows the service.
	"restored": func(r row) bool { return r.plan == update && r.sent != "" || r.to == nil && r.changesNothing() },
}

// invalid are the summaries of errors about a value or a combination of arguments, which the machine's page explains.
var invalid = []string{"digits", "Conflicting power settings", "Missing http_path"}

func (r row) changesNothing() bool { return r.plan == noop }

// sends reports whether an update of the machine, or its replacement, sends the request.
func (r row) sends(request string) bool { return strings.Contains(r.sent, request) }

// explainedElsewhere reports whether the row is about an invalid configuration or about protection.
func (r row) explainedElsewhere() bool {
	return r.plan == refused && (slices.Contains(invalid, r.says) || r.beside["deletion_protection"] == true)
}

// line is a line of the page's table: what happens on each occasion to the attributes that it names.
type line struct {
	paths []string
	cells map[occasion]string
}

// TestPageOfChanges compares the table of the page "Changes and drift" with the matrix. Every attribute has its line.
// Every row of the matrix has its outcome in a cell, and every outcome in a cell has a row that shows it.
func TestPageOfChanges(t *testing.T) {
	t.Parallel()
	rows := matrix()
	missing := schemaPaths(t)
	for _, l := range linesOfPage(t) {
		for _, path := range l.paths {
			if _, ok := missing[path]; !ok {
				t.Errorf("the page has %s twice, or the schema has it not", path)
			}
			delete(missing, path)
		}
		for when, cell := range l.cells {
			l.compare(t, when, cell, rows)
		}
	}
	for path := range missing {
		t.Errorf("the page has no line for %s", path)
	}
}

func (l line) compare(t *testing.T, when occasion, cell string, rows []row) {
	t.Helper()
	words := outcomesIn(cell)
	if len(words) == 0 && cell != "" {
		t.Errorf("%s, %s: the cell %q has none of the words for what happens", l.paths, when, cell)
	}
	shown := map[string]bool{}
	for _, r := range rows {
		// A block reimage is added to a machine that has an image in no other way than after an import.
		imported := when == change && r.when == adopt && r.from == nil
		if !slices.Contains(l.paths, r.path) || r.when != when && !imported || r.explainedElsewhere() {
			continue
		}
		fits := false
		for _, word := range words {
			if outcomes[word](r) {
				shown[word], fits = true, true
			}
		}
		if !fits && !imported {
			t.Errorf("%s: the page has %q, and the matrix %s, with requests %q", r, cell, r.plan, r.sent)
		}
	}
	for _, word := range words {
		if !shown[word] {
			t.Errorf("%s, %s: the page has %q, and no row of the matrix shows that", l.paths, when, word)
		}
	}
}

// quoted is the name of an attribute or block.
var quoted = regexp.MustCompile("`([^`]+)`")

// linesOfPage returns the lines of the first table with names of attributes.
func linesOfPage(t *testing.T) []line {
	t.Helper()
	page, err := os.ReadFile("../../docs/guides/changes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Every argument\n")
	section, _, _ = strings.Cut(section, "\n### ")
	var lines []line
	for text := range strings.Lines(section) {
		columns := strings.Split(text, "|")
		if len(columns) != 6 {
			continue
		}
		l := line{cells: map[occasion]string{}}
		for _, name := range quoted.FindAllStringSubmatch(columns[1], -1) {
			l.paths = append(l.paths, strings.Replace(name[1], "disc.", "disc.0.", 1))
		}
		for i, when := range []occasion{change, remove, drift} {
			l.cells[when] = strings.TrimSpace(columns[i+2])
		}
		if len(l.paths) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// outcomesIn returns the words of outcomes with which the sentences of a cell begin, after the condition of each.
func outcomesIn(cell string) []string {
	var found []string
	for sentence := range strings.SplitSeq(strings.ReplaceAll(cell, "; ", ". "), ". ") {
		_, afterCondition, _ := strings.Cut(sentence, ": ")
		for word := range outcomes {
			if strings.HasPrefix(sentence, word) || strings.HasPrefix(afterCondition, word) {
				found = append(found, word)
			}
		}
	}
	return found
}
