package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Request is one entry of the journal.
type Request struct {
	Time   time.Time
	Method string
	// Path and Query are as sent, still escaped. Session ids and API keys in them are hidden.
	Path  string
	Query string
	// Header is as sent, but Authorization holds only its scheme ("Bearer …").
	Header http.Header
	// Body is as sent, including secrets: it is for assertions, never for logs.
	Body []byte
	// Status is the status of the answer; 0 when there was none.
	Status int
	// Duration is how long the answer took, on the wall clock.
	Duration time.Duration
	// Reason is what a refusal said, in one line.
	Reason string
	// Reached is what the path led to.
	Reached Reached
}

// Reached holds the ids of the objects that a path led to, whether it named them by name or by id: 0 for none, as where a
// fault kept the request from the service. Created objects are among them.
type Reached struct {
	Account, Group, Machine, Disc int64
	// Done reports whether the service did what was asked, whatever it answered.
	Done bool
}

// Journal returns the requests so far, in the order in which they finished. The caller may keep the result.
func (e *Emulator) Journal() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.journal)
}

// ResetJournal empties the journal.
func (e *Emulator) ResetJournal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal = nil
}

// note adds a finished request to the journal and the log.
func (e *Emulator) note(request Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.options.NoJournal {
		e.journal = append(e.journal, request)
		if size := e.options.JournalSize; size > 0 && len(e.journal) > size {
			e.journal = slices.Delete(e.journal, 0, len(e.journal)-size)
		}
	}
	if e.options.Log != nil {
		// A log that cannot be written must not stop the service.
		_, _ = fmt.Fprintf(e.options.Log, "%s %s %s %d\n",
			request.Time.Format(time.TimeOnly), request.Method, request.Path, request.Status)
	}
}
