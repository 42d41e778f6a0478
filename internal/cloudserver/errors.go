// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// Error is any answer other than success (API.md §1). Its texts contain no secrets and no control characters.
type Error struct {
	Method     string
	Path       string // relative to the endpoint, with the query
	StatusCode int
	Message    string        // the service's own words, shortened; "" if it sent none
	Problems   []Problem     // of the body of a refusal
	RetryAfter time.Duration // how long the service asked to wait; 0: it did not
	Page       bool          // a page for a browser, which does not come from the service

	notListed bool // not an answer: a list lacks the object that was looked for
}

// newError returns the error for an answer other than success.
func (x *exchange) newError(response *http.Response, body []byte) *Error {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	e := &Error{
		Method: x.call.method, Path: x.path, StatusCode: response.StatusCode,
		RetryAfter: max(retryAfter(response), 0), Page: err == nil && kind == "text/html",
	}
	if x.call.auth { // the answer to a login may repeat a secret
		e.Message = knownRefusal(body)
	} else {
		e.Message, e.Problems = x.readErrorBody(e.Page, body)
	}
	return e
}

// Error describes the request and its answer.
func (e *Error) Error() string {
	if e.notListed {
		return fmt.Sprintf("%s %s: %s", e.Method, e.Path, e.Message)
	}
	return fmt.Sprintf("%s %s %s", e.Method, e.Path, e.answered())
}

// answered describes the answer, as a part of a sentence.
func (e *Error) answered() string {
	status := strings.TrimSpace(fmt.Sprintf("%d %s", e.StatusCode, http.StatusText(e.StatusCode)))
	answered := "answered " + status
	if e.RetryAfter > 0 {
		answered += fmt.Sprintf(" and asked to wait %s", e.RetryAfter.Round(time.Second))
	}
	if strings.HasSuffix(status, e.Message) { // it is empty, or a proxy's page repeats the status
		return answered
	}
	return answered + ": " + e.Message
}

// Has reports whether a problem with the attribute contains the phrase, ignoring case: Has("name", "already been
// taken").
func (e *Error) Has(attribute, phrase string) bool {
	for _, problem := range e.Problems {
		if problem.Attribute == attribute &&
			strings.Contains(strings.ToLower(problem.Message), strings.ToLower(phrase)) {
			return true
		}
	}
	return false
}

// NotListed returns the error of looking up a name or ID in a list that lacks it. IsNotFound reports true for it, but
// its text has no status, because the list was answered with 200.
func NotListed(path, message string) error {
	return &Error{
		Method: http.MethodGet, Path: path, StatusCode: http.StatusNotFound, Message: message, notListed: true,
	}
}

// errUnreadable marks a successful answer that cannot be used. The request may have been carried out.
var errUnreadable = errors.New("the answer is not understood")

// errEmpty is the reason if the answer to a creation is {} or nothing, which API.md §1 allows.
var errEmpty = errors.New("it is empty")

// errPage is the reason if the answer comes from another server than the service.
var errPage = errors.New("it is a page for a browser")

// TransportError is a call that got no answer. Its text contains no secrets and no control characters.
type TransportError struct {
	Method, Path string
	Endpoint     string // the base URL that was called
	Err          error
	Sent         bool  // the request may have been carried out
	Last         error // of the last attempt before the caller's context ended; nil: there was none

	secrets secrets
}

// Error describes why there was no answer, and what to do about it.
func (e *TransportError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Method, e.Path, Shown(e.secrets.hide(e.reason())))
}

func (e *TransportError) reason() string {
	ended := "timed out"
	switch {
	case errors.Is(e.Err, context.Canceled):
		ended = "interrupted"
	case !errors.Is(e.Err, context.DeadlineExceeded):
		return e.unreachable(e.Err)
	}
	if e.Last == nil {
		return ended
	}
	if last, ok := errors.AsType[*Error](e.Last); ok {
		return ended + "; the service last " + last.answered()
	}
	return ended + "; the last attempt: " + e.unreachable(e.Last)
}

// unreachable describes an attempt that was not answered.
func (e *TransportError) unreachable(err error) string {
	if isFinal(err) {
		return err.Error()
	}
	how := "cannot reach"
	if e.Sent {
		how = "no answer from"
	}
	text := fmt.Sprintf("%s %s: %s", how, e.Endpoint, shorten(err.Error(), longestMessage))
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		text += "; if it was issued by an authority of your own, set ca_certificate"
	}
	return text
}

