// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// credentials is the body of POST /session (API.md §2).
type credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
	Yubikey  string `json:"yubikey,omitempty"`
	TwoFA    string `json:"2fa,omitempty"`
	Validity string `json:"validity,omitempty"` // seconds; the service expects a string
}

func newCredentials(config Config) credentials {
	validity := cmp.Or(config.SessionValidity, MaxSessionValidity)
	return credentials{
		Username: config.Username, Password: config.Password, Validity: strconv.Itoa(int(validity.Seconds())),
	}
}

// withCode returns the credentials with the code of a second factor. Digits are the code of an app, and anything else is
// the code of a Yubikey.
func (c credentials) withCode(code string) credentials {
	code = strings.TrimSpace(code)
	if strings.Trim(code, "0123456789") == "" {
		c.TwoFA = code
	} else {
		c.Yubikey = code
	}
	return c
}

func (c credentials) hasCode() bool { return c.Yubikey != "" || c.TwoFA != "" }

// OpenSession opens a new session with the configured username, password and validity (API.md §2). The client's own
// session is not affected. The code of a second factor may be empty; IsCodeMissing reports whether the service requires
// one.
func (c *Client) OpenSession(ctx context.Context, code string) (string, error) {
	return c.openSession(ctx, c.credentials.withCode(code))
}

// OpenSlidingSession opens a session that ends five minutes after its last use. CheckSession extends it (API.md §2).
func (c *Client) OpenSlidingSession(ctx context.Context) (string, error) {
	with := c.credentials
	with.Validity = ""
	return c.openSession(ctx, with)
}

// login opens the client's own session.
func (c *Client) login(ctx context.Context) (string, error) { return c.openSession(ctx, c.credentials) }

// openSession sends POST /session. It may be repeated, because an additional session does no harm, but not with a code,
// which the first attempt uses up.
func (c *Client) openSession(ctx context.Context, with credentials) (string, error) {
	if with.Username == "" {
		return "", &SessionError{problem: "a session is opened with a username and password, and none are configured"}
	}
	answer, err := c.send(ctx, call{
		method: http.MethodPost, path: []string{"session"}, body: with, auth: true, once: with.hasCode(),
	}, "")
	if err != nil {
		return "", c.sessionError(err, with)
	}
	id := strings.Trim(strings.TrimSpace(string(answer.body)), `"`)
	if id == "" || !isHeaderSafe(id) || strings.ContainsAny(id[:1], "<{") {
		problem := " answered POST /session with something other than a session; check auth_endpoint"
		return "", &SessionError{problem: c.authEndpoint.String() + problem}
	}
	return id, nil
}

// CheckSession asks whether a session is still valid, which extends it by another five minutes (API.md §2). If it has
// expired, IsNotFound reports true for the error.
func (c *Client) CheckSession(ctx context.Context, id string) error {
	_, err := c.send(WithSecrets(ctx, id), call{method: http.MethodGet, path: []string{"session", id}, auth: true}, "")
	return err
}

// SessionError is returned if a session could not be opened. It does not unwrap to the *Error or *TransportError of the
// session call, whose status and "was it sent?" do not apply to the call that needed the session.
type SessionError struct {
	Refused bool // the credentials are at fault, not the connection to the service

	codeMissing bool // the account requires a second factor, and no code was sent

	problem string
	cause   error
}

// Error describes what is wrong with the credentials or the auth endpoint.
func (e *SessionError) Error() string {
	if e.cause == nil {
		return e.problem
	}
	return e.problem + ": " + e.cause.Error()
}

// Unwrap returns the cause if the session call got no answer.
func (e *SessionError) Unwrap() error {
	if lost, ok := errors.AsType[*TransportError](e.cause); ok {
		return lost.Err
	}
	return nil
}

// IsCodeMissing reports whether the account requires a second factor and no code was sent.
func IsCodeMissing(err error) bool {
	refused, ok := errors.AsType[*SessionError](err)
	return ok && refused.codeMissing
}

// missing2FA is the refusal of a login without the code of a second factor.
const missing2FA = "Missing 2FA"

// loginRefusals are the service's words when it refuses a login (API.md §2).
var loginRefusals = []string{
	missing2FA, "Bad login credentials", "Authentication failed", "Badly-formed parameters", "Invalid token",
}

// knownRefusal returns the known refusal in the answer to a login, or "". Nothing else of the answer is shown, because
// it may repeat a secret.
func knownRefusal(body []byte) string {
	words := strings.ToLower(string(body))
	for _, refusal := range loginRefusals {
		if strings.Contains(words, strings.ToLower(refusal)) {
			return refusal
		}
	}
	return ""
}

// sessionError explains why a session could not be opened.
func (c *Client) sessionError(err error, with credentials) error {
	issuer, status := c.authEndpoint.String(), StatusCode(err)
	failed := &SessionError{cause: err, Refused: status == http.StatusUnauthorized || status == http.StatusForbidden}
	answer, _ := errors.AsType[*Error](err)
	switch {
	case status == http.StatusBadRequest:
		failed.problem = issuer + " does not understand the login; check username and auth_endpoint"
	case status == http.StatusNotFound:
		failed.problem = issuer + " does not issue sessions; check auth_endpoint"
	case !failed.Refused:
		failed.problem = "cannot open a session at " + issuer
	case with.hasCode():
		failed.problem = issuer + " refuses the username, the password or the code of the second factor, which works once"
	case answer.Message == missing2FA:
		failed.codeMissing = true
		failed.problem = issuer + " requires a second factor for this user; run terraform-provider-cloudserver login, " +
			"which asks for the code and writes a session for token_file, or use an API key"
	default:
		failed.problem = issuer + " refuses the username or the password"
	}
	return failed
}
