package fleet

// Name is the name of a machine in its group.
type Name struct {
	Account, Group string // Group: name, or "id:5" where only the id is known
	Name           string
}

// NameConflict is a plan in which machines of one run get in each other's way.
type NameConflict struct {
	Twice bool   // another resource of the run creates a machine with the name, or takes it
	Cycle []Name // the names that would be exchanged, in order; nil if Twice
}

// planned holds the names that this run plans.
type planned struct {
	renames map[int64]rename
	from    map[Name]int64   // the machine that has the name now
	to      map[Name]int64   // the machine that has it afterwards
	digits  map[string]int64 // names that could be ids, in any group → the machine that takes it
	creates map[Name]int     // new machines with the name
	freed   map[Name]bool    // names whose machine is destroyed
}

// rename is what a plan does with the name of a machine that exists. The two
// names are the same where the plan keeps it.
type rename struct{ from, to Name }

func newPlanned() planned {
	return planned{
		renames: map[int64]rename{}, from: map[Name]int64{}, to: map[Name]int64{}, digits: map[string]int64{},
		creates: map[Name]int{}, freed: map[Name]bool{},
	}
}

// PlanName notes that this run plans a machine with the name to: a new one (id
// 0), or the machine with the id, whose name is from now. It returns a conflict
// if another resource of the run has planned the name, or if renames form a
// cycle.
//
// A replacement is planned twice, as an update of the machine and then as a
// creation. So one creation after an update is taken for its replacement, and
// is no conflict.
func (f *Fleet) PlanName(id int64, from, to Name) *NameConflict {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id == 0 {
		return f.names.create(to)
	}
	return f.names.rename(id, rename{from, to})
}

func (p *planned) create(name Name) *NameConflict {
	p.creates[name]++
	if p.creates[name] > 1 {
		return &NameConflict{Twice: true}
	}
	return nil
}

func (p *planned) rename(id int64, r rename) *NameConflict {
	before, again := p.renames[id]
	if again && p.to[before.to] == id {
		delete(p.to, before.to)
	}
	p.renames[id], p.from[r.from] = r, id
	if isDigits(r.to.Name) {
		p.digits[r.to.Name] = id
	}
	if _, taken := p.to[r.to]; taken || !again && p.creates[r.to] > 0 {
		return &NameConflict{Twice: true}
	}
	p.to[r.to] = id
	if cycle := p.cycle(id); cycle != nil {
		return &NameConflict{Cycle: cycle}
	}
	return nil
}

// cycle returns the names that the machine and those whose names they take one
// after the other exchange, nil if the last of them takes a name that is free.
func (p *planned) cycle(id int64) []Name {
	first := p.renames[id]
	if first.from == first.to {
		return nil
	}
	names := []Name{first.from}
	for next := first.to; len(names) <= len(p.renames); {
		if next == first.from {
			return names
		}
		names = append(names, next)
		holder, leaving := p.leaver(next)
		if !leaving {
			return nil
		}
		next = holder.to
	}
	return nil // a cycle further on, which does not come back to this machine
}

// leaver returns the rename that frees the name.
func (p *planned) leaver(name Name) (rename, bool) {
	id, ok := p.from[name]
	r := p.renames[id]
	return r, ok && r.from == name && r.to != name
}

// PlanDestroy notes that this run destroys the machine, so that its name
// becomes free.
func (f *Fleet) PlanDestroy(_ int64, n Name) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names.freed[n] = true
}

// Leaving reports whether this run renames, moves or destroys the machine that
// holds the name, as far as it has planned or done that yet.
func (f *Fleet) Leaving(n Name) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, leaving := f.names.leaver(n)
	return leaving || f.names.freed[n]
}
