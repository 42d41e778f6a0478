package fleet

import (
	"slices"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Name is the name of a machine in its group, or of a group in its account.
type Name struct {
	Account, Group string // Group: name, or "id:5" where only the id is known; "" for a group
	Name           string
}

// NameConflict is a plan in which objects of one run get in each other's way.
type NameConflict struct {
	Twice bool   // another resource of the run creates an object with the name, or takes it
	Cycle []Name // the names that would be exchanged, in order; nil if Twice
}

// Names holds the names that this run plans for objects of one kind: machines or
// groups. It is safe for concurrent use.
type Names struct {
	mu      sync.Mutex
	renames map[int64]rename
	from    map[Name]int64   // the object that has the name now
	to      map[Name]int64   // the object that has it afterwards
	digits  map[string]int64 // names that could be ids, wherever they are → the object that takes it
	creates map[Name][]int64 // new objects with the name, by the object that each replaces
	freed   map[Name]bool    // names whose object is destroyed
	groups  map[Name]string  // the name of a group that is given by its id ("id:5"), in its account
}

// rename is what a plan does with the name of an object that exists. The two
// names are the same where the plan keeps it.
type rename struct{ from, to Name }

// NewNames returns the names of a run that has planned nothing yet.
func NewNames() *Names {
	return &Names{
		renames: map[int64]rename{}, from: map[Name]int64{}, to: map[Name]int64{}, digits: map[string]int64{},
		creates: map[Name][]int64{}, freed: map[Name]bool{}, groups: map[Name]string{},
	}
}

// SameGroup notes that a group has the id and the name: a machine that exists
// has both, and the configuration of a new one contains either.
func (p *Names) SameGroup(account, id, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	given := Name{Account: account, Group: "id:" + id}
	if p.groups[given] == name {
		return
	}
	p.groups[given] = name
	for n, replaces := range p.creates {
		if known := p.known(n); known != n {
			p.creates[known] = append(p.creates[known], replaces...)
			delete(p.creates, n)
		}
	}
}

// known returns the name in the group as it is called, if that is known.
func (p *Names) known(n Name) Name {
	if group, ok := p.groups[Name{Account: n.Account, Group: n.Group}]; ok {
		n.Group = group
	}
	return n
}

// anyone stands for whichever object a new one may replace.
const anyone = -1

// Plan notes that this run plans an object with the name to: a new one (id 0), or
// the one with the id, whose name is from now, and may stay the same. It returns a
// conflict if another resource of the run has planned the name, or if renames form
// a cycle.
//
// A replacement is planned twice, as an update of the object and then as a
// creation. So one creation after an update is taken for its replacement, and
// is no conflict.
func (p *Names) Plan(id int64, from, to Name) *NameConflict {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == 0 {
		return p.create(anyone, p.known(to))
	}
	return p.rename(id, rename{p.known(from), p.known(to)})
}

// PlanNew is Plan for a new object of which it is known which one it replaces (0:
// none).
func (p *Names) PlanNew(replaces int64, name Name) *NameConflict {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.create(replaces, p.known(name))
}

func (p *Names) create(replaces int64, name Name) *NameConflict {
	others := p.creates[name]
	p.creates[name] = append(others, replaces)
	if holder, taken := p.to[name]; len(others) > 0 || taken && replaces != anyone && replaces != holder {
		return &NameConflict{Twice: true}
	}
	return nil
}

func (p *Names) rename(id int64, r rename) *NameConflict {
	before, again := p.renames[id]
	if again && p.to[before.to] == id {
		delete(p.to, before.to)
	}
	p.renames[id], p.from[r.from] = r, id
	if r.from != r.to && cloudserver.IsDigits(r.to.Name) {
		p.digits[r.to.Name] = id
	}
	isOther := func(replaces int64) bool { return replaces != id && (!again || replaces != anyone) }
	if _, taken := p.to[r.to]; taken || slices.ContainsFunc(p.creates[r.to], isOther) {
		return &NameConflict{Twice: true}
	}
	p.to[r.to] = id
	if cycle := p.cycle(id); cycle != nil {
		return &NameConflict{Cycle: cycle}
	}
	return nil
}

// cycle returns the names that the object and those whose names they take one
// after the other exchange, nil if the last of them takes a name that is free.
func (p *Names) cycle(id int64) []Name {
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
	return nil // a cycle further on, which does not come back to this object
}

// leaver returns the rename that frees the name.
func (p *Names) leaver(name Name) (rename, bool) {
	id, ok := p.from[name]
	r := p.renames[id]
	return r, ok && r.from == name && r.to != name
}

// PlanDestroy notes that this run destroys the object, so that its name becomes
// free.
func (p *Names) PlanDestroy(n Name) { p.setFreed(n, true) }

// Kept notes that the object was not destroyed after all.
func (p *Names) Kept(n Name) { p.setFreed(n, false) }

func (p *Names) setFreed(n Name, freed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freed[p.known(n)] = freed
}

// Leaving reports whether this run renames, moves or destroys the object that
// holds the name, as far as it has planned or done that yet.
func (p *Names) Leaving(n Name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = p.known(n)
	_, leaving := p.leaver(n)
	return leaving || p.freed[n]
}

// Planned reports whether this run creates an object with the name, or assigns it to
// one.
func (p *Names) Planned(n Name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = p.known(n)
	_, taken := p.to[n]
	return taken || len(p.creates[n]) > 0
}

// takerOf returns the object that takes the id as its name, and whether there is
// one.
func (p *Names) takerOf(id int64) (taker int64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	taker, ok = p.digits[cloudserver.IDText(id)]
	return taker, ok
}
