package cloudserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// failureLasts is how long the error of a failed renewal is returned to all callers: otherwise a run with many
	// calls could lock the user out.
	failureLasts = time.Minute

	// insistAfter is the same for calls with Insist.
	insistAfter = 10 * time.Second

	// rereadFor is how long a token file may be in the process of being written: it is absent, empty, unreadable,
	// written in parts, or still contains the refused token.
	rereadFor, rereadEvery = 5 * time.Second, 250 * time.Millisecond
)

// session is the token for calls: a fixed one, one from a file, or a session that is opened with credentials on first
// use and renewed when it expires.
type session struct {
	file        string       // "": none
	from        string       // where the token, or the username and password, come from
	missing     string       // see Config.NoCredentials
	api, auth   string       // hosts of the service, and of the one that issues sessions
	reported    *atomic.Bool // a failure was reported; nil: see Config.Shared
	credentials credentials
	open        func(context.Context, credentials) (string, error)

	flights  singleflight.Group
	mu       sync.Mutex
	current  string
	accepted string // the token that a call was last accepted with
	failure  error  // of the last renewal; returned to all callers
	until    time.Time
}

func newSession(config Config, open func(context.Context, credentials) (string, error)) *session {
	from := config.CredentialsFrom
	if config.TokenFile != "" {
		from = "token_file " + config.TokenFile
	}
	var reported *atomic.Bool
	if !config.Shared {
		reported = new(atomic.Bool)
	}
	return &session{
		reported: reported,
		file:     config.TokenFile, from: from, credentials: newCredentials(config), open: open, current: config.Token,
		missing: config.NoCredentials, api: HostOf(config.Endpoint), auth: HostOf(cmp.Or(config.AuthEndpoint, config.Endpoint)),
	}
}

// token returns the token for a call, or "" without credentials.
func (s *session) token(ctx context.Context) (string, error) {
	current, failure := s.now(ctx)
	if failure == nil && current == "" && (s.file != "" || s.credentials.Username != "") {
		return s.replace(ctx, "")
	}
	return current, failure
}

// now returns the token, or the failure that is returned to all callers for a minute (for ten seconds to those that
// insist). A rejected password is never tried again. A token file is read each time, so that a token that has arrived
// there is used at once.
func (s *session) now(ctx context.Context) (token string, failure error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil && s.file != "" {
		if written, err := readToken(s.file); err == nil && written != s.current {
			s.current, s.failure = written, nil
		}
	}
	until := s.until
	if insists(ctx) {
		until = until.Add(insistAfter - failureLasts)
	}
	refused, ok := errors.AsType[*SessionError](s.failure)
	if s.failure != nil && (time.Now().Before(until) || ok && refused.Refused && s.file == "") {
		return "", s.failure
	}
	return s.current, nil
}

type insisting struct{}

// Insist returns a context for calls that must not fail because of a session that could not be renewed a moment ago:
// the renewal is tried again, once in ten seconds for all callers.
func Insist(ctx context.Context) context.Context { return context.WithValue(ctx, insisting{}, true) }

func insists(ctx context.Context) bool { return ctx.Value(insisting{}) != nil }

// renew returns a token other than the one that a call was just refused with.
func (s *session) renew(ctx context.Context, failed string, refusal error) (string, error) {
	from := ""
	if s.from != "" {
		from = " (" + s.from + ")"
	}
	switch {
	case s.credentials.Username != "":
		return s.replace(ctx, failed)
	case s.file != "":
		token, err := s.replace(ctx, failed)
		if err != nil || token != failed {
			return token, err
		}
		s.answered(failed, refusal)
		return "", s.refusedFile(failed, refusal)
	case failed == "":
		const text = "no credentials are configured"
		return "", &CredentialsError{Final: true, Text: text, hint: s.missing, Err: fmt.Errorf("%s: %w", text, refusal), reported: s.reported}
	}
	refused := s.refused(refusal, notAccepted(s.api)+"the configured token"+from, expired, false)
	if isKey(failed) {
		refused = s.refused(refusal, notAccepted(s.api)+"the configured API key"+from, outdated, true)
	}
	refused.Final = !s.wasAccepted(failed) // one that was accepted a moment ago may be accepted again
	return "", refused
}

// refused returns the error for all calls with these credentials.
func (s *session) refused(refusal error, text, why string, lasts bool) *CredentialsError {
	return &CredentialsError{From: s.from, Lasts: lasts, Text: text, why: why, Err: refusal, reported: s.reported}
}

// refusedFile returns the same for a token from the file.
func (s *session) refusedFile(token string, refusal error) *CredentialsError {
	if isKey(token) {
		return s.refused(refusal, notAccepted(s.api)+"the API key in "+s.file, outdated, true)
	}
	return s.refused(refusal, notAccepted(s.api)+"the token in "+s.file,
		expired+"; write an API key into the file, or a session with terraform-provider-cloudserver login --token-file "+s.file, false)
}

func isKey(token string) bool { return strings.HasPrefix(token, "apikey.") }

