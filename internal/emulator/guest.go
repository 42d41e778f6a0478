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
	if m.HTTPStatusImage != "" && m.HTTPStatusImage != m.LastImagedWith {
		return http.StatusOK
	}
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
