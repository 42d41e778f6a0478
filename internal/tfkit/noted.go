package tfkit

import "sync"

// Noted holds what plans and reads of this process have noted for each other, such
// as "create group demo/web". It begins anew whenever the provider is configured:
// Terraform plans each resource once after that. The zero value is empty.
type Noted struct{ notes sync.Map }

// Add notes a fact, and reports whether it was noted before.
func (n *Noted) Add(fact string) (again bool) {
	_, again = n.notes.LoadOrStore(fact, true)
	return again
}

// Has reports whether a fact was noted.
func (n *Noted) Has(fact string) bool {
	_, noted := n.notes.Load(fact)
	return noted
}

// Clear forgets everything.
func (n *Noted) Clear() { n.notes.Clear() }
