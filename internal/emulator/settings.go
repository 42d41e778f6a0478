package emulator

import (
	"net/http"
	"net/url"
)

// settings are what a client sets of a machine in vm_create or a PUT, except its power. What was not sent is nil.
type settings struct {
	cores, memory    *int64
	profile          *string
	locked, reboot   *bool
	keymap, cdromURL *string
}

// settings decodes the settings of a machine. The service answers 500 to a cdrom_url that it cannot use.
func (c *call) settings(f form) (settings, error) {
	s := settings{
		cores: f.integer("cores", 1), memory: f.integer("memory", 1),
		profile: f.listed("hardware_profile", c.world.profiles()), locked: f.boolean("hardware_profile_locked"),
		reboot: f.boolean("autoreboot_on"), keymap: f.nullable("keymap"), cdromURL: f.nullable("cdrom_url"),
	}
	if s.keymap != nil && *s.keymap != "" && !c.world.choice("keymaps").has(*s.keymap) {
		f.problems.add("keymap", notListed)
	}
	if s.cdromURL != nil && *s.cdromURL != "" && !usableURL(*s.cdromURL) && len(f.problems) == 0 {
		return s, refuse(http.StatusInternalServerError, "internal server error")
	}
	return s, nil
}

// apply sets them.
func (s settings) apply(m *Machine) {
	m.Cores, m.Memory = or(s.cores, m.Cores), or(s.memory, m.Memory)
	m.HardwareProfile, m.HardwareProfileLocked = or(s.profile, m.HardwareProfile), or(s.locked, m.HardwareProfileLocked)
	m.AutorebootOn, m.Keymap, m.CDROMURL = or(s.reboot, m.AutorebootOn), or(s.keymap, m.Keymap), or(s.cdromURL, m.CDROMURL)
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
	s, err := c.settings(c.form)
	if err != nil {
		return answer{}, err
	}
	if power != nil && m.UnderWay != nil && m.UnderWay.What == reimaging {
		c.form.problems.add("power_on", "cannot be changed during a reimage")
	}
	c.checkRunning(m, s)
	g, name := c.destination(m)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	m.Deleted = false
	c.world.place(m, g, name)
	s.apply(&m.Machine)
	if power != nil {
		c.e.setPower(m, *power, c.now)
	}
	c.e.keepUp(m, c.now)
	return reply("virtual-machine", c.machineWire(m, false))
}

// checkRunning refuses more cores or memory and another hardware profile while m is on (API.md §3).
func (c *call) checkRunning(m *machine, s settings) {
	if !m.PowerOn {
		return
	}
	wanted := m.Machine
	s.apply(&wanted)
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
