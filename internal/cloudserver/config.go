package cloudserver

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
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
	// Observe, if set, is called with every answer before it is decoded, except those of session calls. The check
	// command uses it to compare answers with the contract.
	Observe func(Observation)
	// Transport carries the requests. If it is nil, the client creates one, with the proxy of the environment, TLS 1.2
	// or newer, HTTP/2 and keep-alive.
	Transport http.RoundTripper
}

// Observation is an answer as received.
type Observation struct {
	Method, Path string // relative to the endpoint, with the query
	Status       int
	Header       http.Header
	Body         []byte
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

// check returns what is wrong with the credentials and the validity.
func (c Config) check() error {
	quoted := len(c.Token) > 1 && strings.ContainsAny(c.Token[:1], "\"'`") && c.Token[0] == c.Token[len(c.Token)-1]
	switch {
	case quoted:
		return &ConfigError{"token", "is in quotes, which are no part of a token; remove them"}
	case !isHeaderSafe(c.Token):
		return &ConfigError{"token", "contains a space, a line break or another character that a token cannot have; " +
			"set the token alone, without the word Bearer, or use token_file for a token in a file"}
	case strings.HasPrefix(c.Username, apiKeyPrefix):
		return &ConfigError{"username", "is an API key, which needs no password; " +
			"set token to it, and remove username and password"}
	case strings.ContainsAny(c.Password, "\r\n"):
		return &ConfigError{"password", "contains a line break, as the contents of a file do; remove it"}
	case c.SessionValidity != 0 && (c.SessionValidity < MinimumSessionValidity || c.SessionValidity > MaxSessionValidity):
		problem := fmt.Sprintf("must be between one minute and one hour, not %s", c.SessionValidity)
		return &ConfigError{"session_validity", problem}
	}
	return nil
}

// apiKeyPrefix begins an API key (API.md §2).
const apiKeyPrefix = "apikey."

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
	return base, nil
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

// maxFile is the maximum size in bytes of a file that the configuration names.
const maxFile = 1 << 20

var errEmptyFile = errors.New("is empty")

// ReadFile reads a small file that the configuration names. Devices and pipes are refused, because they may block or
// have no end.
func ReadFile(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer blocks otherwise
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it is only read
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1)) // regardless of the reported size
	switch {
	case err != nil:
		return nil, err
	case len(content) > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	case strings.TrimSpace(string(content)) == "":
		return nil, fmt.Errorf("%s %w", path, errEmptyFile)
	}
	return content, nil
}

// ReadPEM returns a PEM text unchanged, the content of a file if value is its name, and "" for "".
func ReadPEM(value string) (string, error) {
	if value == "" || strings.Contains(value, "-----BEGIN") {
		return value, nil
	}
	content, err := ReadFile(value)
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

// CheckTokenFile reports whether others can read a token file. It returns an error if the file cannot be used. A file
// that does not exist, is empty or cannot be read is not an error, because it may be written later.
func CheckTokenFile(path string) (othersCanRead bool, err error) {
	if _, err := readTokenFile(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errEmptyFile) {
			return false, nil
		}
		return false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0, nil
}

// readTokenFile reads the token from a file. Errors do not contain it.
func readTokenFile(path string) (string, error) {
	content, err := ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(content))
	if !isHeaderSafe(token) {
		return "", fmt.Errorf("%s does not contain a token: a token is one word of printable ASCII characters", path)
	}
	return token, nil
}
