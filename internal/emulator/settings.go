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
	m, err := c.machine(deleted != nil && !*deleted)
	if err != nil {
		return answer{}, err
	}
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
	later := c.runningChange(m, &s)
	g, name := c.destination(m)
	if err := c.form.problems.err(); err != nil {
		return answer{}, err
	}
	m.Deleted = false
	c.world.place(m, g, name)
	s.apply(&m.Machine)
	m.Pending = later
	if power != nil {
		c.e.setPower(m, *power, c.now)
	}
	c.e.keepUp(m, c.now)
	return reply("virtual-machine", c.machineWire(m, false))
}

// pending are changes of a running machine that wait for its next power cycle.
type pending struct {
	Cores           int64  `json:"cores,omitempty"`
	Memory          int64  `json:"memory,omitempty"`
	HardwareProfile string `json:"hardware_profile,omitempty"`
}

// runningChange refuses more cores or memory and another hardware profile while m is on, or moves them from s to the
// pending changes, which it returns (API.md §3). Less of either is accepted and reported at once.
func (c *call) runningChange(m *machine, s *settings) *pending {
	if !m.PowerOn {
		return nil
	}
	later := pending{}
	if m.Pending != nil {
		later = *m.Pending
	}
	raise := func(name string, wanted **int64, has int64, later *int64) {
		if *wanted == nil {
			return
		}
		*later = 0
		if **wanted > has {
			c.refuseRunning(name)
			*later, *wanted = **wanted, nil
		}
	}
	raise("cores", &s.cores, m.Cores, &later.Cores)
	raise("memory", &s.memory, m.Memory, &later.Memory)
	if s.profile != nil {
		later.HardwareProfile = ""
		if *s.profile != m.HardwareProfile {
			c.refuseRunning("hardware_profile")
			later.HardwareProfile, s.profile = *s.profile, nil
		}
	}
	if later == (pending{}) {
		return nil
	}
	return &later
}

// refuseRunning adds the problem of an attribute that cannot be changed on a running machine.
func (c *call) refuseRunning(attribute string) {
	if !c.e.options.PendingRaises {
		c.form.problems.add(attribute, "cannot be changed while the virtual machine is on")
	}
}

// applyPending lets pending changes take effect.
func (m *machine) applyPending() {
	if m.Pending == nil {
		return
	}
	m.Cores = orElse(m.Pending.Cores, m.Cores)
	m.Memory = orElse(m.Pending.Memory, m.Memory)
	m.HardwareProfile = orElse(m.Pending.HardwareProfile, m.HardwareProfile)
	m.Pending = nil
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
