package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// Error is any answer other than success (API.md §1). Its texts are safe to show: they contain no secrets and no
// control sequences.
type Error struct {
	Method     string
	Path       string // relative to the endpoint, with the query
	StatusCode int
	Message    string        // the service's own words, shortened; "" if it sent none
	Problems   []Problem     // of the body of a refusal, in the service's order
	RetryAfter time.Duration // how long the service asked to wait; 0: it did not
	hopeless   bool          // a 429, and the service refuses everything
	Page       bool          // a page for a browser, which does not come from the service

	explained *sync.Map // the explanations of this client's errors that were shown; nil: none
	needsTLS  bool      // an HTTPS port's answer to plain HTTP
	notListed bool      // not an answer: a list lacks the object that was looked for
}

// Problem is one problem with a request, at the attribute to blame.
type Problem struct {
	Attribute string // "name", "discs", "ips"; "" for plain text
	Index     int    // which disc, in the request's order; -1 otherwise
	Field     string // "size" for discs[1].size; "" otherwise
	Message   string // "must be greater than or equal to 50"
}

// String describes the problem for people.
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

// FirstWith reports whether no error of the same client was shown with this explanation before.
func (e *Error) FirstWith(explanation string) bool {
	if e.explained == nil {
		return true
	}
	_, shown := e.explained.LoadOrStore(explanation, true)
	return !shown
}

// newError returns the error for an answer other than success.
func (c *Client) newError(request transport.Request, got *transport.Answer) *Error {
	e := &Error{
		Method: request.Method, Path: request.Shown, StatusCode: got.Status,
		RetryAfter: got.RetryAfter, hopeless: got.Hopeless, Page: isPage(got.Header),
	}
	if !c.shared {
		e.explained = &c.explained
	}
	if request.Confidential { // the answer to a login may contain a secret
		e.Message = knownRefusal(got.Body)
	} else {
		e.Message, e.Problems = readErrorBody(got.Header.Get("Content-Type"), got.Body)
	}
	e.needsTLS = e.StatusCode == http.StatusBadRequest && isAnswerToPlainHTTP(string(got.Body))
	return e
}

func isPage(header http.Header) bool {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return err == nil && kind == "text/html"
}

// isAnswerToPlainHTTP recognises the answers of web servers to plain HTTP on a port for HTTPS.
func isAnswerToPlainHTTP(body string) bool {
	return strings.Contains(body, "HTTP request to an HTTPS server") || strings.Contains(body, "plain HTTP request was sent to HTTPS port")
}

// Error describes the request and its answer.
func (e *Error) Error() string {
	if e.notListed {
		return fmt.Sprintf("%s %s: %s", e.Method, e.Path, e.Message)
	}
	text := fmt.Sprintf("%s %s %s", e.Method, e.Path, transport.Status{Code: e.StatusCode, RetryAfter: e.RetryAfter})
	if e.needsTLS { // its words say the same
		return text + ": the service expects HTTPS: set endpoint to an https:// address"
	}
	if !strings.HasSuffix(fmt.Sprintf("%d %s", e.StatusCode, http.StatusText(e.StatusCode)), e.Message) { // do not repeat the status, as a proxy's page often does
		text += ": " + e.Message
	}
	return text
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

// StatusCode returns the HTTP status that an error reports, or 0 if it is not an *Error. A *SessionError has none: the
// 404 of a login does not mean that a machine is gone.
func StatusCode(err error) int {
	if answered, ok := errors.AsType[*Error](err); ok {
		return answered.StatusCode
	}
	return 0
}

// IsNotFound reports whether the service does not know the requested object, or does not show it to this user. A page
// for a browser does not count: it comes from a proxy, or from a server that is not the service.
func IsNotFound(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && answer.StatusCode == http.StatusNotFound && !answer.Page
}

// IsUnauthorized reports whether the credentials were refused, by a call or when a session was to be opened, or whether
// there are none to send.
func IsUnauthorized(err error) bool {
	login, ok := errors.AsType[*SessionError](err)
	_, refused := errors.AsType[*CredentialsError](err)
	return refused || ok && login.Refused || StatusCode(err) == http.StatusUnauthorized
}

// IsForbidden reports whether the credentials lack permission for a call.
func IsForbidden(err error) bool { return StatusCode(err) == http.StatusForbidden }

// ExpectsHTTPS reports whether a port for HTTPS has answered a call over plain HTTP.
func ExpectsHTTPS(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && answer.needsTLS
}

// TransportError is a call that got no answer.
type TransportError = transport.Error

// IsUnreachable reports whether a call got no answer because the service cannot be reached, and another attempt would
// fail as well.
func IsUnreachable(err error) bool { return transport.WhyUnreachable(err) != "" }

// Shown makes a text that may contain words of the service safe to show: without secrets of this process, printable,
// and on one line.
func Shown(text string) string { return transport.Shown(text) }

// Pause waits. It returns the context's error as soon as the context ends.
func Pause(ctx context.Context, wait time.Duration) error { return transport.Pause(ctx, wait) }

// NotListed returns the error of looking up a name or ID in a list that lacks it. IsNotFound reports true for it, but
// its text does not mention a status, because the list was answered with 200.
func NotListed(path, message string) error {
	return &Error{
		Method: http.MethodGet, Path: path, StatusCode: http.StatusNotFound, Message: message, notListed: true,
	}
}

// Patience is how long a request may be refused with 429, however often, without being given up.
const Patience = transport.Patience

// IsThrottled reports whether the service only asked this call to wait (429): it accepts others meanwhile, and the
// client sends the next request when it may.
func IsThrottled(err error) bool {
	answered, ok := errors.AsType[*Error](err)
	return ok && answered.StatusCode == http.StatusTooManyRequests && !answered.hopeless
}

// Hide returns a text without the secrets of this process, which the clients have sent or received.
func Hide(text string) string { return transport.Hide(text) }

// HoldsCredential reports whether a token, a password or a session of this process is in a text.
func HoldsCredential(text string) bool { return transport.HoldsCredential(text) }

// MayHoldCredential reports whether HoldsCredential may be true for a part of a text, which may be long.
func MayHoldCredential(text string) bool { return transport.MayHoldCredential(text) }

// AddCredentials makes tokens and passwords credentials of this process before a client has them.
func AddCredentials(texts ...string) { transport.AddCredentials(texts...) }
