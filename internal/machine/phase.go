package machine

// phase is how far the operations have brought the power of a machine. After a failure, it alone decides whether and how
// the power is restored.
type phase int

const (
	// untouched: no request may have changed the power.
	untouched phase = iota
	// unguarded: autoreboot_on was set to false, so that the guest can be asked to shut down.
	unguarded
	// goingDown: the guest was asked to shut down, or the machine is being switched off.
	goingDown
	// leftOn: the guest has not shut down in time, and its machine must not be switched off. It may still go off.
	leftOn
	// down: the machine was seen off.
	down
	// goingUp: the machine was started, or an image was requested, after which the service starts it.
	goingUp
	// settled: the machine has the power that it is meant to have in the end.
	settled
)

// enter begins a phase, if a request with this outcome may have acted.
func (m *Machine) enter(next phase, outcome error) {
	if mayHaveActed(outcome) {
		m.phase = next
	}
}

// MayBeDown reports whether the operations may have taken down a machine that was on.
func (m *Machine) MayBeDown() bool { return m.before.On && m.IsTouched() }

// IsTouched reports whether a request may have changed the power.
func (m *Machine) IsTouched() bool { return m.phase != untouched }

// WasDown reports whether the operations have changed the power, and the machine was off before or meanwhile.
func (m *Machine) WasDown() bool { return m.phase >= down || m.IsTouched() && !m.before.On }

// MayGoOff reports whether the machine is on, and its guest may still shut down, after which nothing starts the machine.
func (m *Machine) MayGoOff() bool { return m.phase == leftOn && !m.power.Autoreboot }
