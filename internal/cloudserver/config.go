package cloudserver

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// Defaults and limits of a configuration.
const (
	DefaultRequestTimeout  = 30 * time.Second // of one attempt, including its answer
	DefaultMaxRetries      = 4                // attempts after the first
	MaxSessionValidity     = time.Hour        // the service issues no longer sessions, and it is the default
	MinimumSessionValidity = time.Minute
	defaultUserAgent       = "terraform-provider-cloudserver"
)

// Config is the configuration of a client. Only Endpoint is required. Calls that need no credentials work without them
// (API.md §6).
type Config struct {
	// Endpoint is the base URL of all paths.
	Endpoint string
	// AuthEndpoint is the base URL of the session calls; empty: Endpoint.
	AuthEndpoint string
	// Token is a session ID or an API key (API.md §2).
	Token string
	// NoCredentials are sentences for messages that no credentials are configured, each after a space: where they may
	// have been meant to be.
	NoCredentials string
	// UnknownVariables is a sentence, after a space, about variables of the environment that look like the provider's
	// and are not; "": there are none. It ends a message about a certificate that is not trusted.
	UnknownVariables string
	// CredentialsFrom names the source of Token, or of Username and Password, in messages.
	CredentialsFrom string
	// TokenFile is the name of a file that contains a token. It is read on first use, and again after a 401.
	TokenFile string
	// Username and Password are exchanged for a session on first use.
	Username, Password string
	// SessionValidity is how long a session lasts; zero: MaxSessionValidity.
	SessionValidity time.Duration
	// CACertificate is a PEM text with certificates that are trusted in addition to the system's roots. It has no
	// effect if Transport is set.
	CACertificate string
	// AllowHTTP permits plain http:// to hosts other than loopback.
	AllowHTTP bool
	// RequestTimeout limits one attempt; zero: DefaultRequestTimeout.
	RequestTimeout time.Duration
	// MaxRetries is the maximum number of attempts after the first; nil: DefaultMaxRetries.
	MaxRetries *int
	// UserAgent is sent with every request, without characters that a header cannot contain.
	UserAgent string
	// Shared: several runs use the client. Each shows its own messages, so errors are explained each time.
	Shared bool
	// Observe, if set, is called with every answer before it is decoded, unless its body is confidential. check uses
	// it to compare answers with the contract.
	Observe func(Observation)
	// Transport carries the requests. If it is nil, the client creates one, with the proxy of the environment, TLS 1.2
	// or newer, HTTP/2 and keep-alive.
	Transport http.RoundTripper
}

// Observation is an answer as received.
type Observation = transport.Observation

// String returns no values, so that printing a configuration shows no secret.
func (c Config) String() string { return "client configuration" }

// ConfigError names the part of a Config that is invalid.
type ConfigError struct {
	Field   string // the provider's name for it: "endpoint", "ca_certificate", …; "": Problem names what is at fault
	Problem string // what is wrong with it; follows the name in a sentence
}

// Error returns the field and its problem.
func (e *ConfigError) Error() string { return strings.TrimSpace(e.Field + " " + e.Problem) }

// isHeaderSafe reports whether a token can be sent in a header.
func isHeaderSafe(token string) bool {
	return !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// assignment matches a token that was copied with the variable in front of it. Base64 may end in = too, but nothing
// follows there.
var assignment = regexp.MustCompile(`^[A-Z][A-Z0-9_]*=[^=]`)

// tokenMistake returns what was copied wrongly, or "" if nothing seems to be. Its words follow the token's name in a
// sentence, and do not contain the token.
func tokenMistake(token string) string {
	switch {
	case len(token) > 1 && strings.ContainsAny(token[:1], "\"'`") && token[0] == token[len(token)-1]:
		return "is in quotes, which are no part of a token; remove them"
	case strings.HasPrefix(token, "{"):
		return "looks like JSON; write the token alone"
	case assignment.MatchString(token):
		return "begins with the name of a variable and =, which are no part of a token; remove them"
	case token != "" && strings.Trim(token, "*") == "":
		return "consists of asterisks, which stand for a hidden value; set the token itself"
	}
	return ""
}

// parseEndpoint validates a base URL. field is the attribute to blame. Errors quote the text only if it cannot contain
// credentials.
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
	case endpointMistake(text) != "":
		return nil, &ConfigError{field, endpointMistake(text)}
	case err != nil, base.Scheme != "https" && base.Scheme != "http", base.Hostname() == "":
		return nil, &ConfigError{field, fmt.Sprintf("must be a URL such as https://api.example.com, not %q", transport.Shorten(text, transport.LongestName))}
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, &ConfigError{field, fmt.Sprintf("is %q, and plain http:// sends credentials unprotected; use https://, or set allow_http = true",
			transport.Shorten(text, transport.LongestName))}
	}
	return base, nil
}

// endpointMistake returns what is wrong with a base URL and how to correct it, or "" for anything but usual mistakes. Its
// words follow the name of the argument in a sentence.
func endpointMistake(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	authority, _, _ := strings.Cut(rest, "/")
	host, port, splitErr := net.SplitHostPort(authority)
	if splitErr != nil {
		host, port = authority, ""
	}
	number, portErr := strconv.Atoi(port)
	switch {
	case strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://"):
		return "has the scheme twice; remove " + scheme + "://"
	case strings.Count(authority, ":") > 1 && !strings.HasPrefix(authority, "["):
		return fmt.Sprintf("has an IPv6 address without brackets; write %s://[address], with a port behind the brackets", scheme)
	case port != "" && (portErr != nil || number < 1 || number > 65535):
		return fmt.Sprintf("has the port %q; a port is a number from 1 to 65535", transport.Shorten(port, transport.LongestName))
	case host == "0.0.0.0" || host == "::" || host == "[::]":
		return "is " + host + ", on which a server listens, and to which no client can connect; use 127.0.0.1"
	}
	return ""
}

// isLoopback reports whether traffic to a host stays on this machine. Names below localhost do not count, because a
// resolver or a proxy may send them elsewhere.
func isLoopback(host string) bool {
	return net.ParseIP(host).IsLoopback() || strings.EqualFold(host, "localhost")
}

// SameHost reports whether two base URLs lead to the same host and port. All names of this machine are one host. A text
// that is not a URL is refused elsewhere, and counts as the same.
func SameHost(a, b string) bool {
	one, other := hostAndPort(a), hostAndPort(b)
	return one == other || one == "" || other == ""
}

func hostAndPort(text string) string {
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil || base.Hostname() == "" {
		return ""
	}
	host, port := strings.ToLower(strings.TrimSuffix(base.Hostname(), ".")), base.Port()
	if isLoopback(host) {
		host = "localhost"
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(base.Scheme)]
	}
	return net.JoinHostPort(host, port)
}

// HostOf returns the host of a base URL as it is written, with its port if it has one, and without a user or password.
func HostOf(text string) string {
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return ""
	}
	return base.Host
}