// Unwrap returns the cause and the last answer.
func (e *TransportError) Unwrap() []error {
	if e.Last == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Last}
}

// finalError is the error of an attempt after which another one would fail as well.
type finalError string

// Error returns the text.
func (e finalError) Error() string { return string(e) }

// Lasting reports that another attempt would fail as well. A [Config.Transport] may return such errors too: the one that
// runs an emulator in the process does for a file that it cannot read.
func (finalError) Lasting() bool { return true }

func isFinal(err error) bool {
	final, ok := errors.AsType[interface {
		error
		Lasting() bool
	}](err)
	return ok && final.Lasting()
}

// isUnreachable reports whether an attempt failed in a way that usually means a wrong address: the connection was
// refused, the host is unknown, or TLS cannot be negotiated.
func isUnreachable(err error) bool {
	dns, isDNS := errors.AsType[*net.DNSError](err)
	return isDNS && dns.IsNotFound ||
		errors.Is(err, syscall.ECONNREFUSED) ||
		strings.Contains(err.Error(), "actively refused") || // on Windows
		errors.Is(err, http.ErrSchemeMismatch) ||
		strings.Contains(err.Error(), "tls: ")
}

// IsUnreachable reports whether endpoint does not lead to the service: it cannot be reached, and another attempt would
// fail as well, or a page for a browser was answered.
func IsUnreachable(err error) bool {
	if errors.Is(err, errPage) {
		return true
	}
	lost, ok := errors.AsType[*TransportError](err)
	return ok && (isFinal(lost.Err) || isUnreachable(lost.Err))
}

// StatusCode returns the HTTP status that an error reports, or 0. A *SessionError has none: the 404 of a login does not
// mean that a machine is gone.
func StatusCode(err error) int {
	if answered, ok := errors.AsType[*Error](err); ok {
		return answered.StatusCode
	}
	return 0
}

// IsNotFound reports whether the service does not know the requested object, or does not show it to this user. A page
// for a browser does not count: it comes from a proxy, or from a server that is not the service.
func IsNotFound(err error) bool {
	answered, ok := errors.AsType[*Error](err)
	return ok && answered.StatusCode == http.StatusNotFound && !answered.Page
}

// IsForbidden reports whether the credentials lack permission for a call.
func IsForbidden(err error) bool { return StatusCode(err) == http.StatusForbidden }

// IsUnauthorized reports whether the credentials were refused, by a call or when a session was to be opened, or whether
// there are none.
func IsUnauthorized(err error) bool {
	login, ok := errors.AsType[*SessionError](err)
	_, refused := errors.AsType[*CredentialsError](err)
	return refused || ok && login.Refused || StatusCode(err) == http.StatusUnauthorized
}

// IsAmbiguous reports whether the request may have been carried out in spite of the error: it may have been sent and was
// not answered, the answer cannot be read, or the service failed.
func IsAmbiguous(err error) bool {
	if _, ok := errors.AsType[*AmbiguousError](err); ok {
		return true
	}
	if lost, ok := errors.AsType[*TransportError](err); ok {
		return lost.Sent
	}
	return StatusCode(err) >= http.StatusInternalServerError || errors.Is(err, errUnreadable)
}

// IsNameTaken reports whether a request was refused because another object has the name. The service reports that by
// attribute or as plain text (API.md §1).
func IsNameTaken(err error) bool {
	const phrase = "already been taken"
	_, taken := errors.AsType[*NameTaken](err)
	refused, ok := errors.AsType[*Error](err)
	return taken || ok && refused.StatusCode == http.StatusBadRequest &&
		(refused.Has("name", phrase) || refused.Has("", "name has "+phrase))
}

// IsTaken reports whether a request was refused because another object has the name or the address (API.md §7).
func IsTaken(err error) bool {
	if _, ok := errors.AsType[*AmbiguousError](err); ok {
		return false
	}
	refused, ok := errors.AsType[*Error](err)
	return IsNameTaken(err) || ok && refused.StatusCode == http.StatusBadRequest &&
		(refused.Has("ips", "in use") || refused.Has("ips", "taken"))
}

// Maximum lengths of texts and names of the service in messages, in characters.
const (
	longestMessage = 300
	longestName    = 100
)

// Shown makes a text of the service printable, on one line: control characters, line breaks and bidirectional overrides,
// which could control a terminal or hide text, become spaces.
func Shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
	return strings.Join(strings.Fields(text), " ")
}

// shorten cuts a text to a number of characters.
func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}
