package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Error is returned for a call that got no answer. Its text is safe to show.
type Error struct {
	Method, Path string
	Endpoint     string // the base URL that was called
	Err          error
	Sent         bool // the request may have reached the service
	Permanent    bool // another attempt would fail as well

	// Last is an earlier answer that asked to try again later, or nil.
	Last *Status
	// AtProxy means that a proxy of the environment was not reached, or refused to connect to the service.
	AtProxy bool

	proxy    string       // names the proxy of the environment; "": there is none
	lost     error        // of the last attempt before the caller's context ended; nil: there was none
	unknown  string       // see Config.UnknownVariables
	proven   bool         // the service has answered the client before
	ended    bool         // Err is the end of the caller's context
	reported *atomic.Bool // nil: the client was answered before, is shared, or this call was sent
}

// Status is the status of an answer, and how long the answer asks to wait.
type Status struct {
	Code       int
	RetryAfter time.Duration // 0: it does not say
}

// String describes the answer, as a part of a sentence.
func (s Status) String() string {
	text := strings.TrimSpace(fmt.Sprintf("answered %d %s", s.Code, http.StatusText(s.Code)))
	if s.RetryAfter > 0 {
		text += fmt.Sprintf(" and asked to wait %s", s.RetryAfter.Round(time.Second))
	}
	return text
}

// busy returns the status of an answer that asks to try again later, or nil for any other answer.
func busy(response *http.Response) *Status {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return nil
	}
	return &Status{response.StatusCode, max(RetryAfter(response), 0)}
}

// failing returns the status of an answer, or nil if it is no 5xx.
func failing(response *http.Response) *Status {
	if response == nil || response.StatusCode < http.StatusInternalServerError {
		return nil
	}
	return &Status{response.StatusCode, max(RetryAfter(response), 0)}
}

// shownError is an error whose text is safe to show.
type shownError struct {
	text  string
	cause error
}

func (e *shownError) Error() string { return e.text }
func (e *shownError) Unwrap() error { return e.cause }

// answerError is an answer that cannot be used. Another attempt would get the same.
type answerError struct{ text string }

func (e *answerError) Error() string { return e.text }

// lasting is implemented by errors of a [Config.Next] without a network that know that another attempt would fail as
// well. Their texts are safe to show.
type lasting interface {
	error
	Lasting() bool
}

func isLasting(err error) bool {
	found, ok := errors.AsType[lasting](err)
	return ok && found.Lasting()
}

func isAnswerError(err error) bool {
	_, ok := errors.AsType[*answerError](err)
	return ok || isLasting(err)
}

// failure converts an error of the HTTP client into one that names the call. It shows only the parts of the address
// that are known to be harmless.
func (x *exchange) failure(ctx context.Context, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // its text contains the whole address
	}
	ended := ctx.Err() != nil
	if ended {
		err = ctx.Err()
	}
	permanent := isPermanent(err) && (!x.proven || !isOutage(err))
	failed := &Error{
		Method: x.Method, Path: x.Shown, Endpoint: x.Base.String(), Err: forPeople(err), Sent: x.sent, Permanent: permanent, Last: x.last,
		ended: ended, proven: x.proven, AtProxy: failedAtProxy(err), unknown: x.transport.UnknownVariables,
	}
	if x.lost != nil {
		failed.lost, failed.AtProxy = forPeople(x.lost), failed.AtProxy || failedAtProxy(x.lost)
	}
	if x.transport.network {
		failed.proxy = proxyTitle(x.Base)
	}
	if !x.sent && !x.proven && !x.transport.Shared {
		failed.reported = &x.transport.reported
	}
	return failed
}

// forPeople returns an error whose text is safe to show: errors quote malformed answers, certificates and redirects.
func forPeople(err error) error {
	if text := ForPeople(err.Error()); text != err.Error() {
		return &shownError{text, err}
	}
	return err
}

// Error describes why there was no answer, and what to do about it.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Method, e.Path, e.reason())
}

func (e *Error) reason() string {
	switch {
	case e.ended && errors.Is(e.Err, context.Canceled):
		return "interrupted"
	case e.ended && e.Last != nil:
		return "timed out; the service last " + e.Last.String()
	case e.ended && e.lost != nil:
		return "timed out; the last attempt: " + e.because(e.lost)
	case e.ended:
		return "timed out" + e.via()
	}
	return e.because(e.Err)
}

