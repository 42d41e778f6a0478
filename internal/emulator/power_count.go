package emulator

import (
	"net/http"
	"time"
)

// How many changes of power are kept in memory and in a state.
const (
	keptPowerChanges  = 10_000
	savedPowerChanges = 1000
)

// Power counts the machines that are down.
type Power struct {
	On int `json:"on"`
	// Down is the number of machines that are off and were on before, not counting soft-deleted ones.
	Down int `json:"down"`
	// OutOfService is the number of machines that are down, or whose guest does not answer or answers over HTTP with an
	// error.
	OutOfService int `json:"out_of_service"`
	// MaxDown and MaxOutOfService are the maximum values since the start, a reset, or a Load.
	MaxDown         int           `json:"max_down"`
	MaxOutOfService int           `json:"max_out_of_service"`
	Changes         []PowerChange `json:"changes"`
}

// WorldPower are the counts that a state keeps.
type WorldPower struct {
	MaxDown         int           `json:"max_down,omitempty" minimum:"0" description:"The most that were down at a time."`
	MaxOutOfService int           `json:"max_out_of_service,omitempty" minimum:"0" description:"The most that were down, or on while their guests did not answer."`
	Changes         []PowerChange `json:"changes,omitempty" description:"The last changes of power."`
}

// world returns the counts for a state, or nil if nothing was counted.
func (p *Power) world() *WorldPower {
	if p.MaxDown+p.MaxOutOfService+len(p.Changes) == 0 {
		return nil
	}
	return &WorldPower{p.MaxDown, p.MaxOutOfService, p.Changes[max(0, len(p.Changes)-savedPowerChanges):]}
}

// PowerChange is a change of a machine's power, with the counts after it.
type PowerChange struct {
	Time         time.Time `json:"time" description:"When."`
	Machine      int64     `json:"id" description:"ID of the machine."`
	Hostname     string    `json:"hostname" required:"false" description:"Its hostname."`
	On           bool      `json:"on" description:"Whether it came on."`
	Image        string    `json:"image,omitempty" description:"Distribution that was installed then."`         // that is installed then
	HTTPStatus   int       `json:"http_status,omitempty" description:"What its guest answered over HTTP then."` // that its guest answers then
	Down         int       `json:"down" minimum:"0" required:"false" description:"How many were down then."`
	OutOfService int       `json:"out_of_service" minimum:"0" required:"false" description:"How many were down, or on without an answering guest."`
}

// switched sets a machine's power at a time, and counts the change.
func (s *store) switched(m *storedMachine, on bool, at time.Time) {
	m.PowerOn = on
	if on {
		m.OnSince = at
	} else {
		m.WentOff = true
	}
	m.GuestBooting = on && s.options.GuestBoot > 0
	s.countPower(at)
	p := &s.power
	p.Changes = append(p.Changes, PowerChange{
		at, m.ID, m.hostname(), on, m.LastImagedWith, s.httpStatus(m), p.Down, p.OutOfService,
	})
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
