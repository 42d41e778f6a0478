// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"net/http"
	"net/url"
)

// changeSettings sets what a request sets of a machine, except its power. The service answers 500 to a cdrom_url that
// it cannot use.
func (c *call) changeSettings(f form, m *Machine) error {
	m.Cores = or(f.integer("cores", 1), m.Cores)
	m.Memory = or(f.integer("memory", 1), m.Memory)
	m.HardwareProfile = or(c.oneOf("hardware_profiles", f, "hardware_profile"), m.HardwareProfile)
	m.HardwareProfileLocked = or(f.boolean("hardware_profile_locked"), m.HardwareProfileLocked)
	m.AutorebootOn = or(f.boolean("autoreboot_on"), m.AutorebootOn)
	keymap, cd := f.nullable("keymap"), f.nullable("cdrom_url")
	if keymap != nil && *keymap != "" && !c.world.accepts("keymaps", *keymap) {
		f.problems.add("keymap", notListed)
	}
	if cd != nil && *cd != "" && !usableURL(*cd) && len(f.problems) == 0 {
		return refuse(http.StatusInternalServerError, "internal server error")
	}
	m.Keymap, m.CDROMURL = or(keymap, m.Keymap), or(cd, m.CDROMURL)
	return nil
}

// usableURL reports whether the service can fetch a CD from a URL.
func usableURL(value string) bool {
	address, err := url.Parse(value)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != ""
}

// updateMachine is PUT …/virtual_machines/{vm} (API.md §3). It applies all of the request or nothing. A soft-deleted
// machine is found only if the same request undeletes it.
func updateMachine(c *call) (answer, error) {
	deleted := c.form.boolean("deleted")
	m := c.machine
	if or(deleted, false) {
		c.form.problems.add("deleted", "can only become false")
	}
	power := c.form.boolean("power_on")
	changed := m.Machine
	if err := c.changeSettings(c.form, &changed); err != nil {
		return answer{}, err
	}
	if power != nil && m.UnderWay != nil && m.UnderWay.What == reimaging {
		c.form.problems.add("power_on", "cannot be changed during a reimage")
	}
	c.checkRunning(m.Machine, changed)
	g, name := c.destination(m)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	m.Machine = changed
	m.Deleted = false
	c.world.place(m, g, name)
	if power != nil {
		c.e.setPower(m, *power, c.now)
	}
	c.e.keepUp(m, c.now)
	return reply("virtual-machine", c.machineWire(m, false))
}

// checkRunning refuses more cores or memory and another hardware profile while a machine is on (API.md §3).
func (c *call) checkRunning(m, wanted Machine) {
	if !m.PowerOn {
		return
	}
	for attribute, refused := range map[string]bool{
		"cores":            wanted.Cores > m.Cores,
		"memory":           wanted.Memory > m.Memory,
		"hardware_profile": wanted.HardwareProfile != m.HardwareProfile,
	} {
		if refused {
			c.form.problems.add(attribute, "cannot be changed while the virtual machine is on")
		}
	}
}

// destination decodes group_id and name: the future group, in any account that the user can see, and the future name.
func (c *call) destination(m *machine) (*group, string) {
	g, name := m.group, m.Name
	if id := c.form.integer("group_id", 1); id != nil {
		target := c.world.groups[*id]
		if target == nil || target.account.Suspended || !c.user.sees(target.account) {
			c.form.problems.add("group_id", notListed)
			return g, name
		}
		g = target
	}
	if c.form.has("name") {
		name = c.form.machineName()
	}
	if other := g.machine(name); other != nil && other != m {
		c.form.problems.add("name", taken)
	}
	return g, name
}
