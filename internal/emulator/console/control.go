package console

import (
	"bytes"
	"encoding/json"
	"errors"
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
	handle      http.HandlerFunc
}

// endpoints returns the control paths.
func (d *desk) endpoints() []endpoint {
	return []endpoint{
		{"GET /_emulator", "This list.", d.list},
		{"GET /_emulator/world", "The world as JSON; a seed for -seed.", d.world},
		{"GET /_emulator/schema", "The JSON Schema of worlds.", d.schema},
		{"GET /_emulator/worlds", "The worlds that are kept.", d.listWorlds},
		{"PUT /_emulator/worlds/{name}", "Keeps the present world, with its faults and its clock.", d.keepWorld},
		{"GET /_emulator/worlds/{name}", "A kept world as JSON.", d.showWorld},
		{"POST /_emulator/worlds/{name}/load", "Brings a kept world back.", d.loadKeptWorld},
		{"DELETE /_emulator/worlds/{name}", "Forgets a kept world.", d.deleteWorld},
		{"GET /_emulator/clock", `The emulator's time, {"now": …}.`, d.clock},
		{"POST /_emulator/clock", `Moves it on, {"advance": "48h"}, or sets it, {"set": "2026-01-01T00:00:00Z"}; what is due happens.`, d.setClock},
		{"GET /_emulator/staff", "The events that others cause.", d.listEvents},
		{"POST /_emulator/staff", `Lets one happen, such as {"event": "host-failure", "virtual_machine": "web1"}.`, d.playEvent},
		{"GET /_emulator/requests", "Counts requests: method=, path=, status= and since= choose some; * is any text.", d.requests},
		{"GET /_emulator/journal", "The last requests, the oldest first.", d.journal},
		{"DELETE /_emulator/journal", "Empties the journal.", d.resetJournal},
		{"GET /_emulator/faults", "The faults that still act.", d.listFaults},
		{"POST /_emulator/faults", "Injects a fault, as JSON or as text like that of -fault.", d.addFault},
		{"DELETE /_emulator/faults", "Removes every fault.", d.removeFaults},
		{"DELETE /_emulator/faults/{id}", "Removes one fault.", d.removeFaults},
		{"GET /_emulator/guests", "The guests of machines that are on: whether they answer (-guest-port).", d.listGuests},
		{"PUT /_emulator/guests/{machine}", `Makes a guest deaf, {"deaf": true}, or lets it answer again.`, d.setDeaf},
		{"GET /_emulator/power", "How many machines are down, the most at a time so far, and each change of power.", d.power},
		{"DELETE /_emulator/power", "Resets the count.", d.resetPower},
		{"POST /_emulator/expire-sessions", "Ends every session.", d.expireSessions},
		{"POST /_emulator/reset", "Restores the world and the faults of the start, and empties the journal.", d.resetWorld},
	}
}

// isConsolePath reports whether a path is the console's and not the service's.
func isConsolePath(path string) bool {
	return path == "/" || path == "/_emulator" || strings.HasPrefix(path, "/_emulator/")
}

// control returns the handler of the control paths.
func (d *desk) control() http.Handler {
	mux := http.NewServeMux()
	for _, e := range d.endpoints() {
		mux.HandleFunc(e.Call, e.handle)
	}
	return mux
}

// root is the page for browsers and a list of endpoints for programs.
func (d *desk) root(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		d.page(w, r)
		return
	}
	d.list(w, r)
}

func (d *desk) list(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"name": "emulator", "endpoint": "http://" + r.Host, "definitions": "/definitions", "control": d.endpoints(),
	})
}

func (d *desk) world(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	// The client may be gone.
	_, _ = w.Write(d.emulator.Dump())
}

func (d *desk) schema(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/schema+json")
	// The client may be gone.
	_, _ = w.Write(emulator.Schema)
}

func (d *desk) expireSessions(w http.ResponseWriter, _ *http.Request) {
	d.emulator.ExpireSessions()
	w.WriteHeader(http.StatusNoContent)
}

func (d *desk) resetWorld(w http.ResponseWriter, _ *http.Request) { done(w, d.reset()) }

func (d *desk) listFaults(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, d.emulator.Faults())
}

// readBody returns the body of a control request; ok is false when it was refused.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBody))
	if err != nil {
		http.Error(w, "the body is too large or incomplete", http.StatusRequestEntityTooLarge)
		return nil, false
	}
	return body, true
}

// readObject reads the body of a control request into an object with known attributes; ok is false when it was refused.
func readObject(w http.ResponseWriter, r *http.Request, into any) (ok bool) {
	body, ok := readBody(w, r)
	if !ok {
		return false
	}
	if err := decodeObject(body, into); err != nil {
		http.Error(w, "invalid body: "+err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

// decodeObject decodes JSON and refuses unknown attributes.
func decodeObject(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// done answers a control request that changed something, or could not.
func done(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (d *desk) addFault(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	fault, err := readFault(body)
	if err != nil {
		http.Error(w, "invalid fault: "+err.Error(), http.StatusBadRequest)
		return
	}
	d.emulator.Inject(fault)
	list := d.emulator.Faults()
	answer(w, http.StatusCreated, list[len(list)-1])
}

// readFault reads a fault as JSON, or as text like that of -fault.
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

func (d *desk) removeFaults(w http.ResponseWriter, r *http.Request) {
	id := 0
	if written := r.PathValue("id"); written != "" {
		var err error
		if id, err = strconv.Atoi(written); err != nil || id <= 0 {
			http.Error(w, "no such fault", http.StatusNotFound)
			return
		}
	}
	if !d.emulator.RemoveFaults(id) && id != 0 {
		http.Error(w, "no such fault", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// answer sends a value as JSON.
func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// The client may be gone.
	_ = encoder.Encode(value)
}
