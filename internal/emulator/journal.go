// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is one entry of the journal.
type Request struct {
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	// Path and Query are escaped, as sent. The session ID in /session/{id} is hidden.
	Path  string `json:"path"`
	Query string `json:"query,omitempty"`
	// Header is as sent, but Authorization holds only its scheme ("Bearer …").
	Header http.Header `json:"-"`
	// Body is as sent, including secrets. It is for assertions in tests, never for logs.
	Body []byte `json:"-"`
	// Status is the status of the answer, or 0 if there was none.
	Status int `json:"status"`
	// Duration is how long the answer took, on the wall clock.
	Duration time.Duration `json:"-"`
	// Reason is the text of a refusal in one line.
	Reason string `json:"reason,omitempty"`
	// Reached is what the path led to.
	Reached Reached `json:"reached"`
}

// Reached has the IDs of the objects that a path led to, by name or by ID, including created ones. They are 0 if there
// was none, for example because a fault kept the request from the service.
type Reached struct {
	Account int64 `json:"account,omitempty"`
	Group   int64 `json:"group,omitempty"`
	Machine int64 `json:"virtual_machine,omitempty"`
	Disc    int64 `json:"disc,omitempty"`
	// Done reports whether the service carried out the request, regardless of its answer.
	Done bool `json:"done"`
}

// hidden replaces what is not shown.
const hidden = "…"

// describe returns the journal entry of a request that has just arrived.
func describe(r *http.Request, body []byte, now time.Time) Request {
	header := r.Header.Clone()
	if authorization := header.Get("Authorization"); authorization != "" {
		scheme, _, _ := strings.Cut(authorization, " ")
		header.Set("Authorization", scheme+" "+hidden)
	}
	path := r.URL.EscapedPath()
	if strings.HasPrefix(r.URL.Path, "/session/") {
		path = "/session/" + hidden
	}
	return Request{Time: now, Method: r.Method, Path: path, Query: r.URL.RawQuery, Header: header, Body: body}
}

// secrets are the attributes that ShownBody hides.
var secrets = []string{"password", "root_password", "firstboot_script", "2fa", "yubikey"}

// ShownBody returns the body as a JSON value in which secrets are hidden, or nil if it is not JSON.
func (r Request) ShownBody() any {
	var body any
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	hide(body)
	return body
}

// hide replaces the secrets in a value.
func hide(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			hide(element)
		}
	case map[string]any:
		for name, field := range value {
			if slices.Contains(secrets, name) {
				value[name] = hidden
			}
			hide(field)
		}
	}
}

// Journal returns the requests so far, in the order in which they finished. The caller may keep the result.
func (e *Emulator) Journal() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.journal)
}

// Dropped returns how many requests exceeded Options.JournalSize.
func (e *Emulator) Dropped() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dropped
}

// ResetJournal empties the journal.
func (e *Emulator) ResetJournal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.journal, e.dropped = nil, 0
}

// reason returns the text of a refusal, in one line.
func reason(x *recorder) string {
	switch {
	case errors.Is(x.failed, errCut), x.truncated > 0:
		return "the connection was closed"
	case x.failed != nil:
		return x.failed.Error()
	}
	if x.status < 400 {
		return ""
	}
	return strings.Join(strings.Fields(string(x.body)), " ")
}
