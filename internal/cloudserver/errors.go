package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Error is every answer that is not success (api.md §1). It never holds a
// secret that the request carried.
type Error struct {
	Method     string
	Path       string // relative to the endpoint, with the query
	StatusCode int
	Message    string        // the service's own words, shortened; "" if it said nothing
	Problems   []Problem     // of the body of a refusal, in the service's order
	RetryAfter time.Duration // what the service asked to wait; 0: it did not
	Page       bool          // a page for people (HTML), which is no answer of the service's own
}

// Problem is one complaint about a request, at the attribute to blame.
type Problem struct {
	Attribute string // "name", "discs", "ips"; "" for plain text
	Index     int    // which disc, in the request's order; -1 otherwise
	Field     string // "size" for discs[1].size; "" otherwise
	Message   string // "must be greater than or equal to 50"
}

// String is the problem as a person reads it.
func (p Problem) String() string {
	where := p.Attribute
	if p.Index >= 0 {
		where += fmt.Sprintf("[%d]", p.Index)
	}
	if p.Field != "" {
		where += "." + p.Field
	}
	return strings.TrimSpace(where + " " + p.Message)
}

// newError reads the answer of a call that was refused.
func newError(x *exchange, response *http.Response, body []byte) *Error {
	e := &Error{
		Method: x.method, Path: x.path, StatusCode: response.StatusCode,
		RetryAfter: max(retryAfter(response), 0), Page: isPage(response),
	}
	if !x.confidential { // the answer to a log-in may hold anything
		e.Message, e.Problems = readErrorBody(response.Header.Get("Content-Type"), body, x.secrets)
	}
	return e
}

func isPage(response *http.Response) bool {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return err == nil && kind == "text/html"
}

// Error says what was asked and what came back.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s answered %d %s", e.Method, e.Path, e.StatusCode, http.StatusText(e.StatusCode))
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, e.Message) { // a proxy's page often says the status again
		text += ": " + e.Message
	}
	return text
}

// Has reports whether a problem of the attribute holds the phrase, whatever
// its case: Has("name", "already been taken").
func (e *Error) Has(attribute, phrase string) bool {
	for _, problem := range e.Problems {
		if problem.Attribute == attribute && strings.Contains(strings.ToLower(problem.Message), strings.ToLower(phrase)) {
			return true
		}
	}
	return false
}

// StatusCode is the HTTP status that an error reports, 0 if it is no *Error.
// A session that cannot be opened reports none: its 404 is not the machine's.
func StatusCode(err error) int {
	if answered, ok := errors.AsType[*Error](err); ok {
		return answered.StatusCode
	}
	return 0
}

// IsNotFound reports whether the service does not know what was asked for, or
// does not show it to this user. A page for people is no such answer: it comes
// from a proxy, or from a server that is not the service.
func IsNotFound(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && answer.StatusCode == http.StatusNotFound && !answer.Page
}

// IsUnauthorized reports whether the credentials were refused: by a call, or
// when a session was to be opened.
func IsUnauthorized(err error) bool {
	refused, ok := errors.AsType[*SessionError](err)
	return StatusCode(err) == http.StatusUnauthorized || ok && refused.Refused
}

// TransportError is a call that got no answer.
type TransportError struct {
	Method, Path string
	Endpoint     string // the base URL that was called
	Err          error
	Sent         bool // the request may have reached the service

	ended bool // Err is the end of the caller's context
}

// failure turns the error of the HTTP client into one that names the call and
// shows no more of its address than is known to be harmless.
func (x *exchange) failure(ctx context.Context, base *url.URL, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // its text would repeat the whole address
	}
	if text := x.secrets.in(err.Error()); text != err.Error() {
		err = errors.New(text) // a malformed answer is quoted, and may have echoed a secret
	}
	ended := ctx.Err() != nil
	if ended {
		err = ctx.Err()
	}
	return &TransportError{Method: x.method, Path: x.path, Endpoint: base.String(), Err: err, Sent: x.sent, ended: ended}
}

// Error says what kept the call from its answer, and what to do about it.
func (e *TransportError) Error() string {
	reason := e.reason()
	if reason == "" {
		reason = fmt.Sprintf("cannot reach %s: %s", e.Endpoint, e.Err)
	}
	return fmt.Sprintf("%s %s: %s", e.Method, e.Path, reason)
}

// Unreachable reports whether the address may be wrong or out of reach: nobody
// has interrupted the call, and nothing answered that could be at fault.
func (e *TransportError) Unreachable() bool { return e.reason() == "" }

// reason is any other one than an address that cannot be reached.
func (e *TransportError) reason() string {
	redirect, redirected := errors.AsType[*redirectError](e.Err)
	switch {
	case e.ended && errors.Is(e.Err, context.Canceled):
		return "interrupted"
	case e.ended:
		return "the time for it is over"
	case redirected:
		return redirect.Error()
	case errors.Is(e.Err, errTooLarge):
		return e.Err.Error()
	case isCertificateError(e.Err):
		return fmt.Sprintf("the certificate of %s is not trusted: %s; if it was issued by an authority of your own, set ca_certificate", e.Endpoint, e.Err)
	}
	return ""
}

// Unwrap gives the cause.
func (e *TransportError) Unwrap() error { return e.Err }
