package run

import (
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Notes are what the plans and reads of one run note for each other. Terraform plans resource instances concurrently,
// in an order that only references determine. The zero value is empty and ready for use. managed.go has which resource
// manages which object, names.go which object gets which name, and discs.go what happens to discs.
type Notes struct {
	// Walks finds out whether several runs share these notes, as in a test. If so, notes that seem to contradict each
	// other are discarded.
	Walks Walks

	mu       sync.Mutex
	objects  map[Object]uses
	names    map[nameKey]*nameUse
	renames  map[Object]fleet.Name
	discs    discUses
	reported map[subject]bool
	explains map[string]bool
}

// Topic is a subject of which a run reports something once.
type Topic int

// The topics.
const (
	MissingGroup   Topic = iota // keyed by its account and name
	DestroyedDiscs              // keyed by the machine
	UncheckedPlan               // keyed by the cause
	EqualSchedule               // keyed by the ID of a backup schedule
	RenamedDomain               // keyed by the domain in the state
)

// subject is one thing that is reported.
type subject struct {
	topic Topic
	what  string
}

// FirstTime reports whether this is the first call in this run with this topic and object.
func (n *Notes) FirstTime(topic Topic, what string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.reported == nil {
		n.reported = map[subject]bool{}
	}
	first := !n.reported[subject{topic, what}]
	n.reported[subject{topic, what}] = true
	return first
}

// Explain returns the text followed by the explanation, or the text alone if this run has already shown the
// explanation.
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

// isNewRun reports whether the notes may be those of an earlier run, and discards them if so.
func (n *Notes) isNewRun() bool {
	several := n.Walks.Several()
	if several {
		n.Clear()
	}
	return several
}

// Clear discards all notes, because another run begins.
func (n *Notes) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.objects, n.names, n.renames, n.reported, n.explains, n.discs = nil, nil, nil, nil, nil, discUses{}
}
