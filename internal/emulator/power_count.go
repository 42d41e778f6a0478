package emulator

import (
	"net/http"
	"time"
)

// How many changes of power are kept, in memory and in a state.
const (
	keptPowerChanges  = 10_000
	savedPowerChanges = 1000
)

// Power counts the machines that are down.
type Power struct {
	On int `json:"on"`
	// Down is how many machines are off that were on before, without soft-deleted ones.
	Down int `json:"down"`
	// OutOfService is how many machines are down, or on while their guest does not answer, or answers over HTTP with an error.
	OutOfService int `json:"out_of_service"`
	// MaxDown and MaxOutOfService are the most since the start, a reset, or a Load.
	MaxDown         int           `json:"max_down"`
	MaxOutOfService int           `json:"max_out_of_service"`
	Changes         []PowerChange `json:"changes"`
}

// WorldPower is what a state keeps of the counts.
type WorldPower struct {
	MaxDown         int           `json:"max_down,omitempty"`
	MaxOutOfService int           `json:"max_out_of_service,omitempty"`
	Changes         []PowerChange `json:"changes,omitempty"`
}

// world returns the counts as a state has them, nil where nothing was counted.
func (p *Power) world() *WorldPower {
	if p.MaxDown+p.MaxOutOfService+len(p.Changes) == 0 {
		return nil
	}
	return &WorldPower{p.MaxDown, p.MaxOutOfService, p.Changes[max(0, len(p.Changes)-savedPowerChanges):]}
}

// PowerChange is a change of a machine's power, and the counts after it.
type PowerChange struct {
	Time         time.Time `json:"time"`
	Machine      int64     `json:"id"`
	Hostname     string    `json:"hostname"`
	On           bool      `json:"on"`
	Image        string    `json:"image,omitempty"`       // that is installed then
	HTTPStatus   int       `json:"http_status,omitempty"` // that its guest answers then
	Down         int       `json:"down"`
	OutOfService int       `json:"out_of_service"`
}

// switched sets a machine's power at a time, and counts.
func (s *store) switched(m *machine, on bool, at time.Time) {
	m.PowerOn = on
	if on {
		m.OnSince = at
	} else {
		m.WentOff = true
	}
	m.GuestBooting = on && s.options.GuestBoot > 0
	s.countPower(at)
	p := &s.power
	p.Changes = append(p.Changes, PowerChange{at, m.ID, m.hostname(), on, m.LastImagedWith, s.httpStatus(m), p.Down, p.OutOfService})
	if extra := len(p.Changes) - keptPowerChanges; extra >= keptPowerChanges/10 {
		p.Changes = append([]PowerChange(nil), p.Changes[extra:]...)
	}
}

// countPower counts the machines that are down at a time.
func (s *store) countPower(at time.Time) {
	p := &s.power
	p.On, p.Down, p.OutOfService = 0, 0, 0
	for _, m := range s.machines {
		switch {
		case m.Deleted:
		case m.PowerOn:
			p.On++
			if m.Deaf || m.WentOff && !s.answers(m, at) || s.httpStatus(m) >= http.StatusBadRequest {
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
func (e *Emulator) Power() Power {
	var p Power
	e.update(func(s *store) {
		s.countPower(e.now())
		p = s.power
		p.Changes = append([]PowerChange{}, p.Changes...)
	})
	return p
}

// ResetPower resets the count.
func (e *Emulator) ResetPower() {
	e.update(func(s *store) { s.power = Power{} })
}
