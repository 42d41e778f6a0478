package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// maxControlBody limits the body of a control request, in bytes.
const maxControlBody = 1 << 16

// endpoint is one control path, as GET /_emulator lists it.
type endpoint struct {
	Call        string `json:"call"`
	Description string `json:"description"`
	handle      handler
}

// handler answers a control request with a value that is sent as JSON, or nil for no body. An error is blamed on the
// client, unless it is a failure.
type handler func(*http.Request) (any, error)

// failure is an error with a status of its own.
type failure struct {
	status int
	error
}

// showing returns a handler that answers with the result of f. It refuses a query, which f would ignore.
func showing[T any](f func() T) handler {
	return func(r *http.Request) (any, error) {
		if r.URL.RawQuery != "" {
			return nil, errors.New("this path has no parameters; GET /_emulator/requests chooses requests")
		}
		return f(), nil
	}
}

// doing returns a handler that calls f.
func doing(f func()) handler {
	return func(*http.Request) (any, error) { f(); return nil, nil }
}

// endpoints returns the control paths.
func (d *desk) endpoints() []endpoint {
	return []endpoint{
		{"GET /_emulator", "This list.", d.list},
		{"GET /_emulator/world", "The world as JSON; a seed for --seed.", showing(func() json.RawMessage { return d.emulator.Dump() })},
		{"GET /_emulator/schema", "The JSON Schema of worlds.", showing(func() json.RawMessage { return emulator.Schema })},
		{"GET /_emulator/worlds", "The worlds that are kept.", showing(d.worlds.list)},
		{"PUT /_emulator/worlds/{name}", "Keeps the present world, with its faults and its clock.", d.keepWorld},
		{"GET /_emulator/worlds/{name}", "A kept world as JSON.", d.withWorld(showWorld)},
		{"POST /_emulator/worlds/{name}/load", "Brings a kept world back.", d.withWorld(d.loadKeptWorld)},
		{"DELETE /_emulator/worlds/{name}", "Forgets a kept world.", d.withWorld(d.deleteWorld)},
		{"GET /_emulator/clock", `The emulator's time, {"now": …}.`, showing(d.clock)},
		{"POST /_emulator/clock", `Moves it on, {"advance": "48h"}, or sets it, {"set": "2026-01-01T00:00:00Z"}; what is due happens.`, d.setClock},
		{"GET /_emulator/staff", "The events that others cause.", showing(kindsOfEvents)},
		{"POST /_emulator/staff", `Lets one happen, such as {"event": "host-failure", "virtual_machine": "web1"}.`, d.playEvent},
		{"GET /_emulator/requests", "Counts requests: method=, path=, status= and since= choose some; * is any text.", d.requests},
		{"GET /_emulator/journal", "The last requests, the oldest first.", showing(d.journal)},
		{"GET /_emulator/events", "What happened to machines and groups, the oldest first.", showing(d.emulator.Events)},
		{"DELETE /_emulator/journal", "Empties the journal.", doing(d.emulator.ResetJournal)},
		{"GET /_emulator/faults", "The faults, and how often each has acted; also those that are used up.", showing(d.emulator.AllFaults)},
		{"POST /_emulator/faults", "Injects a fault, as JSON or as text like that of --fault.", d.addFault},
		{"DELETE /_emulator/faults", "Removes every fault.", doing(func() { d.emulator.RemoveFaults(0); d.emulator.Note("every fault removed") })},
		{"DELETE /_emulator/faults/{id}", "Removes one fault.", d.removeFault},
		{"GET /_emulator/guests", "The guests of machines that are on: whether and what they answer (--guest-port, --guest-http, --guest-ssh).", showing(d.listGuests)},
		{"PUT /_emulator/guests/{machine}", `Makes a guest deaf, {"deaf": true}, or lets it answer again; sets {"http_status": 503} or {"ssh_host_key": "-----BEGIN …"}.`, d.setGuest},
		{"PUT /_emulator/images/{distribution}", `Sets what guests with this image answer over HTTP, {"http_status": 503}.`, d.setImage},
		{"GET /_emulator/power", "How many machines are down, the most at a time so far, and each change of power.", showing(d.emulator.Power)},
		{"DELETE /_emulator/power", "Resets the count.", doing(d.emulator.ResetPower)},
		{"POST /_emulator/expire-sessions", "Ends every session.", doing(d.expireSessions)},
		{"POST /_emulator/reset", "Restores the world and the faults of the start, and empties the journal.", func(*http.Request) (any, error) { return nil, d.reset() }},
	}
}

// isConsolePath reports whether a path belongs to the console and not to the service.
func isConsolePath(path string) bool {
	return path == "/" || path == "/_emulator" || strings.HasPrefix(path, "/_emulator/")
}

// control returns the handler of the control paths.
func (d *desk) control() http.Handler {
	mux := http.NewServeMux()
	for _, e := range d.endpoints() {
		mux.HandleFunc(e.Call, e.handle.serve)
	}
	return mux
}

func (h handler) serve(w http.ResponseWriter, r *http.Request) {
	value, err := h(r)
	if err != nil {
		status := http.StatusBadRequest
		if failed, ok := errors.AsType[failure](err); ok {
			status = failed.status
		}
		http.Error(w, err.Error(), status)
		return
	}
	if value == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// The client may be gone.
	_ = encoder.Encode(value)
}

// root answers with the page for browsers, or with a list of endpoints for programs.
func (d *desk) root(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		d.page(w, r)
		return
	}
	handler(d.list).serve(w, r)
}

func (d *desk) list(r *http.Request) (any, error) {
	return map[string]any{
		"name": "emulator", "endpoint": "http://" + r.Host, "definitions": "/definitions", "control": d.endpoints(),
	}, nil
}

// readBody returns the body of a control request.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxControlBody))
	if err != nil {
		return nil, failure{http.StatusRequestEntityTooLarge, errors.New("the body is too large or incomplete")}
	}
	return body, nil
}

// readObject decodes the body of a control request, and refuses unknown attributes.
func readObject(r *http.Request, into any) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if err := decodeObject(body, into); err != nil {
		return fmt.Errorf("invalid body: %w", err)
	}
	return nil
}

// decodeObject decodes JSON, and refuses unknown attributes.
func decodeObject(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

func (d *desk) addFault(r *http.Request) (any, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	fault, err := readFault(body)
	if err != nil {
		return nil, fmt.Errorf("invalid fault: %w", err)
	}
	if len(d.emulator.Faults()) >= emulator.MaxFaults {
		return nil, failure{http.StatusInsufficientStorage, fmt.Errorf("there are %d faults already; remove some", emulator.MaxFaults)}
	}
	d.emulator.Inject(fault)
	d.emulator.Note("fault injected: " + fault.Name)
	list := d.emulator.Faults()
	return list[len(list)-1], nil
}

// readFault decodes a fault from JSON, or from text in the format of --fault.
func readFault(body []byte) (emulator.Fault, error) {
	if !strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		return parseFault(string(body))
	}
	var spec faultSpec
	if err := decodeObject(body, &spec); err != nil {
		return emulator.Fault{}, err
	}
	return spec.Fault()
}

func (d *desk) removeFault(r *http.Request) (any, error) {
	if id, err := strconv.Atoi(r.PathValue("id")); err != nil || id <= 0 || !d.emulator.RemoveFaults(id) {
		return nil, failure{http.StatusNotFound, errors.New("no such fault")}
	}
	d.emulator.Note("fault " + r.PathValue("id") + " removed")
	return nil, nil
}
