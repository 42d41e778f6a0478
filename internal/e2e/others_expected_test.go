package e2e_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
)

// expectation is a finding that is known, because nobody can know better.
type expectation struct {
	promise string   // that is not kept
	kinds   []string // of tasks, by the type of the resource that somebody meddles with; nil: any
	step    string
	witness string // a case that shows it, which is in every sample
	lost    bool   // only after a lost answer
	creates bool   // only where the resource that somebody meddles with is created
	because string
}

// expectations are those of which nothing can be known, because what tells services apart is equal, as a page says of
// each. The test fails where the witness of one finds nothing any more.
func expectations() (all []expectation) {
	for _, e := range []expectation{
		{kinds: nil, step: noMachinesThere, because: "the account has the same name and the same ID, and no machine whose hostname would tell: it looks as if everything was deleted"},
		{kinds: []string{vmType}, step: otherAccountsThere, because: "the state of a machine has no ID of its account, and neither the state nor the service has anything else that would tell"},
	} {
		for promise, witness := range map[string]string{
			othersKeep: "replace | process 1 | ", stateTrue: "read three, one gone | process 1 | ", wordsTrue: "raise cores | process 1 | ",
		} {
			e.promise, e.witness = promise, witness+e.step
			all = append(all, e)
		}
	}
	for _, like := range []otherService{strangersThere, namesakesThere} {
		all = append(all, expectation{
			promise: othersKeep, kinds: []string{rdnsType}, step: like.name, creates: true, witness: "rdns, set | GET /accounts/demo/groups 1 | " + like.name,
			because: "the creation has no state, and its process has learned of the account from the other service alone",
		})
	}
	const theirs = "it was created without an answer, and before the first look somebody has changed what it is found by: nobody can tell it from one of theirs"
	creation := "create | POST /accounts/demo/groups/default/vm_create 1, reset after, 1 later | "
	return append(all,
		expectation{promise: allTracked, kinds: []string{vmType}, step: "rename", lost: true, witness: creation + "rename", because: theirs},
		expectation{promise: allTracked, kinds: []string{vmType}, step: "move to another group", lost: true, witness: creation + "move to another group", because: theirs},
		expectation{promise: allTracked, kinds: []string{vmType}, step: "move to another account", lost: true, witness: creation + "move to another account", because: theirs},
		expectation{
			promise: allTracked, kinds: []string{groupType}, step: "rename the group", lost: true,
			witness: "group, create | POST /accounts/demo/groups 1, reset after, 1 later | rename the group", because: theirs,
		},
	)
}

func (e expectation) covers(f finding) bool {
	subject := f.in.task.resources[f.in.task.subject]
	kind := cmp.Or(subject.kind, vmType)
	return (!e.creates || subject.before == nil) && e.promise == f.promise.name && (!e.lost || f.in.gap.first != nil) && (e.kinds == nil || slices.Contains(e.kinds, kind)) && e.step == f.in.step.name
}

func isKnown(f finding) bool {
	return slices.ContainsFunc(expectations(), func(e expectation) bool { return e.covers(f) })
}

func isWitness(c sweepCase) bool {
	return slices.ContainsFunc(expectations(), func(e expectation) bool { return e.witness == c.String() })
}

// reportFindings fails the test with each finding that is not known, the first of each sort with its story, and with each
// expectation whose witness found nothing, of the tasks that were run.
func reportFindings(t *testing.T, lines []line, found []finding) {
	t.Helper()
	sorts := map[string][]finding{}
	for _, f := range found {
		if !isKnown(f) {
			sort := f.promise.name + " | " + f.in.task.name + " | " + f.in.step.name
			if f.in.isFault() {
				sort += " | " + f.in.gap.first.name
			}
			sorts[sort] = append(sorts[sort], f)
		}
	}
	for _, sort := range slices.Sorted(maps.Keys(sorts)) {
		f := sorts[sort][0]
		t.Errorf("%s\n%d of these, the first one:\n%s\nto repeat it: go test ./internal/e2e -run '^%s$' -full -pairs %d -seed %d -case '%s'\n%s",
			sort, len(sorts[sort]), f.what, t.Name(), *pairs, *seed, f.in, f.story)
	}
	if *oneCase != "" {
		return
	}
	for _, e := range expectations() {
		work, _, _ := strings.Cut(e.witness, " | ")
		isRun := slices.ContainsFunc(lines, func(l line) bool { return l.name == "others: "+work }) // not with -run
		if isRun && !slices.ContainsFunc(found, func(f finding) bool { return e.covers(f) && f.in.String() == e.witness }) {
			t.Errorf("this is kept now, so take it off the list of expectations: %q: %s", e.promise, e.witness)
		}
	}
}
