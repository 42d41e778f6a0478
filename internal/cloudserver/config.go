// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Defaults and limits of a configuration.
const (
	defaultRequestTimeout  = 30 * time.Second // of one attempt, including its answer
	defaultMaxRetries      = 4                // attempts after the first
	defaultUserAgent       = "terraform-provider-cloudserver"
	MaxSessionValidity     = time.Hour // the service issues no longer sessions, and it is the default
	MinimumSessionValidity = time.Minute
)

// Config is the configuration of a client. Only Endpoint is required. Calls that need no credentials work without them
// (API.md §6).
type Config struct {
	// Endpoint is the base URL of all paths.
	Endpoint string
	// ShownEndpoint names the service in messages; empty: Endpoint.
	ShownEndpoint string
	// AuthEndpoint is the base URL of the session calls; empty: Endpoint.
	AuthEndpoint string
	// Token is a session ID or an API key (API.md §2).
	Token string
	// TokenFrom names the source of Token in messages.
	TokenFrom string
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
	// RequestTimeout limits one attempt; zero: 30 seconds.
	RequestTimeout time.Duration
	// MaxRetries is the maximum number of attempts after the first; nil: 4.
	MaxRetries *int
	// UserAgent is sent with every request, without characters that a header cannot contain.
	UserAgent string
	// Observe, if set, is called with the body of every answer before it is decoded, except those of session calls. The
	// check command uses it to compare answers with the contract.
	Observe func(body []byte)
	// Transport carries the requests. If it is nil, the client creates one, with the proxy of the environment, TLS 1.2
	// or newer, HTTP/2 and keep-alive.
	Transport http.RoundTripper
}

// String returns no values, so that printing a configuration shows no secret.
func (c Config) String() string { return "client configuration" }

// ConfigError names the part of a Config that is invalid.
type ConfigError struct {
	Field   string // the provider's name for it: "endpoint", "ca_certificate", …
	Problem string // what is wrong with it; follows the name in a sentence
}

// Error returns the field and its problem.
func (e *ConfigError) Error() string { return e.Field + " " + e.Problem }

// isHeaderSafe reports whether a token can be sent in a header.
func isHeaderSafe(token string) bool {
	return !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// check returns what is wrong with the token and the validity.
func (c Config) check() error {
	if !isHeaderSafe(c.Token) {
		return &ConfigError{"token", "contains a space, a line break or another character that a token cannot have; " +
			"set the token alone, without the word Bearer, or use token_file for a token in a file"}
	}
	if c.SessionValidity != 0 && (c.SessionValidity < MinimumSessionValidity || c.SessionValidity > MaxSessionValidity) {
		problem := fmt.Sprintf("must be between one minute and one hour, not %s", c.SessionValidity)
		return &ConfigError{"session_validity", problem}
	}
	return nil
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
		return nil, &ConfigError{field, "must be a base URL such as https://api.example.com, " +
			"without a query (?) or a fragment (#)"}
	case err != nil, base.Scheme != "https" && base.Scheme != "http", base.Hostname() == "":
		problem := fmt.Sprintf("must be a URL such as https://api.example.com, not %q", shorten(text, longestName))
		return nil, &ConfigError{field, problem}
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		problem := fmt.Sprintf("is %q, and plain http:// sends credentials unprotected; use https://, or set allow_http = true",
			shorten(text, longestName))
		return nil, &ConfigError{field, problem}
	}
	if above, ok := cutCall(base); ok {
		problem := fmt.Sprintf("is %q, the address of a call; set the base URL of all calls, %q", shorten(text, longestName), above)
		return nil, &ConfigError{field, problem}
	}
	return base, nil
}

// cutCall returns the base URL above the path of a call. It returns false if the URL is not that of a call.
func cutCall(base *url.URL) (above string, ok bool) {
	elements := strings.Split(base.Path, "/")
	at := slices.IndexFunc(elements, func(element string) bool {
		return slices.Contains([]string{"accounts", "definitions", "discs", "ips", "session", "virtual_machines"}, element)
	})
	if at < 0 {
		return "", false
	}
	root := *base
	root.Path, root.RawPath = strings.Join(elements[:at], "/"), ""
	return root.String(), true
}

// Host returns the host of a URL, with its port unless that is the one of the scheme.
func Host(base *url.URL) string {
	port := map[string]string{"https": ":443", "http": ":80"}[base.Scheme]
	return strings.TrimSuffix(strings.ToLower(base.Host), port)
}

// isLoopback reports whether traffic to a host stays on this machine. Names below localhost do not count, because a
// resolver or a proxy may send them elsewhere.
func isLoopback(host string) bool {
	return net.ParseIP(host).IsLoopback() || strings.EqualFold(host, "localhost")
}

// ReadPEM returns a PEM text unchanged, the content of a file if value is its name, and "" for "".
func ReadPEM(value string) (string, error) {
	if value == "" || strings.Contains(value, "-----BEGIN") {
		return value, nil
	}
	content, err := os.ReadFile(value)
	return string(content), err
}

// ParseCertificates returns the system's roots with the certificates of a PEM text added, or nil for "".
func ParseCertificates(text string) (*x509.CertPool, error) {
	if text == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a system without roots still gets the given ones
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM([]byte(text)) {
		return nil, &ConfigError{"ca_certificate", "contains no certificate in PEM form " +
			"(-----BEGIN CERTIFICATE-----) that can be read"}
	}
	return pool, nil
}

// readTokenFile reads the token from a file. Errors do not contain it.
func readTokenFile(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(content))
	if token == "" || !isHeaderSafe(token) {
		return "", fmt.Errorf("%s does not contain a token: a token is one word of printable ASCII characters", path)
	}
	return token, nil
}
