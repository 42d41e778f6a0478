package e2e_test

import (
	"strings"
	"testing"
)

// sampleStride is coprime to the number of faults and of spans, so that a sample contains something of each.
const sampleStride = 41

// TestFaults tests every fault at every request of every task. After it, the same task with a healthy service must end
// as it would have ended without the fault. The cases are run and judged as those of TestOthers.
func TestFaults(t *testing.T) {
	t.Parallel()
	testCases(t, faultTasks(), func(work task, from begun) []sweepCase { return work.sample(work.faultCases(from), sampleStride) }, "")
}

// faultCases returns each fault at each request. Losing the answer to a read is the same as not carrying it out, unless
// the writes after it also fail.
func (t task) faultCases(from begun) (all []sweepCase) {
	for number, at := range targets(from.calls) {
		if at.call == logIn && !t.logsIn {
			continue
		}
		for n, f := range faults() {
			same := strings.HasPrefix(at.call, "GET ") && strings.HasSuffix(f.name, " after")
			for _, lasting := range []span{once, []span{thisCall, allCalls}[(number+n)%2]} { // in turn
				if !same || lasting == allCalls {
					all = append(all, sweepCase{task: t, gap: gap{at: at, first: &f, span: lasting}, step: step{name: nobody, credentials: bySession}})
				}
			}
		}
	}
	return all
}

// nobody stands for no step.
const nobody = "nothing else"

// targets returns the requests, without reads that equal both the one before and the one after.
func targets(requests []string) []target {
	var all []target
	seen := map[string]int{}
	for at, call := range requests {
		seen[call]++
		if at == 0 || at+1 == len(requests) || call != requests[at-1] || call != requests[at+1] {
			all = append(all, target{call, seen[call]})
		}
	}
	return all
}