// because explains why an attempt was not answered.
func (e *Error) because(err error) string {
	why := WhyUnreachable(err)
	switch {
	case isAnswerError(err):
		return err.Error()
	case isCertificateError(err):
		return fmt.Sprintf("the certificate of %s%s is not trusted: %s%s", e.Endpoint, e.via(), err, e.certificateAdvice(err))
	case why != "":
		return fmt.Sprintf("%s (%s)", e.unreachable(err, why), err)
	}
	return fmt.Sprintf("%s%s", e.unreachable(err, err.Error()), e.schemeHint(err))
}

// unreachable names what cannot be reached, the service or the proxy, and why.
func (e *Error) unreachable(err error, why string) string {
	if operation, ok := errors.AsType[*net.OpError](err); ok && operation.Op == connectingToProxy && e.proxy != "" {
		return fmt.Sprintf("cannot reach %s: %s", e.proxy, why)
	}
	return fmt.Sprintf("cannot reach %s%s: %s", e.Endpoint, e.via(), why)
}

// via names the proxy that the service is reached through, as a part of a sentence.
func (e *Error) via() string {
	if e.proxy == "" {
		return ""
	}
	return " through " + e.proxy
}

// schemeHint returns what may be wrong if a server hangs up on plain HTTP, as the end of a sentence: some ports for TLS
// do.
func (e *Error) schemeHint(err error) string {
	hungUp := errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)
	if !hungUp || e.proven || !strings.HasPrefix(e.Endpoint, "http://") {
		return ""
	}
	return "; if the service expects HTTPS, use https://"
}

// TimedOut reports whether the caller's own deadline ended the call, as opposed to that of an attempt.
func (e *Error) TimedOut() bool { return e.ended && errors.Is(e.Err, context.DeadlineExceeded) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// AddressInDoubt reports whether the address may be wrong or unreachable: the call was not interrupted, and no answer
// or certificate is at fault.
func (e *Error) AddressInDoubt() bool {
	return (!e.ended || e.lost != nil) && !isAnswerError(e.Err) && !isCertificateError(e.Err)
}

// SharedCause returns the cause of a failure that all calls of the client share because the service was never reached,
// and reports whether it was returned before. For other failures the cause is "".
func (e *Error) SharedCause() (cause string, again bool) {
	why := WhyUnreachable(e.Err)
	if why == "" || e.ended || e.reported == nil {
		return "", false
	}
	return e.unreachable(e.Err, why), e.reported.Swap(true)
}

// WhyUnreachable explains why the service certainly cannot be reached. It returns "" if another attempt may reach it.
func WhyUnreachable(err error) string {
	var dns *net.DNSError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	switch {
	case proxyRefuses(err):
		return "the proxy refuses to connect to it"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case isRefused(err):
		return "nothing listens at this address"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no route to it"
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it speaks plain HTTP, not HTTPS"
	case strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`): // a TLS alert
		return "it expects HTTPS"
	case isLasting(err):
		return "it cannot serve this call, nor any other"
	case isCertificateError(err):
		return "its certificate is not trusted"
	case errors.As(err, &alert), errors.As(err, &record), strings.Contains(err.Error(), "tls: "):
		return "the TLS handshake failed"
	}
	return ""
}

// isRefused reports whether a connection was refused. Windows has its own error number.
func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "actively refused")
}

// isPermanent reports whether another attempt would fail as well.
func isPermanent(err error) bool {
	return isAnswerError(err) || WhyUnreachable(err) != ""
}

// isOutage reports whether a failure indicates a wrong address at first, but a restart of the service if it has
// answered before.
func isOutage(err error) bool {
	var dns *net.DNSError
	return isRefused(err) || errors.As(err, &dns)
}

// certificateAdvice returns what to do about a certificate, as the end of a sentence, or "" if nothing is known.
func (e *Error) certificateAdvice(err error) string {
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "; if it was issued by an authority of your own, set ca_certificate, or CLOUDSERVER_CA_CERTIFICATE" + untilStop(e.unknown)
	case errors.As(err, &hostname):
		return "; use an address that the certificate names"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "; renew it, or check this machine's clock"
	}
	return ""
}

// untilStop returns sentences after a stop, without the last stop: callers end the whole message with one.
func untilStop(sentences string) string {
	if sentences == "" {
		return ""
	}
	return "." + strings.TrimSuffix(sentences, ".")
}

func isCertificateError(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &hostname) ||
		errors.As(err, &invalid)
}