// notAccepted begins the sentence about refused credentials. Several services may be configured, so it names the host.
func notAccepted(host string) string { return "the service at " + host + " does not accept " }

const (
	expired  = "it may have expired or been revoked"
	outdated = "it may be past its expiry date (expires_at), revoked or mistyped" // of an API key
)

// CredentialsError is a 401 for the client's credentials, or for its login.
type CredentialsError struct {
	From  string // where they come from; "": unknown, or there are none
	Final bool   // there are no other credentials to try, whereas a file or another login may provide some
	Lasts bool   // they do not expire soon by themselves, as a session does
	Text  string // what is wrong with them
	Err   error  // nil: the refused call was another one

	hint     string // sentences about where they may have been meant to be, each after a space
	why      string // "": Err explains it
	reported *atomic.Bool
}

// Error describes the refusal.
func (e *CredentialsError) Error() string {
	switch {
	case e.Err == nil:
		return e.Text + ": " + e.why
	case e.hint != "":
		return e.Err.Error() + "." + e.hint
	case e.why == "":
		return e.Err.Error()
	}
	return e.Text + ": " + e.why + ": " + e.Err.Error()
}

// IsFinal reports whether credentials were refused in a way that no later attempt can change.
func IsFinal(err error) bool {
	refused, ok := errors.AsType[*CredentialsError](err)
	return ok && refused.Final
}

// Unwrap returns the refusal.
func (e *CredentialsError) Unwrap() error { return e.Err }

// SharedCause returns what is wrong with the credentials, which all calls of the client use, and reports whether it was
// returned before.
func (e *CredentialsError) SharedCause() (cause string, again bool) {
	return e.Text, e.reported != nil && e.reported.Swap(true)
}

// answered records the result of a call with a token. A new session that is refused on its first use counts as one that
// could not be opened.
func (s *session) answered(token string, err error) {
	if StatusCode(err) == http.StatusUnauthorized {
		refused := s.refused(err, notAccepted(s.api)+"the session that was just opened", "check that auth_endpoint belongs to endpoint", true)
		if s.file != "" {
			refused = s.refusedFile(token, err)
		}
		s.fail(token, refused)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil || showsAcceptance(err) {
		s.accepted = token
	}
}

// showsAcceptance reports whether a refusal shows that the service has accepted the token: it is about the request. What
// redirects, asks to wait or fails may not have looked at the token.
func showsAcceptance(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.Page {
		return false
	}
	switch refused.StatusCode {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// wasAccepted reports whether a call was accepted with the token.
func (s *session) wasAccepted(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted == token
}

// fail makes refusal the result for all callers from now on, unless the token was accepted before or is not the current
// one. The path of the call that met it is left out.
func (s *session) fail(token string, err *CredentialsError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == token && (s.accepted != token || s.file != "") {
		shared := *err
		shared.Err, s.failure, s.until = nil, &shared, time.Now().Add(failureLasts)
	}
}

// replace opens a new session, or reads the file again, once for all callers that
// failed with the same token. One caller's interrupt does not fail the others.
func (s *session) replace(ctx context.Context, failed string) (string, error) {
	flight := s.flights.DoChan(failed, func() (any, error) {
		return s.reopen(context.WithoutCancel(ctx), failed)
	})
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("waiting for a session: %w", ctx.Err())
	case result := <-flight:
		token, _ := result.Val.(string)
		return token, result.Err
	}
}

// reopen is the one flight of replace.
func (s *session) reopen(ctx context.Context, failed string) (string, error) {
	current, failure := s.now(ctx)
	if failure != nil || current != failed {
		return current, failure
	}
	var opened string
	var err error
	if s.file != "" {
		if opened, err = s.reread(ctx, failed); err != nil {
			err = &SessionError{Refused: true, problem: fmt.Sprintf("cannot read token_file: %v", err)}
		}
	} else {
		opened, err = s.open(ctx, s.credentials)
	}
	if login, ok := errors.AsType[*SessionError](err); ok && login.Refused {
		text := notAccepted(s.auth) + cmp.Or(s.from, "the username and password")
		if s.file != "" {
			text = "there is no token in " + s.file
		}
		refused := s.refused(err, text, "", true)
		refused.Final = s.file == ""
		err = refused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure = err; err != nil {
		s.until = time.Now().Add(failureLasts)
		return "", err
	}
	s.current = opened
	return opened, nil
}

// reread returns the token of the file. The file is read again for a while until it has
// a token, and another one than was refused.
func (s *session) reread(ctx context.Context, failed string) (string, error) {
	for began := time.Now(); ; {
		token, err := readToken(s.file)
		if err == nil && token != failed || time.Since(began) >= rereadFor || Pause(ctx, rereadEvery) != nil {
			return token, err
		}
	}
}

// mayChangeAgain reports whether a token that was read from the file since the first
// refusal of a call, and was also refused, may be a part of the one that is being written.
// A session that was just opened is whole.
func (s *session) mayChangeAgain(refused time.Time) bool {
	return s.file != "" && time.Since(refused) < rereadFor
}
