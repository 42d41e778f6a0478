package run

// uses is how resources of this run use an object.
type uses struct {
	managed   bool // a resource has it in its state
	imported  bool
	created   bool // by this run
	destroyed bool // a plan destroys it
	reads     int  // by different resources: Terraform reads each resource once in a run
}

// Import notes that a resource imports the object. It reports whether another resource has imported it before, or has
// it in its state.
func (n *Notes) Import(o Object) (taken bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.objects[o]
	taken = !n.Shared && (now.imported || now.managed)
	now.imported = true
	n.setUses(o, now)
	return taken
}

// Manage notes that a resource has the object in its state. It reports whether another resource imports the object.
func (n *Notes) Manage(o Object) (imported bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.objects[o]
	now.managed = true
	n.setUses(o, now)
	return now.imported && !n.Shared
}

// Read notes that a resource reads the object in its state. It reports whether another resource has read the object
// before in this run, and whether a plan destroys it.
func (n *Notes) Read(o Object) (again, destroyed bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.objects[o]
	now.reads++
	n.setUses(o, now)
	return now.reads > 1 && !n.Shared, now.destroyed && !n.Shared
}

// PlanDestroy notes that a plan destroys the object. It reports whether another resource has read the object.
func (n *Notes) PlanDestroy(o Object) (shared bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.objects[o]
	now.destroyed = true
	n.setUses(o, now)
	return now.reads > 1 && !n.Shared
}

// setUses sets the uses of an object. The caller holds the lock.
func (n *Notes) setUses(o Object, now uses) {
	if n.objects == nil {
		n.objects = map[Object]uses{}
	}
	n.objects[o] = now
}

// Create notes that a resource has created the object.
func (n *Notes) Create(o Object) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.objects[o]
	now.managed, now.created = true, true
	n.setUses(o, now)
}

// Forget drops what is noted of an object that no longer exists.
func (n *Notes) Forget(o Object) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.objects, o)
}

// IsManaged reports whether a resource has the object in its state, read or not.
func (n *Notes) IsManaged(o Object) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.objects[o].managed
}

// IsRead reports whether a resource of this run has read the object, or created it.
func (n *Notes) IsRead(o Object) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.objects[o].reads > 0 || n.objects[o].created
}

// IsAnyRead reports whether this run has read any object, not just an import: then there is a state, and it is being
// refreshed.
func (n *Notes) IsAnyRead() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, uses := range n.objects {
		if uses.managed && uses.reads > 0 {
			return true
		}
	}
	return false
}
