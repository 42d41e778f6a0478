package emulator

import (
	"net/http"
	"net/netip"
	"regexp"
	"time"
)

// Guest is what answers at a machine's address while the machine is on.
type Guest struct {
	Machine  int64      `json:"id"`
	Hostname string     `json:"hostname"`
	Address  netip.Addr `json:"address"`
	Deaf     bool       `json:"deaf"`
	// Image is the installed distribution, and Images the number of installations so far.
	Image  string `json:"image,omitempty"`
	Images int    `json:"-"`
	// HTTPStatus is the guest's answer over HTTP, and HostKey its private host key in PEM; "" means a generated one.
	HTTPStatus int    `json:"http_status"`
	HostKey    string `json:"-"`
	// Answers reports whether a connection to the guest is accepted now.
	Answers bool `json:"answers"`
}

// answers reports whether the guest of a machine answers at a time.
func (s *store) answers(m *storedMachine, at time.Time) bool {
	return m.PowerOn && !m.Deaf && !at.Before(m.OnSince.Add(s.options.GuestBoot))
}

// guest returns the guest of a machine that is on, at a time.
func (s *store) guest(m *storedMachine, at time.Time) Guest {
	return Guest{
		Machine: m.ID, Hostname: m.hostname(), Address: m.held[0], Deaf: m.Deaf, Image: m.LastImagedWith, Images: m.Images,
		HTTPStatus: s.httpStatus(m), HostKey: orElse(m.SSHHostKey, m.ScriptHostKey), Answers: s.answers(m, at),
	}
}

// httpStatus returns the status that a machine's guest answers over HTTP.
func (s *store) httpStatus(m *storedMachine) int {
	return orElse(orElse(m.HTTPStatus, s.images[m.LastImagedWith]), http.StatusOK)
}

// Guests returns the guests of the machines that are on and have an address in GuestIPv4, by machine ID, and the time
// until something changes without a request. ok is false if nothing will.
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
		guest := e.store.guest(m, now)
		if !guest.Answers && !guest.Deaf {
			earlier(m.OnSince.Add(e.options.GuestBoot))
		}
		list = append(list, guest)
	}
	return list, next, ok
}

// SetDeaf stops a machine's guest from answering, or lets it answer again. It reports whether the machine exists.
func (e *Emulator) SetDeaf(id int64, deaf bool) (found bool) {
	e.withMachine(id, func(s *store, m *storedMachine) {
		m.Deaf, found = deaf, true
		s.countPower(e.now())
	})
	return found
}

// SetHTTPStatus sets the status that a machine's guest answers over HTTP; 0 means that of its image. It reports whether
// the machine exists.
func (e *Emulator) SetHTTPStatus(id int64, status int) (found bool) {
	e.withMachine(id, func(s *store, m *storedMachine) {
		m.HTTPStatus, found = status, true
		s.countPower(e.now())
	})
	return found
}

// SetSSHHostKey sets the private host key of a machine's guest, in PEM; "" restores the previous one. It reports
// whether the machine exists.
func (e *Emulator) SetSSHHostKey(id int64, key string) (found bool) {
	e.withMachine(id, func(_ *store, m *storedMachine) { m.SSHHostKey, found = key, true })
	return found
}

// SetImageStatus sets the status that guests with an image answer over HTTP; 0 means 200. It can play a bad release.
func (e *Emulator) SetImageStatus(distribution string, status int) {
	e.update(func(s *store) {
		if s.images[distribution] = status; status == 0 {
			delete(s.images, distribution)
		}
		s.countPower(e.now())
	})
}

// GuestAt returns the guest at an address, if one answers there.
func (e *Emulator) GuestAt(at netip.Addr) (guest Guest, ok bool) {
	e.update(func(s *store) {
		if held := s.addresses[at]; held != nil && s.answers(held.machine, e.now()) {
			guest, ok = s.guest(held.machine, e.now()), true
		}
	})
	return guest, ok
}

// Watch sets the function to be called after anything that may have changed a machine, before the change is answered.
func (e *Emulator) Watch(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watcher = f
}

// changed calls the function set by Watch. The caller does not hold the lock.
func (e *Emulator) changed() {
	e.mu.Lock()
	f := e.watcher
	e.mu.Unlock()
	if f != nil {
		f()
	}
}

// privateKey matches a key in PEM, as it may be part of a first boot script.
var privateKey = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----`)

// hostKeyIn returns the private key in a first boot script, which the script would install.
func hostKeyIn(script string) string { return privateKey.FindString(script) }
