package run

import "sync"

// Notes are what the plans and reads of one run note for each other. Terraform plans
// the instances of resources side by side, in any order, but along references. The zero
// value is empty and ready for use. Who has which object is in managed.go, who gets which
// name in names.go, what becomes of discs in discs.go.
type Notes struct {
	// Walks tells what one run noted from what the runs of a test did: what seems to
	// contradict in those is forgotten.
	Walks Walks

	mu       sync.Mutex
	objects  map[Object]uses
	names    map[nameKey]*nameUse
	discs    discUses
	said     map[about]bool
	explains map[string]bool
}

// Topic is what is said once in a run.
type Topic int

// The topics.
const (
	MissingGroup   Topic = iota // about its account and name
	DestroyedDiscs              // about every machine that a run destroys
	UncheckedPlan               // about the cause
	LearnedDomain               // about its account; nothing is said, but asked
	EqualSchedule               // about the ID of a backup schedule
)

// about is one thing that is said.
type about struct {
	topic Topic
	what  string
}

// FirstTime reports whether nothing was said yet in this run on the topic, about that
// one thing.
func (n *Notes) FirstTime(topic Topic, what string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.said == nil {
		n.said = map[about]bool{}
	}
	first := !n.said[about{topic, what}]
	n.said[about{topic, what}] = true
	return first
}

// Explain returns the text and its explanation, or the text alone where this run has
// given the explanation before.
func (n *Notes) Explain(text, explanation string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if explanation == "" || n.explains[explanation] {
		return text
	}
	if n.explains == nil {
		n.explains = map[string]bool{}
	}
	n.explains[explanation] = true
	return text + "\n\n" + explanation
}

// isNewRun reports whether what was noted may be another run's, and forgets it then.
func (n *Notes) isNewRun() bool {
	several := n.Walks.Several()
	if several {
		n.Clear()
	}
	return several
}

// Clear forgets everything: another run begins.
func (n *Notes) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.objects, n.names, n.said, n.explains, n.discs = nil, nil, nil, nil, discUses{}
}
