package fleet

import "sync"

// FoundObjects are the objects that a create of this process has found as planned, so that it did not create them. They
// may be those of a block that was renamed without moved, or that is replaced with create_before_destroy: then the same
// apply deletes the resource that described the object before, and that delete has to leave the object alone.
//
// The zero value is empty and ready for use. It is safe for concurrent use.
type FoundObjects struct {
	mu   sync.Mutex
	keys map[string]bool
}

// Add notes that a create has found the object. key identifies it among the objects of all kinds.
func (o *FoundObjects) Add(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.keys == nil {
		o.keys = map[string]bool{}
	}
	o.keys[key] = true
}

// Take reports whether a create has found the object, and forgets that: it counts for one delete.
func (o *FoundObjects) Take(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.keys[key]
	delete(o.keys, key)
	return found
}
