package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Request is one entry of the journal.
type Request struct {
	Time   time.Time
	Method string
	// Path and Query are escaped, as sent. Session IDs and API keys in them are hidden.
	Path  string
	Query string
	// Header is as sent, but Authorization holds only its scheme ("Bearer …").
	Header http.Header
	// Body is as sent, including secrets. It is for assertions in tests, never for logs.
	Body []byte
	// Status is the status of the answer, or 0 if there was none.
	Status int
	// Duration is how long the answer took, on the wall clock.
	Duration time.Duration
	// Reason is the text of a refusal in one line.
	Reason string
	// Fault is the name of the fault that acted on the request.
	Fault string
	// Reached is what the path led to.
	Reached Reached
}

// Reached has the IDs of the objects that a path led to, by name or by ID, including created ones. They are 0 if there
// was none, for example because a fault kept the request from the service.
type Reached struct {
	Account int64 `json:"account,omitempty"`
	Group   int64 `json:"group,omitempty"`
	Machine int64 `json:"virtual_machine,omitempty"`
	Disc    int64 `json:"disc,omitempty"`
	// Event is the number of the event that the request caused, or 0.
	Event int64 `json:"event,omitempty"`
	// Done reports whether the service carried out the request, regardless of its answer.
	Done bool `json:"done"`
}

// journal is the requests so far.
type journal struct {
	requests []Request
	bytes    int // approximate size of the requests
	dropped  int // number of requests that are no longer kept
}

// size returns the approximate memory that a request takes.
func (r Request) size() int {
	n := 512 + len(r.Path) + len(r.Query) + cap(r.Body) + len(r.Reason)
	for name, values := range r.Header {
		for _, value := range values {
			n += 64 + len(name) + len(value)
		}
	}
	return n
}

// add adds a request, and drops the oldest ones beyond a number of bytes; 0 means no limit.
func (j *journal) add(r Request, limit int) {
	j.requests, j.bytes = append(j.requests, r), j.bytes+r.size()
	for limit > 0 && j.bytes > limit && len(j.requests) > 1 {
		j.bytes -= j.requests[0].size()
		j.requests[0] = Request{}
		j.requests, j.dropped = j.requests[1:], j.dropped+1
	}
}

// Journal returns the requests so far, in the order in which they finished. The caller may keep the result.
func (e *Emulator) Journal() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.journal.requests)
}

// LastRequests returns the last n requests, and how many there were since the journal was emptied.
func (e *Emulator) LastRequests(n int) (last []Request, total int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := e.journal.requests
	return slices.Clone(kept[max(0, len(kept)-n):]), e.journal.dropped + len(kept)
}

// ResetJournal empties the journal.
func (e *Emulator) ResetJournal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal = journal{}
}

// note adds a finished request to the journal and the log.
func (e *Emulator) note(request Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.options.NoJournal {
		e.journal.add(request, e.options.JournalBytes)
	}
	if e.options.Log != nil {
		// A log that cannot be written must not stop the service.
		_, _ = fmt.Fprintf(e.options.Log, "%s %s %s %d\n",
			request.Time.Format(time.TimeOnly), request.Method, request.Path, request.Status)
	}
}

// reason returns the text of a refusal, in one line of limited length.
func reason(o outcome) string {
	if o.cut {
		return "the connection was closed"
	}
	if o.status < 400 {
		return ""
	}
	message := string(o.body)
	var found problems
	if json.Unmarshal(o.body, &found) == nil {
		message = found.text()
	}
	line := strings.Join(strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsGraphic(r) }), "; ")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:199]) + "…"
	}
	return line
}
