package run

import (
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Notes are what the plans and reads of one run note for each other. Terraform plans resource instances concurrently,
// in an order that only references determine. The zero value is empty and ready for use. holders.go has which resource
// has which object, claims.go which object gets which name, and discs.go what happens to discs.
type Notes struct {
	// Shared reports that several walks of Terraform use these notes, perhaps at the same time, as in a test whose file
	// configures the provider. Then notes of two resources say nothing about each other, and each walk gets
	// every message. A note of one object is that of its last read or plan. Shared is set before the first note.
	Shared bool

	mu       sync.Mutex
	objects  map[Object]uses
	names    map[Name]*nameUse
	renames  map[Object]fleet.Name
	replaced map[fleet.Name]Replaced
	discs    discUses
	reported map[subject]bool
	explains map[string]bool
}

// Topic is a subject of which a run reports something once.
type Topic int

// The topics.
const (
	MissingGroup    Topic = iota // keyed by its account and name
	DestroyedDiscs               // keyed by the machine
	UncheckedPlan                // keyed by the cause
	EqualSchedule                // keyed by the ID of a backup schedule
	SoftDeletedName              // of all machines
	RenamedDomain                // keyed by the domain in the state
)

// subject is one thing that is reported.
type subject struct {
	topic Topic
	what  string
}

// FirstTime reports whether this is the first call in this run with this topic and object.
func (n *Notes) FirstTime(topic Topic, what string) bool {
	if n.Shared {
		return true
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	first := !n.reported[subject{topic, what}]
	set(&n.reported, subject{topic, what}, true)
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
	if !n.Shared {
		set(&n.explains, explanation, true)
	}
	return text + "\n\n" + explanation
}
