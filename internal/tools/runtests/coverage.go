package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// packageCoverage is how much of a package is covered by tests, those of other packages included.
type packageCoverage struct {
	Package        string
	Covered, Total int // statements
}

func (c packageCoverage) percent() float64 {
	return 100 * float64(c.Covered) / float64(max(c.Total, 1))
}

// readCoverage sums up a profile, sorted by package. With -coverpkg the profile lists a block once for each test
// binary: a block is covered when any of them ran it.
func readCoverage(profile string) ([]packageCoverage, error) {
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	statements, covered := map[string]int{}, map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	lines.Scan() // "mode: …"
	for lines.Scan() {
		block, counts, _ := strings.Cut(lines.Text(), " ")
		var size, count int
		if _, err := fmt.Sscan(counts, &size, &count); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", profile, lines.Text(), err)
		}
		statements[block] = size
		covered[block] = covered[block] || count > 0
	}
	packages := map[string]packageCoverage{}
	for block, size := range statements {
		file, _, _ := strings.Cut(block, ":")
		c := packages[path.Dir(file)]
		c.Package, c.Total = path.Dir(file), c.Total+size
		if covered[block] {
			c.Covered += size
		}
		packages[c.Package] = c
	}
	return slices.SortedFunc(maps.Values(packages), func(a, b packageCoverage) int {
		return strings.Compare(a.Package, b.Package)
	}), lines.Err()
}
