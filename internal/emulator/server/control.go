// SPDX-License-Identifier: MPL-2.0

package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// controlPath is one control path, as GET /_emulator lists it.
type controlPath struct {
	Call        string `json:"call"`
	Description string `json:"description"`
	handle      handler
}

// handler answers a control request with a value that is sent as JSON, or nil for no body. An error is blamed on the
// client; errNotFound is answered with 404.
type handler func(r *http.Request, body []byte) (any, error)

var errNotFound = errors.New("there is no")

// controlPaths returns the control paths.
func (s *server) controlPaths() []controlPath {
	show := func(value func() any) handler {
		return func(*http.Request, []byte) (any, error) { return value(), nil }
	}
	act := func(effect func()) handler {
		return func(*http.Request, []byte) (any, error) {
			effect()
			return nil, nil
		}
	}
	e := s.emulator
	world := show(func() any { return json.RawMessage(e.Dump()) })
	faults := show(func() any { return e.Faults() })
	power := show(func() any { return e.Power() })
	return []controlPath{
		{"GET /_emulator", "This list.", s.list},
		{"GET /_emulator/world", "The world as JSON; a seed for --seed.", world},
		{"POST /_emulator/reset", "Restores the world and the faults of the start; forgets the requests.", s.reset},
		{"GET /_emulator/requests", "The last requests: method=, path= and status= choose some; * is any text.", s.requests},
		{"GET /_emulator/faults", "The faults, and how often each has acted; also those that are used up.", faults},
		{"POST /_emulator/faults", "Injects a fault, as text like that of --fault, or as JSON.", s.addFault},
		{"DELETE /_emulator/faults", "Removes every fault.", act(e.RemoveFaults)},
		{"DELETE /_emulator/faults/{id}", "Removes one fault.", s.removeFault},
		{"GET /_emulator/power", "How many machines are down, the most at a time so far, and each change of power.", power},
		{"DELETE /_emulator/power", "Resets the count.", act(e.ResetPower)},
		{"GET /_emulator/guests", "The guests of machines that are on (--guest-port).", s.listGuests},
		{"PUT /_emulator/guests/{machine}", `What a guest answers: {"deaf": true}, {"http_status": 503}, {"http_status": 503, "image": "trixie"}.`, s.setGuest},
	}
}

// control returns the handler of the control paths and the page.
func (s *server) control() http.Handler {
	mux := http.NewServeMux()
	for _, p := range s.controlPaths() {
		mux.HandleFunc(p.Call, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, p.handle) })
	}
	mux.HandleFunc("GET /{$}", s.page)
	return mux
}

func (s *server) removeFault(r *http.Request, _ []byte) (any, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || !s.emulator.RemoveFault(id) {
		return nil, fmt.Errorf("%w fault %s", errNotFound, r.PathValue("id"))
	}
	return nil, nil
}

// answer answers a control request, after its effect is saved.
func (s *server) answer(w http.ResponseWriter, r *http.Request, handle handler) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the body is incomplete", http.StatusBadRequest)
		return
	}
	var value any
	var refused error
	err = s.emulator.Alone(r.Context(), func() { value, refused = handle(r, body) })
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case errors.Is(refused, errNotFound):
		http.Error(w, refused.Error(), http.StatusNotFound)
	case refused != nil:
		http.Error(w, refused.Error(), http.StatusBadRequest)
	case value == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", "application/json")
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		_ = encoder.Encode(value) // the client may be gone
	}
}

func (s *server) list(r *http.Request, _ []byte) (any, error) {
	return map[string]any{"name": "emulator", "endpoint": "http://" + r.Host, "control": s.controlPaths()}, nil
}

func (s *server) reset(*http.Request, []byte) (any, error) {
	if err := s.emulator.Load(s.seed); err != nil {
		return nil, err
	}
	s.emulator.ResetFaults()
	s.emulator.ResetJournal()
	return nil, nil
}

// entry is a request in a list. It contains no secrets.
type entry struct {
	emulator.Request
	Body       any     `json:"body,omitempty"`
	DurationMS float64 `json:"duration_ms"`
}

func (s *server) requests(r *http.Request, _ []byte) (any, error) {
	pattern := "(?s)^"
	for _, name := range []string{"method", "path", "status"} {
		wanted := "*"
		if r.URL.Query().Has(name) {
			wanted = r.URL.Query().Get(name)
		}
		pattern += emulator.Glob(wanted) + " "
	}
	wanted, err := regexp.Compile(pattern + "$")
	if err != nil {
		return nil, err
	}
	list := []entry{}
	for _, request := range s.emulator.Journal() {
		if wanted.MatchString(fmt.Sprintf("%s %s %d ", request.Method, request.Path, request.Status)) {
			took := float64(request.Duration.Microseconds()) / 1000
			list = append(list, entry{Request: request, Body: request.ShownBody(), DurationMS: took})
		}
	}
	return map[string]any{"count": len(list), "requests": list, "dropped": s.emulator.Dropped()}, nil
}

func (s *server) addFault(_ *http.Request, body []byte) (any, error) {
	fault, err := emulator.ParseFault(string(body))
	if err != nil {
		return nil, fmt.Errorf("invalid fault: %w", err)
	}
	s.emulator.Inject(fault)
	list := s.emulator.Faults()
	return list[len(list)-1], nil
}

func (s *server) listGuests(*http.Request, []byte) (any, error) {
	port, guests := uint16(0), []emulator.Guest{}
	if s.guests != nil {
		port, guests = s.guests.Port(), append(guests, s.emulator.Guests()...)
	}
	return map[string]any{"port": port, "guests": guests}, nil
}

func (s *server) setGuest(r *http.Request, body []byte) (any, error) {
	var wanted struct {
		Deaf       *bool  `json:"deaf"`
		HTTPStatus *int   `json:"http_status"`
		Image      string `json:"image"` // with which the guest answers so
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wanted); err != nil {
		return nil, err
	}
	if wanted.HTTPStatus == nil && (wanted.Deaf == nil || wanted.Image != "") {
		return nil, errors.New(`send {"deaf": true}, {"deaf": false}, {"http_status": 503} or {"http_status": 503, "image": "trixie"}`)
	}
	if status := wanted.HTTPStatus; status != nil && *status != 0 && (*status < 200 || *status > 599) {
		return nil, fmt.Errorf("http_status is %d: it must be from 200 to 599, or 0 for 200", *status)
	}
	id, err := s.machine(r.PathValue("machine"))
	if err != nil {
		return nil, err
	}
	return nil, s.emulator.Change(id, func(m *emulator.Machine) {
		if wanted.Deaf != nil {
			m.Deaf = *wanted.Deaf
		}
		if wanted.HTTPStatus != nil {
			m.HTTPStatus, m.HTTPStatusImage = *wanted.HTTPStatus, wanted.Image
		}
	})
}

// machine returns the ID of the machine with an ID, a name or a hostname, or the beginning of a hostname, such as
// web1.default.
func (s *server) machine(meant string) (int64, error) {
	var found []emulator.Machine
	for _, m := range s.emulator.Machines() {
		if meant == strconv.FormatInt(m.ID, 10) || strings.HasPrefix(m.Hostname+".", meant+".") {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("%w virtual machine %q", errNotFound, meant)
	case 1:
		return found[0].ID, nil
	}
	return 0, fmt.Errorf("%q may be %s or %s", meant, found[0].Hostname, found[1].Hostname)
}
