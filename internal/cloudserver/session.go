// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// failureLasts is how long a failed login is every call's error: otherwise a run with many calls could lock the user
// out.
const failureLasts = time.Minute

// session is the token for calls: a fixed one, one from a file, or a session that is opened with a username and password
// on first use, and again after a 401.
type session struct {
	host    string // of the service
	from    string // where the token, or the username and password, come from
	file    string // token_file; "": none
	isLogin bool
	open    func(context.Context) (string, error) // nil: the token is fixed

	flights  singleflight.Group
	mu       sync.Mutex
	token    string
	accepted bool  // a call was accepted with the token
	failure  error // of the last login
	until    time.Time
}

func newSession(config Config, host string, login func(context.Context) (string, error)) *session {
	s := &session{host: host, from: config.TokenFrom, token: config.Token}
	switch {
	case config.TokenFile != "":
		s.file, s.from = config.TokenFile, "token_file "+config.TokenFile
		s.open = func(context.Context) (string, error) {
			token, err := readTokenFile(config.TokenFile)
			if err != nil {
				return "", &SessionError{Refused: true, problem: fmt.Sprintf("cannot read token_file: %v", err)}
			}
			return token, nil
		}
	case config.Username != "":
		s.isLogin, s.open = true, login
	}
	return s
}

// current returns the token for a call, or "" without credentials.
func (s *session) current(ctx context.Context) (string, error) {
	s.mu.Lock()
	token := s.token
	s.mu.Unlock()
	if token == "" && s.open != nil {
		return s.replace(ctx, "")
	}
	return token, nil
}

// answered records that a call was accepted with the token. Any refusal but a 401 is about the request.
func (s *session) answered(token string, err error) {
	if status := StatusCode(err); err != nil && (status < 400 || status >= http.StatusInternalServerError) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == token {
		s.accepted = true
	}
}

// renew returns another token than the one that a call was refused with.
func (s *session) renew(ctx context.Context, token string, refusal error) (string, error) {
	if s.open == nil || s.isLogin && s.isNew(token) {
		return "", s.refused(token, refusal)
	}
	renewed, err := s.replace(ctx, token)
	if err == nil && renewed == token {
		return "", s.refused(token, refusal)
	}
	return renewed, err
}

// isNew reports whether the token is the current one, and no call was accepted with it.
func (s *session) isNew(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token == token && !s.accepted
}

// refused returns the error for a token that was refused. A session that is refused at its first use counts as a login
// that failed.
func (s *session) refused(token string, refusal error) error {
	if token == "" {
		return &CredentialsError{problem: "no credentials are configured", Err: refusal}
	}
	failed := &CredentialsError{Err: refusal}
	what, why := "token", "it may have expired or been revoked"
	if s.isLogin {
		what, why = "session that was just opened", "check that auth_endpoint belongs to endpoint"
	}
	failed.problem = fmt.Sprintf("the service at %s does not accept the %s", s.host, what)
	if s.from != "" {
		failed.problem += " (" + s.from + ")"
	}
	failed.problem += ": " + why
	if s.isLogin && s.isNew(token) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.token, s.failure, s.until = "", failed, time.Now().Add(failureLasts)
	}
	return failed
}

// replace opens a new session, or reads the file again, once for all callers that failed with the same token. The
// interrupt of one caller does not fail the others.
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
	current, failure, isRecent := s.token, s.failure, time.Now().Before(s.until)
	s.mu.Unlock()
	switch {
	case isRecent:
		return "", failure
	case current != "" && current != failed:
		return current, nil
	}
	opened, err := s.open(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if s.isLogin {
			s.failure, s.until = err, time.Now().Add(failureLasts)
		}
		return "", err
	}
	if opened != s.token {
		s.token, s.accepted = opened, false
	}
	return opened, nil
}

// CredentialsError is a 401 for the client's credentials.
type CredentialsError struct {
	Err error // the refusal

	problem string
}

// Error describes what is wrong with the credentials.
func (e *CredentialsError) Error() string { return e.problem + ": " + e.Err.Error() }

// Unwrap returns the refusal.
func (e *CredentialsError) Unwrap() error { return e.Err }
