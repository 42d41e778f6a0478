package fleet

// PlannedGroup is a group as a plan of this process leaves it.
type PlannedGroup struct {
	Account, Name string
	ID            int64 // 0: the group does not exist yet
}

// PlanGroup notes what the plan of a group makes of it. Terraform plans a group before the machines that refer to it.
func (d *Directory) PlanGroup(group PlannedGroup) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.planned == nil {
		d.planned = map[string]PlannedGroup{}
	}
	d.planned[group.Account+"/"+group.Name] = group
}

// PlannedGroup returns the group that a plan of this process creates under the name, renames to it, or leaves under it.
func (d *Directory) PlannedGroup(account, name string) (group PlannedGroup, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	group, ok = d.planned[account+"/"+name]
	return group, ok
}

// NoteFound notes that a create has found its object as planned, so that another resource may still describe it: the
// next delete of the object in this process leaves it alone. key identifies the object among all kinds.
func (d *Directory) NoteFound(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.found == nil {
		d.found = map[string]bool{}
	}
	d.found[key] = true
}

// TakeFound reports whether NoteFound was called for the object, and forgets it.
func (d *Directory) TakeFound(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.found[key]
	delete(d.found, key)
	return found
}
