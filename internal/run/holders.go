package run

// uses is how resources of this run use an object.
type uses struct {
	holders   int // resources that have it in their state, import it or have created it
	imported  bool
	read      bool // as the state of a resource
	kept      int  // plans after which a resource still has it
	destroyed bool // by a plan
}

// Hold notes that a resource has the object in its state, or has created it. It reports whether another resource
// imports the object. Terraform passes each state to the provider once in a plan, refreshed or not.
func (n *Notes) Hold(o Object) (imported bool) {
	n.use(o, func(u *uses) {
		u.holders++
		imported = u.imported
	})
	return imported && !n.Shared
}

// Import notes that a resource imports the object. It reports whether another resource has imported it before, or has
// it in its state.
func (n *Notes) Import(o Object) (taken bool) {
	n.use(o, func(u *uses) {
		taken = u.holders > 0
		u.holders++
		u.imported = true
	})
	return taken && !n.Shared
}

// Read notes that a resource reads the object.
func (n *Notes) Read(o Object) { n.use(o, func(u *uses) { u.read = true }) }

// Keep notes a plan after which a resource still has the object. It reports whether the same holds for another resource,
// and whether a plan destroys the object.
func (n *Notes) Keep(o Object) (again, destroyed bool) {
	n.use(o, func(u *uses) {
		u.kept++
		again, destroyed = u.kept > 1, u.destroyed
	})
	return again && !n.Shared, destroyed && !n.Shared
}

// Destroy notes a plan that destroys the object. instead means that the resource's first plan was one that keeps it: a
// replacement that a user forces is planned twice. Destroy reports whether another resource still has the object.
func (n *Notes) Destroy(o Object, instead bool) (kept bool) {
	n.use(o, func(u *uses) {
		if instead {
			u.kept--
		}
		u.destroyed = true
		kept = u.kept > 0
	})
	return kept && !n.Shared
}

// LetGo notes that a resource no longer has the object in its state, because it has destroyed it.
func (n *Notes) LetGo(o Object) { n.use(o, func(u *uses) { u.holders = max(0, u.holders-1) }) }

// Forget drops what is noted of an object that no longer exists.
func (n *Notes) Forget(o Object) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if delete(n.objects, o); len(n.objects) == 0 {
		n.objects = nil // a map keeps the size that it has had
	}
}

// IsHeld reports whether a resource has the object in its state, read or not, or has created it.
func (n *Notes) IsHeld(o Object) bool { return n.usesOf(o).holders > 0 }

// IsRead reports whether a resource has read the object in this run. In an apply, none does.
func (n *Notes) IsRead(o Object) bool { return n.usesOf(o).read && !n.Shared }

// use changes the uses of an object.
func (n *Notes) use(o Object, change func(*uses)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	u := n.objects[o]
	change(&u)
	set(&n.objects, o, u)
}

func (n *Notes) usesOf(o Object) uses {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.objects[o]
}
