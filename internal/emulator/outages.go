// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"net/http"
	"time"
)

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
