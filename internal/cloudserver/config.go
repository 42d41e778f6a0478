package cloudserver

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// What applies when the configuration does not say otherwise.
const (
	DefaultRequestTimeout = 30 * time.Second // of one attempt, its answer included
	DefaultMaxRetries     = 4                // attempts after the first
	defaultUserAgent      = "terraform-provider-cloudserver"
)

// Config is what a client needs to know. Only Endpoint is required: without
// credentials the calls that need none still work (api.md §6).
type Config struct {
	// Endpoint is the base URL which every path is relative to.
	Endpoint string
	// AuthEndpoint is the base URL of the session calls; empty: Endpoint.
	AuthEndpoint string
	// Token is a session id or an API key, used as it is (api.md §2).
	Token string
	// Username, Password and OTP are exchanged for a session on first need.
	// OTP, a one-time password, is optional and sent as "yubikey".
	Username, Password, OTP string
	// CACertificate is PEM text, trusted in addition to the system's roots.
	// It has no effect on a Transport that is given.
	CACertificate string
	// AllowHTTP permits plain http:// to hosts beyond loopback.
	AllowHTTP bool
	// RequestTimeout bounds one attempt; zero: DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries bounds the attempts after the first; nil: DefaultMaxRetries.
	MaxRetries *int
	// UserAgent is sent with every request.
	UserAgent string
	// Transport carries the requests; nil: one of the client's own, with the
	// environment's proxy, TLS 1.2 or newer, HTTP/2 and keep-alive.
	Transport http.RoundTripper
}

// String names the endpoint alone, so that no print shows a secret.
func (c Config) String() string { return "client of " + c.Endpoint }

// GoString is String, for %#v.
func (c Config) GoString() string { return c.String() }

// ConfigError says which part of a Config is at fault.
type ConfigError struct {
	Field   string // the provider's name for it: "endpoint", "ca_certificate", …
	Problem string // what is wrong with it, in words that follow the name
}

// Error names the field and its problem.
func (e *ConfigError) Error() string { return e.Field + " " + e.Problem }

// check finds the first contradiction that needs no parsing.
func (c Config) check() error {
	switch {
	case c.Token != "" && (c.Username != "" || c.Password != ""):
		return &ConfigError{"token", "cannot be combined with a username and password"}
	case c.Username != "" && c.Password == "":
		return &ConfigError{"password", "is needed with a username"}
	case c.Username == "" && c.Password != "":
		return &ConfigError{"username", "is needed with a password"}
	case !isHeaderSafe(c.Token):
		return &ConfigError{"token", "holds a line break, a blank or another character that a token cannot have"}
	case c.RequestTimeout < 0:
		return &ConfigError{"request_timeout", "must not be negative"}
	case c.MaxRetries != nil && *c.MaxRetries < 0:
		return &ConfigError{"max_retries", "must not be negative"}
	}
	return nil
}

// isHeaderSafe reports whether a token can be sent in a header.
func isHeaderSafe(token string) bool {
	return !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// parseEndpoint checks a base URL; field is the attribute to blame.
func parseEndpoint(field, text string, allowHTTP bool) (*url.URL, error) {
	if text == "" {
		return nil, &ConfigError{field, "is required: the base URL of the service"}
	}
	base, err := url.Parse(text)
	switch {
	case err != nil: // the cause would repeat the text, which may hold a password
		return nil, &ConfigError{field, "is not a URL such as https://api.example.com"}
	case base.User != nil:
		return nil, &ConfigError{field, "must not hold a user or password; use token, or username and password"}
	case base.Scheme != "https" && base.Scheme != "http", base.Hostname() == "":
		return nil, &ConfigError{field, fmt.Sprintf("must be a URL such as https://api.example.com, not %q", text)}
	case base.RawQuery != "" || base.Fragment != "":
		return nil, &ConfigError{field, "must not hold a query or a fragment"}
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, &ConfigError{field, "is plain http://, which sends credentials unprotected; use https://, or set allow_http = true"}
	}
	return base, nil
}

// isLoopback reports whether traffic to a host stays on this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// parseCertificates adds the PEM text to the system's roots; nil for none.
func parseCertificates(pem string) (*x509.CertPool, error) {
	if pem == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a system without roots still has the ones given here
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM([]byte(pem)) {
		return nil, &ConfigError{"ca_certificate", "holds no certificate in PEM form"}
	}
	return pool, nil
}
