package e2e_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// expectation is a finding that is known and not mended yet.
type expectation struct {
	rule    int    // what mends it, by its number in the list of rules; 0: none of them
	promise string // that is not kept
	task    string // "": any
	step    string // all that begin so
	witness string // a case that shows it, which is in every sample
}

// expectations shrink to none: the test fails where the witness of one finds nothing any more.
func expectations() []expectation {
	return []expectation{
		{10, othersKeep, "", "another service answers", "rdns, change | process 1 | another service answers"},
		{10, stateTrue, "", "another service answers", "group, destroy, not refreshed | process 1 | another service answers"},
	}
}

func (e expectation) covers(f finding) bool {
	return e.promise == f.promise.name && (e.task == "" || e.task == f.in.task.name) && strings.HasPrefix(f.in.step.name, e.step)
}

func isKnown(f finding) bool {
	return slices.ContainsFunc(expectations(), func(e expectation) bool { return e.covers(f) })
}

func isWitness(c otherCase) bool {
	return slices.ContainsFunc(expectations(), func(e expectation) bool { return e.witness == c.String() })
}

// reportFindings fails the test with each finding that is not known, the first of each sort with its story, and with each
// expectation whose witness found nothing, of the tasks that were run.
func reportFindings(t *testing.T, lines []line, found []finding, seed uint64) {
	t.Helper()
	sorts := map[string][]finding{}
	for _, f := range found {
		if !isKnown(f) {
			sort := f.promise.name + " | " + f.in.task.name + " | " + f.in.step.name
			sorts[sort] = append(sorts[sort], f)
		}
	}
	for _, sort := range slices.Sorted(maps.Keys(sorts)) {
		f := sorts[sort][0]
		t.Errorf("%s\n%d of these, the first one:\n%s\nto repeat it: go test ./internal/e2e -run '^TestOthers$' -full -pairs %d -seed %d -case '%s'\n%s",
			sort, len(sorts[sort]), f.what, *pairs, seed, f.in, f.story)
	}
	if *oneCase != "" {
		return
	}
	for _, e := range expectations() {
		work, _, _ := strings.Cut(e.witness, " | ")
		isRun := slices.ContainsFunc(lines, func(l line) bool { return l.name == lineName(work) }) // not with -run
		if isRun && !slices.ContainsFunc(found, func(f finding) bool { return e.covers(f) && f.in.String() == e.witness }) {
			t.Errorf("this is kept now, so take it off the list of expectations: rule %d, %q: %s", e.rule, e.promise, e.witness)
		}
	}
}
