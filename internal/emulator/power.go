package emulator

import "time"

// The power of a machine (api.md §3, Power). Being on or off is Machine.PowerOn;
// a machine that is coming up is off, with a transition due.

// boot makes a machine come up, counted from at.
func (s *store) boot(m *machine, at time.Time) {
	s.schedule(m, at.Add(s.options.BootTime), func(m *machine, _ time.Time) { m.on() })
}

// on is the end of a boot. Coming up upgrades an old profile unless it is
// locked (service.md §3).
func (m *machine) on() {
	m.PowerOn = true
	m.Head = "head-" + m.ZoneName + "-1"
	if m.HardwareProfile == oldProfile && !m.HardwareProfileLocked {
		m.HardwareProfile = newProfile
	}
}

// off is a machine without power.
func (m *machine) off() {
	m.PowerOn = false
	m.Head = ""
}

// idle tells that a machine is off and not about to come up.
func (m *machine) idle() bool { return !m.PowerOn && m.next == nil }

// wentOff applies autoreboot at the moment when a machine goes off: the only
// moment at which it matters.
func (s *store) wentOff(m *machine, at time.Time) {
	m.off()
	if m.AutorebootOn {
		s.boot(m, at)
	}
}

// setPower is the power_on of a PUT, after its autoreboot_on. Off is hard, and
// with autoreboot_on it is a restart; a machine that is idle stays off.
func (s *store) setPower(m *machine, on bool, now time.Time) {
	switch {
	case on && m.idle():
		s.boot(m, now)
	case !on && !m.idle():
		s.unschedule(m)
		s.wentOff(m, now)
	}
}

// powerdown is a guest's reaction to the powerdown signal; one that is already
// shutting down does not begin anew.
func (s *store) powerdown(m *machine, now time.Time) {
	if !m.IgnoresPowerdown && m.next == nil {
		s.schedule(m, now.Add(s.options.ShutdownTime), s.wentOff)
	}
}
