package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is one entry of the journal.
type Request struct {
	Time   time.Time
	Method string
	// Path is as it was sent, still escaped; a session id in it is hidden.
	Path  string
	Query string
	// Header is as sent, but Authorization holds its scheme only ("Bearer …").
	Header http.Header
	// Body is as sent, secrets included: it is for assertions, never for logs.
	Body []byte
	// Status is what was answered; 0 when there was no answer.
	Status int
}

// Journal returns the requests so far, in the order in which they were
// finished. The caller may keep the result.
func (e *Emulator) Journal() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.journal)
}

// ResetJournal forgets the requests so far.
func (e *Emulator) ResetJournal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal = nil
}

// note records a finished request in the journal and the log.
func (e *Emulator) note(request Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.options.NoJournal {
		e.journal = append(e.journal, request)
	}
	if e.options.Log != nil {
		// A log that cannot be written to must not stop the service.
		_, _ = fmt.Fprintf(e.options.Log, "%s %s %s %d\n",
			request.Time.Format(time.TimeOnly), request.Method, request.Path, request.Status)
	}
}

// describe makes the journal's entry of a request that has just arrived.
func describe(r *http.Request, body []byte, now time.Time) Request {
	header := r.Header.Clone()
	if authorization := header.Get("Authorization"); authorization != "" {
		scheme, _, _ := strings.Cut(authorization, " ")
		header.Set("Authorization", scheme+" …")
	}
	path := r.URL.EscapedPath()
	if id, ok := strings.CutPrefix(path, "/session/"); ok && id != "" {
		path = "/session/…"
	}
	return Request{
		Time: now, Method: r.Method, Path: path, Query: r.URL.RawQuery,
		Header: header, Body: body,
	}
}
