package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"
)

// SessionError is a session that could not be opened. It does not unwrap to
// the *Error or *TransportError of the session call: their status, problems and
// "was it sent?" are not those of the call that needed the session.
type SessionError struct {
	Refused bool // the credentials are at fault, not the way to the service
	problem string
	cause   error
}

// Error says what is wrong with the credentials, or with the auth endpoint.
func (e *SessionError) Error() string {
	if e.cause == nil {
		return e.problem
	}
	return e.problem + ": " + e.cause.Error()
}

// Unwrap gives what kept the session call from its answer, if anything did.
func (e *SessionError) Unwrap() error {
	if lost, ok := errors.AsType[*TransportError](e.cause); ok {
		return lost.Err
	}
	return nil
}

// session is the token that calls are made with: a fixed one, or one that is
// opened from credentials on first need and renewed when it has expired.
type session struct {
	fixed       bool
	credentials credentials
	open        func(context.Context, credentials) (string, error)

	flights singleflight.Group
	mu      sync.Mutex
	current string
	refused error // credentials that were refused once are not tried again
}

// credentials is the body of POST /session (api.md §2).
type credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
	OTP      string `json:"yubikey,omitempty"`
}

func (c credentials) secrets() []string { return []string{c.Password, c.OTP} }

func newSession(config Config, open func(context.Context, credentials) (string, error)) *session {
	return &session{
		fixed:       config.Username == "",
		credentials: credentials{config.Username, config.Password, config.OTP},
		open:        open,
		current:     config.Token,
	}
}

// token is what a call is made with; "" without credentials.
func (s *session) token(ctx context.Context) (string, error) {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current != "" || s.fixed {
		return current, nil
	}
	return s.replace(ctx, "")
}

// renew gives a token other than the one that a call was just refused with.
func (s *session) renew(ctx context.Context, failed string, refusal error) (string, error) {
	switch {
	case !s.fixed:
		return s.replace(ctx, failed)
	case failed == "":
		return "", fmt.Errorf("no credentials are configured: %w", refusal)
	case strings.HasPrefix(failed, "apikey."):
		return "", fmt.Errorf("the service does not accept the configured API key; it may be revoked, or mistyped: %w", refusal)
	}
	return "", fmt.Errorf("the service does not accept the configured token, which may have expired: %w", refusal)
}

// replace opens a new session once for all callers that failed with the same
// token. One caller's interrupt does not fail the others.
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
	s.mu.Lock()
	current, refused := s.current, s.refused
	s.mu.Unlock()
	if current != failed || refused != nil {
		return current, refused
	}
	opened, err := s.open(ctx, s.credentials)
	s.mu.Lock()
	defer s.mu.Unlock()
	if IsUnauthorized(err) {
		s.refused = err
	}
	if err == nil {
		s.current = opened
	}
	return opened, err
}

// OpenSession opens a session of its own with the configured username and
// password, and leaves the client's alone (api.md §2).
func (c *Client) OpenSession(ctx context.Context) (string, error) {
	if c.session.fixed {
		return "", &SessionError{problem: "a session is opened with a username and password, and none are configured"}
	}
	return c.openSession(ctx, c.session.credentials)
}

// openSession is POST /session. It may be repeated, as a session too many
// does no harm, but not with a one-time password, which the first try uses up.
func (c *Client) openSession(ctx context.Context, with credentials) (string, error) {
	answer, err := c.send(ctx, call{
		method: http.MethodPost, path: []string{"session"}, body: with,
		toAuth: true, plainText: true, confidential: true, repeatable: with.OTP == "",
	}, "")
	if err != nil {
		return "", c.sessionError(err, with)
	}
	id := strings.Trim(strings.TrimSpace(string(answer.body)), `"`)
	if id == "" || !isHeaderSafe(id) || strings.HasPrefix(id, "<") || strings.HasPrefix(id, "{") {
		return "", &SessionError{problem: fmt.Sprintf("%s answered POST /session with something else than a session; check auth_endpoint", c.authEndpoint)}
	}
	return id, nil
}

func (c *Client) sessionError(err error, with credentials) error {
	switch StatusCode(err) {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		which := "the username or the password"
		if with.OTP != "" {
			which = "the username, the password or the one-time password (which can be used once, so that an expired session cannot be renewed with it)"
		}
		return &SessionError{Refused: true, cause: err, problem: fmt.Sprintf("%s refuses %s", c.authEndpoint, which)}
	}
	return &SessionError{cause: err, problem: fmt.Sprintf("cannot open a session at %s", c.authEndpoint)}
}

// CheckSession asks whether a session is still valid, which extends it by
// another five minutes (api.md §2). An expired one is IsNotFound.
func (c *Client) CheckSession(ctx context.Context, id string) error {
	_, err := c.send(ctx, call{
		method: http.MethodGet, path: []string{"session", id}, toAuth: true, confidential: true,
	}, "")
	return err
}

// hidePath is a confidential path without what follows its first element.
func hidePath(elements []string) string {
	if len(elements) < 2 {
		return "/" + strings.Join(elements, "/")
	}
	return "/" + elements[0] + "/" + hiddenText
}
