package cloudserver

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// What applies when the configuration does not say otherwise.
const (
	DefaultRequestTimeout  = 30 * time.Second // of one attempt, its answer included
	DefaultMaxRetries      = 4                // attempts after the first
	MaxSessionValidity     = time.Hour        // the service issues no longer sessions, and it is the default
	MinimumSessionValidity = time.Minute
	defaultUserAgent       = "terraform-provider-cloudserver"
)

// Config is the configuration of a client. Only Endpoint is required: without
// credentials the calls that need none still work (API.md §6).
type Config struct {
	// Endpoint is the base URL that every path is relative to.
	Endpoint string
	// AuthEndpoint is the base URL of the session calls; empty: Endpoint.
	AuthEndpoint string
	// Token is a session id or an API key (API.md §2).
	Token string
	// CredentialsFrom is where Token, or Username and Password, are from, for messages.
	CredentialsFrom string
	// TokenFile is a file that contains a token. It is read on first use, and
	// again after a 401.
	TokenFile string
	// Username and Password are exchanged for a session on first use.
	Username, Password string
	// SessionValidity is how long a session lasts; zero: MaxSessionValidity.
	SessionValidity time.Duration
	// CACertificate is PEM text, trusted in addition to the system's roots.
	// It has no effect on a Transport that is given.
	CACertificate string
	// AllowHTTP permits plain http:// to hosts beyond loopback.
	AllowHTTP bool
	// RequestTimeout bounds one attempt; zero: DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries bounds the attempts after the first; nil: DefaultMaxRetries.
	MaxRetries *int
	// UserAgent is sent with every request, without what a header cannot contain.
	UserAgent string
	// Observe is called with every answer whose body is not confidential, before
	// it is decoded; nil: not at all. -check compares answers with the contract.
	Observe func(Observation)
	// Transport carries the requests; nil: one of the client's own, with the
	// environment's proxy, TLS 1.2 or newer, HTTP/2 and keep-alive.
	Transport http.RoundTripper
}

// Observation is an answer as it came.
type Observation = transport.Observation

// String returns no value, so that no print shows a secret.
func (c Config) String() string { return "client configuration" }

// ConfigError says which part of a Config is at fault.
type ConfigError struct {
	Field   string // the provider's name for it: "endpoint", "ca_certificate", …
	Problem string // what is wrong with it, in words that follow the name
}

// Error returns the field and its problem.
func (e *ConfigError) Error() string { return e.Field + " " + e.Problem }

// isHeaderSafe reports whether a token can be sent in a header.
func isHeaderSafe(token string) bool {
	return !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// isQuoted reports whether a token is in quotes, as one that was copied from a file with
// settings.
func isQuoted(token string) bool {
	return len(token) > 1 && strings.ContainsAny(token[:1], "\"'`") && token[0] == token[len(token)-1]
}

// parseEndpoint checks a base URL; field is the attribute to blame. Its errors
// show the text only where it cannot contain credentials.
func parseEndpoint(field, text string, allowHTTP bool) (*url.URL, error) {
	text = strings.TrimSpace(text)
	base, err := url.Parse(text)
	switch {
	case text == "":
		return nil, &ConfigError{field, "is required: the base URL of the service"}
	case strings.Contains(text, "@") || strings.Contains(text, "%40"):
		return nil, &ConfigError{field, "must not contain a user or password; use token, or username and password"}
	case strings.ContainsAny(text, "?#"):
		return nil, &ConfigError{field, "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)"}
	case err != nil, base.Scheme != "https" && base.Scheme != "http", base.Hostname() == "":
		return nil, &ConfigError{field, fmt.Sprintf("must be a URL such as https://api.example.com, not %q", transport.Shorten(text, transport.LongestName))}
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, &ConfigError{field, fmt.Sprintf("is %q, and plain http:// sends credentials unprotected; use https://, or set allow_http = true", transport.Shorten(text, transport.LongestName))}
	}
	return base, nil
}

// isLoopback reports whether traffic to a host stays on this machine. Names below
// localhost do not count: a resolver or a proxy may send them elsewhere.
func isLoopback(host string) bool {
	return net.ParseIP(host).IsLoopback() || strings.EqualFold(host, "localhost")
}
