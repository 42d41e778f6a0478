// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"cmp"
	"net/http"
	"net/netip"
	"time"
)

// Guest is what answers at a machine's address while the machine is on.
type Guest struct {
	Machine    int64      `json:"id"`
	Hostname   string     `json:"hostname"`
	Address    netip.Addr `json:"address"`
	Deaf       bool       `json:"deaf"`
	Image      string     `json:"image,omitempty"` // the installed distribution
	HTTPStatus int        `json:"http_status"`     // its answer over HTTP
	// Answers reports whether a connection to the guest is accepted now.
	Answers bool `json:"answers"`
}

// answers reports whether the guest of a machine answers at a time.
func (e *Emulator) answers(m *machine, at time.Time) bool {
	return m.PowerOn && !m.Deaf && !at.Before(m.OnSince.Add(e.options.GuestBoot))
}

// httpStatus returns the status that a machine's guest answers over HTTP.
func (m *machine) httpStatus() int {
	return cmp.Or(m.HTTPStatus, http.StatusOK)
}

// guest returns the guest of a machine that has an address, at a time.
func (e *Emulator) guest(m *machine, at time.Time) Guest {
	return Guest{
		Machine: m.ID, Hostname: m.hostname(), Address: m.held[0], Deaf: m.Deaf, Image: m.LastImagedWith,
		HTTPStatus: m.httpStatus(), Answers: e.answers(m, at),
	}
}

// Guests returns the guests of the machines that are on and have an address in GuestIPv4, by machine ID.
func (e *Emulator) Guests() (list []Guest) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := now()
	if e.runDue(at) {
		e.changes++
	}
	inRange := netip.MustParsePrefix(GuestIPv4)
	for _, m := range e.world.sorted() {
		if m.PowerOn && len(m.held) > 0 && inRange.Contains(m.held[0]) {
			list = append(list, e.guest(m, at))
		}
	}
	return list
}

// GuestAt returns the guest at an address, if one answers there.
func (e *Emulator) GuestAt(at netip.Addr) (guest Guest, ok bool) {
	e.update(func() {
		if m := e.world.holders[at]; m != nil && e.answers(m, now()) {
			guest, ok = e.guest(m, now()), true
		}
	})
	return guest, ok
}

// Power counts the machines that are down.
type Power struct {
	// Down is the number of machines that are off and were on before, not counting soft-deleted ones.
	Down int `json:"down"`
	// OutOfService is the number of machines that are down, or whose guest does not answer or answers over HTTP with an
	// error.
	OutOfService int `json:"out_of_service"`
	// MaxDown and MaxOutOfService are the maximum values since the start, a reset, or a Load.
	MaxDown         int           `json:"max_down"`
	MaxOutOfService int           `json:"max_out_of_service"`
	Changes         []PowerChange `json:"changes"` // since then
}

// PowerChange is a change of a machine's power.
type PowerChange struct {
	Time    time.Time `json:"time"`
	Machine int64     `json:"id"`
	On      bool      `json:"on"`
}

// switched sets a machine's power at a time, and counts the change.
func (e *Emulator) switched(m *machine, on bool, at time.Time) {
	m.PowerOn = on
	if on {
		m.OnSince = at
	} else {
		m.WentOff = true
	}
	e.countPower(at)
	e.power.Changes = append(e.power.Changes, PowerChange{at, m.ID, on})
}

// countPower counts the machines that are down at a time.
func (e *Emulator) countPower(at time.Time) {
	p := &e.power
	p.Down, p.OutOfService = 0, 0
	for _, m := range e.world.machines {
		switch {
		case m.Deleted:
		case m.PowerOn:
			if m.Deaf || m.WentOff && !e.answers(m, at) || m.httpStatus() >= http.StatusBadRequest {
				p.OutOfService++
			}
		case m.WentOff:
			p.Down++
			p.OutOfService++
		}
	}
	p.MaxDown, p.MaxOutOfService = max(p.MaxDown, p.Down), max(p.MaxOutOfService, p.OutOfService)
}

// Power returns how many machines are down, and when power changed.
func (e *Emulator) Power() (p Power) {
	e.update(func() {
		e.countPower(now())
		p = e.power
		p.Changes = append([]PowerChange{}, p.Changes...)
	})
	return p
}

// ResetPower resets the count.
func (e *Emulator) ResetPower() { e.update(func() { e.power = Power{} }) }
