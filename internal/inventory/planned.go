// SPDX-License-Identifier: MPL-2.0

package inventory

// PlannedGroup is a group as a plan of this process leaves it.
type PlannedGroup struct {
	Account, Name string
	ID            int64 // 0: the group does not exist yet
}

// PlanGroup notes what the plan of a group makes of it. Terraform plans a group before the machines that refer to it.
func (v *Inventory) PlanGroup(group PlannedGroup) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.planned[group.Account+"/"+group.Name] = group
}

// PlannedGroup returns the group that a plan of this process creates under the name, renames to it, or leaves under it.
func (v *Inventory) PlannedGroup(account, name string) (group PlannedGroup, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	group, ok = v.planned[account+"/"+name]
	return group, ok
}

// A plan may create a machine with the name of one that it destroys, as after a block was renamed without moved. It may
// also replace a tainted machine, of which Terraform plans only the creation. The first deserves a warning, once,
// whichever of the two is planned first.

// PlanName notes that the plan of a new machine has the name of an existing one, and reports whether to warn of it: no
// state contains the existing machine, or its destroy is planned.
func (v *Inventory) PlanName(existing int64) (warns bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.machine(existing)
	m.isNameWanted = true
	return m.warnOfName(!m.isInUse || m.isDestroyed)
}

// PlanDestroy notes that the destroy of a machine is planned, and reports whether to warn that another machine is planned
// with its name.
func (v *Inventory) PlanDestroy(id int64) (warns bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.machine(id)
	m.isInUse, m.isDestroyed = true, true
	return m.warnOfName(m.isNameWanted)
}

// PlanImport notes that a plan imports the machine, and reports whether it destroys it as well, under another address.
func (v *Inventory) PlanImport(id int64) (isDestroyed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.machine(id)
	m.isImported = true
	return m.isDestroyed
}

// PlannedImport reports whether a plan of this process imports the machine.
func (v *Inventory) PlannedImport(id int64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.machine(id).isImported
}

// warnOfName reports whether to warn, which is done once.
func (m *machine) warnOfName(is bool) bool {
	warns := is && !m.isWarnedOf
	m.isWarnedOf = m.isWarnedOf || is
	return warns
}
