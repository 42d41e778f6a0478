package run

import "github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"

// Holder is an object that has a name, or will have it.
type Holder struct {
	ID  string // "" for an object that is yet to be created
	Was string // the name that it has before the plan is applied, or ""
}

// is reports whether both are the same object. Two objects without an ID are different, because each new object is
// planned once.
func (h Holder) is(other Holder) bool { return h.ID != "" && h.ID == other.ID }

// DestroyedHolder is an object with a name that a plan destroys.
type DestroyedHolder struct {
	Holder
	KeepsName bool // it is soft-deleted, and keeps its name
}

// nameKey is a name of objects of one kind.
type nameKey struct {
	kind Kind
	name fleet.Name
}

// nameUse is what the plans of this run do with a name.
type nameUse struct {
	planned   bool             // an object has the name once the plans are applied
	taker     *Holder          // gets the name
	destroyed *DestroyedHolder // has the name and is destroyed
}

// TakeName notes that a plan gives an object a name, of which several forms may be known. It returns another object
// that also gets the name, and the object that has the name and is destroyed; each may be nil.
func (n *Notes) TakeName(kind Kind, by Holder, forms ...fleet.Name) (other *Holder, destroyed *DestroyedHolder) {
	if n.Shared {
		return nil, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range forms {
		use := n.name(kind, name)
		switch {
		case use.taker == nil:
			use.taker = &by
		case !use.taker.is(by):
			other = use.taker
		}
		if use.destroyed != nil && !use.destroyed.is(by) {
			destroyed = use.destroyed
		}
	}
	return other, destroyed
}

// Taker returns the object to which a plan of this run gives the name, or nil.
func (n *Notes) Taker(kind Kind, name fleet.Name) *Holder {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name(kind, name).taker
}

// DestroyHolder notes that a plan destroys an object that has a name. It returns the object that gets the name, or nil.
func (n *Notes) DestroyHolder(kind Kind, by DestroyedHolder, forms ...fleet.Name) (taker *Holder) {
	if n.Shared {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range forms {
		use := n.name(kind, name)
		use.destroyed = &by
		if use.taker != nil && !use.taker.is(by.Holder) {
			taker = use.taker
		}
	}
	return taker
}

// Rename notes that a plan renames an existing object.
func (n *Notes) Rename(o Object, to fleet.Name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.renames, o, to)
}

// NewName returns the new name of an existing object that a plan of this run renames, or the zero value.
func (n *Notes) NewName(o Object) fleet.Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.renames[o]
}

// PlanName notes that an object has the name once the plan is applied.
func (n *Notes) PlanName(kind Kind, name fleet.Name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.name(kind, name).planned = true
}

// IsPlanned reports whether an object has the name once the plans of this run are applied.
func (n *Notes) IsPlanned(kind Kind, name fleet.Name) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name(kind, name).planned
}

// name returns the use of a name. The caller holds the lock.
func (n *Notes) name(kind Kind, name fleet.Name) *nameUse {
	key := nameKey{kind, name}
	if n.names == nil {
		n.names = map[nameKey]*nameUse{}
	}
	if n.names[key] == nil {
		n.names[key] = &nameUse{}
	}
	return n.names[key]
}
