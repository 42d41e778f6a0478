package emulator

// updateMachine is PUT …/virtual_machines/{vm} (api.md §3): everything that
// was sent, or nothing. A soft-deleted machine answers only when it is
// undeleted by the same call.
func updateMachine(c *call) (answer, error) {
	deleted := c.form.boolean("deleted")
	m, err := c.machine(deleted != nil && !*deleted)
	if err != nil {
		return answer{}, err
	}
	if or(deleted, false) {
		c.form.problems.add("deleted", "can only become false")
	}
	s := c.specification(c.form)
	s.refuseRunning(m, c.form.problems)
	if s.power != nil && m.imaging {
		c.form.problems.add("power_on", "cannot be changed during a reimage")
	}
	g, name := c.destination(m)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	m.Deleted = false
	c.store.place(m, g, name)
	s.apply(m)
	if s.power != nil {
		c.store.setPower(m, *s.power, c.now)
	}
	return reply("virtual-machine", c.machineWire(m, false))
}

// destination reads group_id and name: where a machine is to be, and as what.
func (c *call) destination(m *machine) (*group, string) {
	g, name := m.group, m.Name
	if id := c.form.integer("group_id", 1); id != nil {
		target := c.store.groups[*id]
		if target == nil || target.account.suspended {
			c.form.problems.add("group_id", notListed)
			return g, name
		}
		g = target
	}
	if c.form.has("name") {
		name = c.form.label("name", c.form.required("name"))
	}
	if other, exists := g.machines[name]; exists && other != m {
		c.form.problems.add("name", taken)
	}
	return g, name
}
