package emulator

// updateMachine is PUT …/virtual_machines/{vm} (API.md §3). It applies all of the request or nothing. A soft-deleted
// machine is found only if the same request undeletes it.
func updateMachine(c *call) (answer, error) {
	deleted := c.form.boolean("deleted")
	m, err := c.machine(deleted != nil && !*deleted)
	if err != nil {
		return answer{}, err
	}
	if or(deleted, false) {
		c.form.problems.add("deleted", "can only become false")
	}
	power := c.form.boolean("power_on")
	s, err := c.specification(c.form)
	if err != nil {
		return answer{}, err
	}
	if power != nil && m.UnderWay != nil && m.UnderWay.What == reimaging {
		c.form.problems.add("power_on", "cannot be changed during a reimage")
	}
	later := c.runningChange(m, s)
	g, name := c.destination(m)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	if or(power, false) {
		if err := c.store.room(m); err != nil {
			return answer{}, err
		}
	}
	m.Deleted = false
	c.store.place(m, g, name)
	s.apply(&m.Machine)
	m.Pending = later
	if power != nil {
		c.store.setPower(m, *power, c.now)
	}
	c.store.keepUp(m, c.now)
	return reply("virtual-machine", c.machineWire(m, false))
}

// runningChange refuses more cores or memory and another hardware profile while m is on, or moves them from s to the
// pending changes, which it returns (API.md §3). Less of either is accepted and reported at once.
func (c *call) runningChange(m *storedMachine, s specification) *pending {
	if !m.PowerOn {
		return nil
	}
	later := pending{}
	if m.Pending != nil {
		later = *m.Pending
	}
	wanted := m.Machine
	s.apply(&wanted)
	raise := func(name string, wanted, has int64, later *int64) {
		if s[name] == nil {
			return
		}
		*later = 0
		if wanted > has {
			c.refuseRunning(name)
			*later = wanted
			delete(s, name)
		}
	}
	raise("cores", wanted.Cores, m.Cores, &later.Cores)
	raise("memory", wanted.Memory, m.Memory, &later.Memory)
	if s["hardware_profile"] != nil {
		later.HardwareProfile = ""
		if wanted.HardwareProfile != m.HardwareProfile {
			c.refuseRunning("hardware_profile")
			later.HardwareProfile = wanted.HardwareProfile
			delete(s, "hardware_profile")
		}
	}
	if later == (pending{}) {
		return nil
	}
	return &later
}

// refuseRunning adds the problem of an attribute that cannot be changed on a running machine.
func (c *call) refuseRunning(attribute string) {
	if !c.store.options.PendingRaises {
		c.form.problems.add(attribute, "cannot be changed while the virtual machine is on")
	}
}

// applyPending lets pending changes take effect.
func (m *storedMachine) applyPending() {
	if m.Pending == nil {
		return
	}
	m.Cores = orElse(m.Pending.Cores, m.Cores)
	m.Memory = orElse(m.Pending.Memory, m.Memory)
	m.HardwareProfile = orElse(m.Pending.HardwareProfile, m.HardwareProfile)
	m.Pending = nil
}

// destination decodes group_id and name: the future group, in any account that the user can see, and the future name.
func (c *call) destination(m *storedMachine) (*storedGroup, string) {
	g, name := m.group, m.Name
	if id := c.form.integer("group_id", 1); id != nil {
		target := c.store.groups[*id]
		if target == nil || target.account.suspended || !c.user.sees(target.account) {
			c.form.problems.add("group_id", notListed)
			return g, name
		}
		g = target
	}
	if c.form.has("name") {
		name = c.form.machineName()
	}
	if other, exists := g.machines[name]; exists && other != m {
		c.form.problems.add("name", taken)
	}
	return g, name
}
