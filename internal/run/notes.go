package run

import (
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// Notes are what the plans and reads of one run note for each other. Terraform plans
// the instances of resources side by side, in any order, but along references. The zero
// value is empty and ready for use.
type Notes struct {
	mu       sync.Mutex
	objects  map[Object]uses
	names    map[claim]bool
	said     map[about]bool
	explains map[string]bool
}

// uses is how resources of this run use an object.
type uses struct{ read, imported bool }

// claim is what a plan does with a name.
type claim struct {
	kind Kind
	name fleet.Name
	does use
}

type use int

const (
	creates use = iota // a new object gets it
	plans              // an object has it after the apply
	takes              // a new or renamed machine gets it
	keeps              // a machine that is destroyed keeps it, because it is only soft-deleted
)

// Import notes that a resource imports the object. It reports whether another one has
// imported or read it before.
func (n *Notes) Import(o Object) (taken bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.objects[o]
	n.setUses(o, uses{read: before.read, imported: true})
	return before.imported || before.read
}

// Read notes that a resource has read the object that its state has. It reports whether
// the object was read before and is imported: the first read after an import is the
// import's own.
func (n *Notes) Read(o Object) (taken bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.objects[o]
	n.setUses(o, uses{read: true, imported: before.imported})
	return before.read && before.imported
}

// setUses sets the uses of an object. The caller holds the lock.
func (n *Notes) setUses(o Object, now uses) {
	if n.objects == nil {
		n.objects = map[Object]uses{}
	}
	n.objects[o] = now
}

// IsRead reports whether a resource of this run has the object in its state.
func (n *Notes) IsRead(o Object) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.objects[o].read
}

// Create notes that a plan creates an object of that name. It reports whether another
// plan of this run does so too.
func (n *Notes) Create(kind Kind, name fleet.Name) (again bool) { return n.claim(kind, name, creates) }

// PlanName notes that an object has the name when the plan is applied.
func (n *Notes) PlanName(kind Kind, name fleet.Name) { n.claim(kind, name, plans) }

// IsPlanned reports whether an object has the name when the plan is applied.
func (n *Notes) IsPlanned(kind Kind, name fleet.Name) bool { return n.has(kind, name, plans) }

// TakeName notes that a machine is to get the name. It reports whether a machine that
// this run destroys keeps it.
func (n *Notes) TakeName(name fleet.Name) (kept bool) {
	n.claim(VirtualMachine, name, takes)
	return n.has(VirtualMachine, name, keeps)
}

// KeepName notes that a machine which this run destroys keeps its name. It reports
// whether another machine is to get it.
func (n *Notes) KeepName(name fleet.Name) (taken bool) {
	n.claim(VirtualMachine, name, keeps)
	return n.has(VirtualMachine, name, takes)
}

func (n *Notes) claim(kind Kind, name fleet.Name, does use) (again bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[claim]bool{}
	}
	again = n.names[claim{kind, name, does}]
	n.names[claim{kind, name, does}] = true
	return again
}

func (n *Notes) has(kind Kind, name fleet.Name, does use) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names[claim{kind, name, does}]
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

// Clear forgets everything: another run begins.
func (n *Notes) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.objects, n.names, n.said, n.explains = nil, nil, nil, nil
}
