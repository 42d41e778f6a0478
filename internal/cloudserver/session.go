package cloudserver

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"
)

// session is the token that calls are made with: a fixed one, that of a file, or
// one that is opened from credentials on first use and renewed when it expires.
type session struct {
	file        string // "": none
	credentials credentials
	open        func(context.Context, credentials) (string, error)

	flights singleflight.Group
	mu      sync.Mutex
	current string
	refused error // credentials that were refused once are not tried again
}

func newSession(config Config, open func(context.Context, credentials) (string, error)) *session {
	return &session{
		file:        config.TokenFile,
		credentials: newCredentials(config),
		open:        open,
		current:     config.Token,
	}
}

// token returns what a call is made with; "" without credentials.
func (s *session) token(ctx context.Context) (string, error) {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	switch {
	case current != "":
		return current, nil
	case s.file != "":
		return s.reread("")
	case s.credentials.Username != "":
		return s.replace(ctx, "")
	}
	return "", nil
}

// renew returns a token other than the one that a call was just refused with.
func (s *session) renew(ctx context.Context, failed string, refusal error) (string, error) {
	const expired = "it may have expired or been revoked"
	switch {
	case s.credentials.Username != "":
		return s.replace(ctx, failed)
	case s.file != "":
		token, err := s.reread(failed)
		if err == nil && token == failed {
			return "", fmt.Errorf("the service does not accept the token in %s: %s; run terraform-provider-cloudserver -login -token-file %s: %w", s.file, expired, s.file, refusal)
		}
		return token, err
	case failed == "":
		return "", fmt.Errorf("no credentials are configured: %w", refusal)
	case strings.HasPrefix(failed, "apikey."):
		return "", fmt.Errorf("the service does not accept the configured API key: it may be past its expiry date (expires_at), revoked or mistyped: %w", refusal)
	}
	return "", fmt.Errorf("the service does not accept the configured token: %s: %w", expired, refusal)
}

// reread returns the token of the file, unless another caller has read it since
// the given one failed.
func (s *session) reread(failed string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != failed {
		return s.current, nil
	}
	token, err := readToken(s.file)
	if err != nil {
		return "", &SessionError{Refused: true, problem: fmt.Sprintf("cannot read token_file: %v", err)}
	}
	s.current = token
	return token, nil
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
