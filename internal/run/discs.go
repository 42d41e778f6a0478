package run

// Machine is a machine that a plan is about: its ID, which a new one lacks, and what messages call it.
type Machine struct{ ID, Title string }

// discUses is what plans of this run do with discs.
type discUses struct {
	remembered map[Object]Machine   // whose state has the disc, which is on another machine now
	purged     map[Object]Machine   // from which a plan purges the disc
	beside     map[Object]Machine   // that get a new disc, and have this one, which no block adopts
	added      map[string][]Machine // that get a new disc with this label
	lost       map[string][]Machine // that lose a disc with this label
}

// RememberDisc notes that the state of a machine has a disc which is on another machine now. It returns what messages
// call the machine from which a plan purges the disc, and the one to which a plan adds a disc beside it, or "" for each.
func (n *Notes) RememberDisc(disc Object, machine Machine) (purgedFrom, besideOn string) {
	if n.Shared {
		return "", ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.remembered, disc, machine)
	return n.discs.purged[disc].Title, n.discs.beside[disc].Title
}

// AddBesideDisc notes that a plan adds a disc to a machine, and leaves this one alone, which no configuration manages.
// It returns what messages call another machine whose state has the disc, or "".
func (n *Notes) AddBesideDisc(disc Object, machine Machine) (rememberedBy string) {
	if n.Shared {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.beside, disc, machine)
	return n.discs.remembered[disc].Title
}

// AddDisc notes that a plan adds a disc to a machine. It returns what messages call another machine from which a plan
// purges a disc with this label, or "".
func (n *Notes) AddDisc(label string, machine Machine) (lostFrom string) {
	if n.Shared {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.added, label, append(n.discs.added[label], machine))
	return machine.other(n.discs.lost[label])
}

// PurgeDisc notes that a plan purges a disc from a machine. It returns what messages call a machine whose state also has
// the disc, and another machine that gets a new disc with this label, or "" for each.
func (n *Notes) PurgeDisc(disc Object, label string, machine Machine) (rememberedBy, addedTo string) {
	if n.Shared {
		return "", ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	set(&n.discs.purged, disc, machine)
	set(&n.discs.lost, label, append(n.discs.lost[label], machine))
	return n.discs.remembered[disc].Title, machine.other(n.discs.added[label])
}

// other returns what messages call the first of these machines that is another one, or "". Each new machine is another
// one.
func (m Machine) other(machines []Machine) string {
	for _, other := range machines {
		if m.ID == "" || other.ID != m.ID {
			return other.Title
		}
	}
	return ""
}

// set sets a value in a map, and allocates the map if it is nil.
func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
