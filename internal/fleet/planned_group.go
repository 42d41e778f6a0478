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
