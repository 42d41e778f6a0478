package emulator

import (
	"net/http"
	"time"
)

// The power of a machine (API.md §3). Machine.PowerOn is true while it is on. A machine that is starting is off, with a
// transition under way.

// boot starts a machine at a time.
func (s *store) boot(m *storedMachine, at time.Time) {
	s.schedule(m, booting, at, s.options.BootTime)
}

// on completes a boot: the first one installs the image, and each one upgrades an old profile that is not locked.
func (s *store) on(m *storedMachine, at time.Time) {
	m.install()
	s.switched(m, true, at)
	m.Head = "head-" + m.ZoneName + "-1"
	if m.HardwareProfile == oldProfile && !m.HardwareProfileLocked {
		m.HardwareProfile = newProfile
	}
}

// off switches a machine off at a time. Pending changes take effect.
func (s *store) off(m *storedMachine, at time.Time) {
	m.UnderWay = nil
	if m.PowerOn {
		s.switched(m, false, at)
	}
	m.Head = ""
	m.applyPending()
	s.keepUp(m, at)
}

// keepUp starts a machine that is off while its autoreboot_on is true, regardless of why it is off.
func (s *store) keepUp(m *storedMachine, at time.Time) {
	if m.AutorebootOn && m.idle() && !m.Deleted {
		s.boot(m, at)
	}
}

// idle reports whether a machine is off and will not come on by itself.
func (m *storedMachine) idle() bool { return !m.PowerOn && m.UnderWay == nil }

// setPower applies the power_on of a PUT, after its autoreboot_on. Switching off is hard. With autoreboot_on it is a
// restart.
func (s *store) setPower(m *storedMachine, on bool, now time.Time) {
	switch {
	case on && m.idle():
		s.boot(m, now)
	case !on && !m.idle():
		s.off(m, now)
	}
}

// powerdown applies the powerdown signal to the guest. A second signal does not restart its reaction.
func (s *store) powerdown(m *storedMachine, now time.Time) {
	if !m.IgnoresPowerdown && !s.options.IgnorePowerdown && m.UnderWay == nil {
		s.schedule(m, shuttingDown, now, s.options.ShutdownTime)
	}
}

// room refuses to start a machine if Options.Capacity is used up.
func (s *store) room(m *storedMachine) error {
	if s.options.Capacity <= 0 || !m.idle() {
		return nil
	}
	used := 0
	for _, other := range s.machines {
		if !other.idle() {
			used++
		}
	}
	if used >= s.options.Capacity {
		return refuse(http.StatusServiceUnavailable, "no head has room for this virtual machine")
	}
	return nil
}
