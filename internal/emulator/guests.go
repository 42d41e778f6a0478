package emulator

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// Guest is what answers at a machine's address while the machine is on.
type Guest struct {
	Machine  int64      `json:"id"`
	Hostname string     `json:"hostname"`
	Address  netip.Addr `json:"address"`
	Deaf     bool       `json:"deaf"`
	// Answers reports whether a connection to it is accepted now.
	Answers bool `json:"answers"`
}

// answers reports whether the guest of a machine answers at a time.
func (s *store) answers(m *machine, at time.Time) bool {
	return m.PowerOn && !m.Deaf && !at.Before(m.OnSince.Add(s.options.GuestBoot))
}

// Guests returns the guests of the machines that are on and have an address in GuestIPv4, by their machines' ids, and how long
// it takes until something changes by itself; ok is false if nothing will.
func (e *Emulator) Guests() (list []Guest, next time.Duration, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	if e.store.runDue(now) {
		e.changes++
	}
	earlier := func(at time.Time) {
		if wait := at.Sub(now); !ok || wait < next {
			next, ok = wait, true
		}
	}
	if len(e.store.due) > 0 {
		earlier(e.store.due[len(e.store.due)-1].at)
	}
	inRange := prefixes(GuestIPv4)[0]
	for _, m := range sortedByID(e.store.machines) {
		if !m.PowerOn || len(m.held) == 0 || !inRange.Contains(m.held[0]) {
			continue
		}
		guest := Guest{m.ID, m.hostname(), m.held[0], m.Deaf, e.store.answers(m, now)}
		if !guest.Answers && !guest.Deaf {
			earlier(m.OnSince.Add(e.options.GuestBoot))
		}
		list = append(list, guest)
	}
	return list, next, ok
}

// SetDeaf keeps the guest of a machine from answering, or lets it answer again, and reports whether there is the machine.
func (e *Emulator) SetDeaf(id int64, deaf bool) (found bool) {
	e.withMachine(id, func(s *store, m *machine) {
		m.Deaf, found = deaf, true
		s.countPower(e.now())
	})
	return found
}

// Watch has f called after whatever may have changed a machine, before the change is answered. There is one such f.
func (e *Emulator) Watch(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watcher = f
}

// changed calls what Watch was given. The caller does not hold the lock.
func (e *Emulator) changed() {
	e.mu.Lock()
	f := e.watcher
	e.mu.Unlock()
	if f != nil {
		f()
	}
}

// DialGuest connects to the guest at an address in memory, without sockets, so that it works with testing/synctest. Every
// port answers. Where no guest answers, the connection is refused.
func (e *Emulator) DialGuest(ctx context.Context, network, address string) (net.Conn, error) {
	refused := &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	if err := ctx.Err(); err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	answers := false
	e.update(func(s *store) {
		held := s.addresses[at.Addr()]
		answers = held != nil && s.answers(held.machine, e.now())
	})
	if !answers {
		return nil, refused
	}
	client, server := net.Pipe()
	return client, server.Close()
}
