package run

// discUses is what plans and reads of this run do with discs. Machines are stored under the names that messages use.
type discUses struct {
	remembered map[Object]string // machines whose state has the disc, which is on another machine now
	purged     map[Object]string // machines from which a plan purges the disc
	beside     map[Object]string // machines that get a new disc, and have this one, which no block adopts
	added      map[string]string // machines that get a new disc with this label
	lost       map[string]string // machines that lose a disc with this label
}

// RememberDisc notes that the state of a machine has a disc which is on another machine now. It returns the machine
// from which a plan purges the disc, and the one to which a plan adds a disc beside it, or "" for each.
func (n *Notes) RememberDisc(disc Object, machine string) (purgedFrom, besideOn string) {
	if n.Shared {
		return "", ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.remembered, disc, machine)
	return n.discs.purged[disc], n.discs.beside[disc]
}

// AddBesideDisc notes that a plan adds a disc to a machine, and leaves this one alone, which no configuration manages.
// It returns another machine whose state has the disc, or "".
func (n *Notes) AddBesideDisc(disc Object, machine string) (rememberedBy string) {
	if n.Shared {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.beside, disc, machine)
	return n.discs.remembered[disc]
}

// AddDisc notes that a plan adds a disc to a machine. It returns another machine from which a plan purges a disc with
// this label, or "".
func (n *Notes) AddDisc(label, machine string) (lostFrom string) {
	if n.Shared {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.added, label, machine)
	if from := n.discs.lost[label]; from != machine {
		return from
	}
	return ""
}

// PurgeDisc notes that a plan purges a disc from a machine. It returns a machine whose state also has the disc, and
// another machine that gets a new disc with this label, or "" for each.
func (n *Notes) PurgeDisc(disc Object, label, machine string) (rememberedBy, addedTo string) {
	if n.Shared {
		return "", ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.purged, disc, machine)
	set(&n.discs.lost, label, machine)
	if to := n.discs.added[label]; to != machine {
		addedTo = to
	}
	return n.discs.remembered[disc], addedTo
}

// set sets a value in a map, and allocates the map if it is nil.
func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
