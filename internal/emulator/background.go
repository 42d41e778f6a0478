package emulator

import (
	"cmp"
	"slices"
	"time"
)

// background is what is happening to a machine. It is data, not code, so that it can be saved and loaded.
type background struct {
	// UnderWay is the transition of the machine's power, if any.
	UnderWay *transition `json:"under_way,omitempty" description:"Power transition in progress."`
	// Image is installed by the reimage under way, or at the first start.
	Image *image `json:"image,omitempty" description:"Image that is installed by the reimage under way, or at the first start."`
	// Pending are changes that take effect at the next power cycle.
	Pending *pending `json:"pending,omitempty" description:"Changes that take effect at the next power cycle."`
	// KnownAt and DescribedAt are the times from which a new machine can be found and described.
	KnownAt     time.Time `json:"known_at,omitzero" description:"From when the machine is found."`
	DescribedAt time.Time `json:"described_at,omitzero" description:"From when the machine can be described."`
	// OnSince is when the machine last came on, and WentOff whether it was ever off after it was on.
	OnSince time.Time `json:"on_since,omitzero" description:"When the machine came on."`
	WentOff bool      `json:"went_off,omitempty" description:"Whether the machine was on once, and then off."`
	// GuestBooting is set from OnSince until the guest answers, or would answer if it were not deaf.
	GuestBooting bool `json:"guest_booting,omitempty" description:"Whether the guest boots since then."`
	// ScriptHostKey is the private SSH host key that the first boot script has installed. Only saved states contain it.
	ScriptHostKey string `json:"script_host_key,omitempty" description:"Private SSH host key that the first boot script has installed; in saved states."`
}

// transition is a change of a machine's power that completes by itself.
type transition struct {
	What  event     `json:"what" enum:"boot,shutdown,reimage" description:"What is happening."`
	Began time.Time `json:"began" description:"Beginning."`
	Ends  time.Time `json:"ends" description:"End."`
}

// event is the effect of a transition.
type event string

// The events of transitions.
const (
	booting      event = "boot"
	shuttingDown event = "shutdown"
	reimaging    event = "reimage"
)

// pending are changes of a running machine that wait for its next power cycle.
type pending struct {
	Cores           int64  `json:"cores,omitempty" minimum:"1" description:"Cores."`
	Memory          int64  `json:"memory,omitempty" minimum:"1" description:"Megabytes."`
	HardwareProfile string `json:"hardware_profile,omitempty" description:"Profile."`
}

// schedule starts a transition, in place of one that is under way.
func (s *store) schedule(m *storedMachine, what event, at time.Time, takes time.Duration) {
	m.UnderWay = &transition{what, at, at.Add(takes)}
	s.watch(m)
}

// queued is a machine in the queue and the time when something is due for it. The last element of the queue is due
// first.
type queued struct {
	at time.Time
	m  *storedMachine
}

// compare orders a queue.
func (a queued) compare(b queued) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.m.ID, a.m.ID)) }

// watch puts a machine into the queue for the next time when something is due. Outdated entries do no harm.
func (s *store) watch(m *storedMachine) {
	at, ok := m.nextDue(s.options.GuestBoot)
	if ok && (m.watched.IsZero() || at.Before(m.watched)) {
		m.watched = at
		next := queued{at, m}
		n, _ := slices.BinarySearchFunc(s.due, next, queued.compare)
		s.due = slices.Insert(s.due, n, next)
	}
}

// nextDue returns when something is next due for a machine.
func (m *storedMachine) nextDue(guestBoot time.Duration) (next time.Time, ok bool) {
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

// runDue carries out everything that is due by now, in the order of time, and reports whether there was anything. An
// effect may start more, counted from its own time.
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
		s.record(next.at, cause{})
	}
	return changed
}

// finish applies the effect of a transition.
func (s *store) finish(m *storedMachine, t transition) {
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
