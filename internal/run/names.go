package run

import "github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"

// Holder is an object that has a name, or is to get one.
type Holder struct {
	ID  string // "" for one that is created
	Was string // the name that it has before the plan is applied, "" for one that is created
}

// is reports whether both are the same object. Of two new ones nobody can tell: each is
// planned once, so they are two.
func (h Holder) is(other Holder) bool { return h.ID != "" && h.ID == other.ID }

// Loser is an object that a plan destroys.
type Loser struct {
	Holder
	Keeps bool // its name, because it is only soft-deleted
}

// nameKey is a name of objects of a kind.
type nameKey struct {
	kind Kind
	name fleet.Name
}

// nameUse is what the plans of this run do with a name.
type nameUse struct {
	planned bool    // an object has it when they are applied
	taker   *Holder // gets it
	loser   *Loser  // has it, and is destroyed
}

// TakeName notes that a plan gives an object a name, which may be known in several forms.
// It returns another object that gets the name, too, and the one that has it and is
// destroyed; nil if there is none.
func (n *Notes) TakeName(kind Kind, by Holder, forms ...fleet.Name) (other *Holder, loser *Loser) {
	other, loser = n.takeName(kind, by, forms)
	if (other != nil || loser != nil) && n.isNewRun() {
		return n.takeName(kind, by, forms)
	}
	return other, loser
}

func (n *Notes) takeName(kind Kind, by Holder, forms []fleet.Name) (other *Holder, loser *Loser) {
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
		if use.loser != nil && !use.loser.is(by) {
			loser = use.loser
		}
	}
	return other, loser
}

// Taker returns the object to which a plan of this run gives the name, nil if there is none.
func (n *Notes) Taker(kind Kind, name fleet.Name) *Holder {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name(kind, name).taker
}

// LoseName notes that a plan destroys an object that has a name. It returns the object
// that gets the name, nil if there is none.
func (n *Notes) LoseName(kind Kind, by Loser, forms ...fleet.Name) (taker *Holder) {
	taker = n.loseName(kind, by, forms)
	if taker != nil && n.isNewRun() {
		return n.loseName(kind, by, forms)
	}
	return taker
}

func (n *Notes) loseName(kind Kind, by Loser, forms []fleet.Name) (taker *Holder) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range forms {
		use := n.name(kind, name)
		use.loser = &by
		if use.taker != nil && !use.taker.is(by.Holder) {
			taker = use.taker
		}
	}
	return taker
}

// PlanName notes that an object has the name when the plan is applied.
func (n *Notes) PlanName(kind Kind, name fleet.Name) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.name(kind, name).planned = true
}

// IsPlanned reports whether an object has the name when the plan is applied.
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
