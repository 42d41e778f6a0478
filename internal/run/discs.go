package run

// discUses is what plans and reads of this run do with discs. Machines are as messages
// call them.
type discUses struct {
	remembered map[Object]string // machines that have the disc in their states, while it is on another one
	purged     map[Object]string // machines that the disc is purged from
	added      map[string]string // machines that get a new disc, by its label
	lost       map[string]string // machines that a disc is purged from, by its label
}

// RememberDisc notes that a machine has a disc in its state which is on another machine
// now. It returns the machine from which a plan purges it, "" if none does.
func (n *Notes) RememberDisc(disc Object, machine string) (purgedFrom string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.remembered, disc, machine)
	return n.discs.purged[disc]
}

// AddDisc notes that a plan adds a disc to a machine. It returns another machine from
// which a plan purges a disc of this label, "" if none does.
func (n *Notes) AddDisc(label, machine string) (lostFrom string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.added, label, machine)
	if from := n.discs.lost[label]; from != machine {
		return from
	}
	return ""
}

// PurgeDisc notes that a plan purges a disc. It returns the machine that has it in its
// state, too, and another one that gets a new disc of this label.
func (n *Notes) PurgeDisc(disc Object, label, machine string) (rememberedBy, addedTo string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.purged, disc, machine)
	set(&n.discs.lost, label, machine)
	if to := n.discs.added[label]; to != machine {
		addedTo = to
	}
	return n.discs.remembered[disc], addedTo
}

// set sets a value of a map that may not exist yet.
func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
