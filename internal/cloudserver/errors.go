package cloudserver

import (
	"context"
	"errors"
	"fmt"
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
		RetryAfter: max(retryAfter(response), 0),
	}
	if !x.confidential { // the answer to a log-in may hold anything
		e.Message, e.Problems = readErrorBody(response.Header.Get("Content-Type"), body, x.secrets)
	}
	return e
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
// does not show it to this user.
func IsNotFound(err error) bool { return StatusCode(err) == http.StatusNotFound }

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
	redirect, redirected := errors.AsType[*redirectError](e.Err)
	switch {
	case e.ended && errors.Is(e.Err, context.Canceled):
		return fmt.Sprintf("%s %s: interrupted", e.Method, e.Path)
	case e.ended:
		return fmt.Sprintf("%s %s: the time for it is over", e.Method, e.Path)
	case redirected:
		return fmt.Sprintf("%s %s: %s", e.Method, e.Path, redirect)
	case errors.Is(e.Err, errTooLarge):
		return fmt.Sprintf("%s %s: %s", e.Method, e.Path, e.Err)
	case isCertificateError(e.Err):
		return fmt.Sprintf("%s %s: the certificate of %s is not trusted: %s; if it was issued by an authority of your own, set ca_certificate",
			e.Method, e.Path, e.Endpoint, e.Err)
	}
	return fmt.Sprintf("%s %s: cannot reach %s: %s", e.Method, e.Path, e.Endpoint, e.Err)
}

// Unwrap gives the cause.
func (e *TransportError) Unwrap() error { return e.Err }
