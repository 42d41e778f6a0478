package emulator

import (
	"slices"
	"time"
)

// picture is a machine at one instant, with everything that an event may describe.
type picture struct {
	Machine
	power        string
	image        string // being installed, or to be installed
	pending      pending
	guestBooting bool
	onSince      time.Time
	rdns         map[string]string // by address
}

// picture returns the current picture of a machine, or nil if the store no longer has it.
func (s *store) picture(m *storedMachine) *picture {
	if s.machines[m.ID] != m {
		return nil
	}
	p := &picture{Machine: m.export(), power: m.power(), guestBooting: m.GuestBooting, onSince: m.OnSince}
	if m.Image != nil {
		p.image = m.Image.Distribution
	}
	if m.Pending != nil {
		p.pending = *m.Pending
	}
	for _, address := range m.held {
		if held := s.addresses[address]; held != nil && held.rdns != "" {
			if p.rdns == nil {
				p.rdns = map[string]string{}
			}
			p.rdns[address.String()] = held.rdns
		}
	}
	return p
}

// answers reports whether the machine's guest answers.
func (p *picture) answers() bool { return p.PowerOn && !p.Deaf && !p.guestBooting }

// discWith returns the disc with an id.
func discWith(discs []Disc, id int64) (*Disc, bool) {
	return at(discs, slices.IndexFunc(discs, func(d Disc) bool { return d.ID == id }))
}

// move names the machines that a disc was on and is on.
type move struct{ from, to string }

// movedDiscs returns the discs that moved between touched machines, by ID.
func (s *store) movedDiscs(touched []*storedMachine) map[int64]move {
	moved := map[int64]move{}
	for _, m := range touched {
		before := s.events.touched[m]
		if before == nil || len(touched) < 2 {
			continue
		}
		for _, d := range before.Discs {
			for _, other := range touched {
				if _, ok := discWith(other.Discs, d.ID); ok && other != m {
					moved[d.ID] = move{before.Name, other.Name}
				}
			}
		}
	}
	return moved
}
