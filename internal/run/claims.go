package run

import "github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"

// Subject is what a state, or a plan, says of the object of a resource.
type Subject struct {
	Object    Object // without an ID if the object is yet to be created
	Title     string // its name, as messages have it
	Names     []Name // which no other object can have
	KeepsName bool   // a destroy leaves it soft-deleted
}

// Name is a name that one object of a kind can have, in one of its forms: with the group's name, or with the group's ID.
type Name struct {
	Kind Kind
	fleet.Name
	New bool // claimed for a new object only
}

// Holder is an object that has a name, or will have it.
type Holder struct {
	ID    string // "" for an object that is yet to be created
	Was   string // the name that it has before the plan is applied, or ""
	Title string // the name that it has once the plan is applied
	Keeps bool   // it is destroyed, and keeps its name
}

// is reports whether both are the same object. Two objects without an ID are different, because each new object is
// planned once.
func (h Holder) is(other Holder) bool { return h.ID != "" && h.ID == other.ID }

// nameUse is what the plans of this run do with a name.
type nameUse struct {
	holder    *Holder // has the name once the plans are applied
	destroyed *Holder // has the name, and is destroyed
}

// Claim notes that an object has these names once its plan is applied. It returns another object that has one of them
// then, and that name, and another object that has one of them now and is destroyed; each may be nil.
func (n *Notes) Claim(by Holder, names ...Name) (other *Holder, of Name, destroyed *Holder) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range names {
		if n.Shared && name.Kind != Group { // only groups are asked for
			continue
		}
		use := n.name(name)
		switch {
		case n.Shared || use.holder == nil:
			use.holder = &by
		case !use.holder.is(by):
			other, of = use.holder, name
		}
		if use.destroyed != nil && !use.destroyed.is(by) {
			destroyed = use.destroyed
		}
	}
	return other, of, destroyed
}

// Release notes that a plan destroys an object that has names. It returns another object that has one of them once the
// plans are applied, or nil.
func (n *Notes) Release(by Holder, names ...Name) (taker *Holder) {
	if n.Shared {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range names {
		use := n.name(name)
		use.destroyed = &by
		if use.holder != nil && !use.holder.is(by) {
			taker = use.holder
		}
	}
	return taker
}

// IsClaimed reports whether an object has the name once the plans of this run are applied.
func (n *Notes) IsClaimed(name Name) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	use := n.names[name]
	return use != nil && use.holder != nil
}

// Rename notes the new name of an existing object in its last plan, or the zero value if the name does not change.
func (n *Notes) Rename(o Object, to fleet.Name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if to == (fleet.Name{}) {
		delete(n.renames, o)
		return
	}
	set(&n.renames, o, to)
}

// NewName returns the new name of an existing object that a plan of this run renames, or the zero value.
func (n *Notes) NewName(o Object) fleet.Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.renames[o]
}

// Replaced is a machine that was destroyed for another one.
type Replaced struct{ Title, Specification string }

// Replace notes the machine that was destroyed so that a new one with this name replaces it.
func (n *Notes) Replace(by fleet.Name, old Replaced) {
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.replaced, by, old)
}

// TakeReplaced returns what Replace has noted, and drops it.
func (n *Notes) TakeReplaced(by fleet.Name) Replaced {
	n.mu.Lock()
	defer n.mu.Unlock()
	old := n.replaced[by]
	if delete(n.replaced, by); len(n.replaced) == 0 {
		n.replaced = nil // a map keeps the size that it has had
	}
	return old
}

// name returns the use of a name. The caller holds the lock.
func (n *Notes) name(name Name) *nameUse {
	name.New = false
	if n.names[name] == nil {
		set(&n.names, name, &nameUse{})
	}
	return n.names[name]
}
