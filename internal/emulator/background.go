package emulator

import "time"

// background is what is going on with a machine. It is data, not code, so that it can be saved and loaded.
type background struct {
	// UnderWay is what is happening to the machine's power.
	UnderWay *transition `json:"under_way,omitempty"`
	// Image is installed by the reimage that is under way, or at the first start.
	Image *image `json:"image,omitempty"`
	// Pending are changes that take effect at the next power cycle.
	Pending *pending `json:"pending,omitempty"`
	// KnownAt and DescribedAt are when a new machine can be found and described.
	KnownAt     time.Time `json:"known_at,omitzero"`
	DescribedAt time.Time `json:"described_at,omitzero"`
}

// transition is a change of a machine's power that ends by itself.
type transition struct {
	What  event     `json:"what"`
	Began time.Time `json:"began"`
	Ends  time.Time `json:"ends"`
}

// event is what a transition does.
type event string

// The events of transitions.
const (
	booting      event = "boot"
	shuttingDown event = "shutdown"
	reimaging    event = "reimage"
)

// pending are changes of a running machine that wait for its next power cycle.
type pending struct {
	Cores           int64  `json:"cores,omitempty"`
	Memory          int64  `json:"memory,omitempty"`
	HardwareProfile string `json:"hardware_profile,omitempty"`
}

// schedule starts a transition, in place of the one that was under way.
func (s *store) schedule(m *machine, what event, at time.Time, takes time.Duration) {
	m.UnderWay = &transition{what, at, at.Add(takes)}
	s.busy[m.ID] = m
}

// unschedule ends what is under way without its effect.
func (s *store) unschedule(m *machine) { m.UnderWay = nil }

// runDue lets everything happen that is due by now. What happens may start more, counted from its own time.
func (s *store) runDue(now time.Time) {
	for id, m := range s.busy {
		for m.UnderWay != nil && !m.UnderWay.Ends.After(now) {
			s.finish(m, *m.UnderWay)
		}
		s.runDiscsDue(m, now)
		if m.UnderWay == nil && !m.discsBusy() {
			delete(s.busy, id)
		}
	}
}

// finish is the effect of a transition.
func (s *store) finish(m *machine, t transition) {
	m.UnderWay = nil
	switch t.What {
	case booting:
		s.on(m)
	case shuttingDown:
		s.off(m, t.Ends)
	case reimaging:
		m.AutorebootOn = false
		s.on(m)
	}
}
