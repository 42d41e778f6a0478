package emulator

import (
	"cmp"
	"slices"
	"time"
)

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
	// OnSince is when the machine came on last, and WentOff whether it was ever on and then off.
	OnSince time.Time `json:"on_since,omitzero"`
	WentOff bool      `json:"went_off,omitempty"`
	// GuestBooting is set from then until the guest answers, or would if it were not deaf.
	GuestBooting bool `json:"guest_booting,omitempty"`
	// ScriptHostKey is the private SSH host key that the first boot script has installed. Only a State has it.
	ScriptHostKey string `json:"script_host_key,omitempty"`
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
	s.watch(m)
}

// queued is a machine and when something is due for it. Of a queue, the last one is due first.
type queued struct {
	at time.Time
	m  *machine
}

// compare orders a queue.
func (a queued) compare(b queued) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.m.ID, a.m.ID)) }

// watch remembers when something is due for a machine next. Something that is not due any more does no harm.
func (s *store) watch(m *machine) {
	at, ok := m.nextDue(s.options.GuestBoot)
	if ok && (m.watched.IsZero() || at.Before(m.watched)) {
		m.watched = at
		next := queued{at, m}
		n, _ := slices.BinarySearchFunc(s.due, next, queued.compare)
		s.due = slices.Insert(s.due, n, next)
	}
}

// nextDue returns when something is due for a machine next.
func (m *machine) nextDue(guestBoot time.Duration) (next time.Time, ok bool) {
	earlier := func(at time.Time) {
		if !ok || at.Before(next) {
			next, ok = at, true
		}
	}
	if m.UnderWay != nil {
		earlier(m.UnderWay.Ends)
	}
	if m.GuestBooting {
		earlier(m.OnSince.Add(guestBoot))
	}
	for _, d := range m.Discs {
		if !d.CopyEnds.IsZero() {
			earlier(d.CopyEnds)
		}
		for _, b := range d.schedules() {
			if at, ok := b.next(); ok {
				earlier(at)
			}
		}
	}
	return next, ok
}

// runDue lets everything happen that is due by now, in order of time, and reports whether there was something. What happens
// may start more, counted from its own time.
func (s *store) runDue(now time.Time) (changed bool) {
	for len(s.due) > 0 && !s.due[len(s.due)-1].at.After(now) {
		next := s.due[len(s.due)-1]
		s.due = s.due[:len(s.due)-1]
		m := next.m
		if s.machines[m.ID] != m || !m.watched.Equal(next.at) {
			continue
		}
		m.watched, changed = time.Time{}, true
		s.touch(m)
		if t := m.UnderWay; t != nil && !t.Ends.After(next.at) {
			s.finish(m, *t)
		}
		if m.GuestBooting && !m.OnSince.Add(s.options.GuestBoot).After(next.at) {
			m.GuestBooting = false
		}
		s.runDiscsDue(m, now)
		s.watch(m)
		s.settle(next.at, cause{})
	}
	return changed
}

// finish is the effect of a transition.
func (s *store) finish(m *machine, t transition) {
	m.UnderWay = nil
	switch t.What {
	case booting:
		s.on(m, t.Ends)
	case shuttingDown:
		s.off(m, t.Ends)
	case reimaging:
		m.AutorebootOn = false
		s.on(m, t.Ends)
	}
}
