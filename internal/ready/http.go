package ready

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const mostOfHTTP = 256 << 10 // bytes of an answer, certificates included; its body is not read

// HTTP sends a GET for a path. It does not follow redirects, uses no proxy, and does not read the body of the answer.
type HTTP struct {
	Dial    Dial
	Address string // with the port
	TLS     bool
	Roots   *x509.CertPool // nil: the system's
	Target  Target
	Host    string // header; "": the address
	Accepts Statuses
}

func (p HTTP) String() string { return fmt.Sprintf("%s to answer %s", p.request(), p.Accepts) }

// request names the request without its query, which may hold a secret of the machine.
func (p HTTP) request() string {
	scheme := "http"
	if p.TLS {
		scheme = "https"
	}
	query := ""
	if p.Target.query != "" {
		query = "?…"
	}
	return fmt.Sprintf("GET %s://%s%s%s", scheme, p.Address, p.Target.path, query)
}

// Try sends one request.
func (p HTTP) Try(ctx context.Context) (time.Duration, error) {
	status, err := p.status(ctx)
	switch {
	case err != nil:
		return often, fmt.Errorf("%s: %w%s", p.request(), seen(ctx, err), p.hint(err))
	case !p.Accepts.has(status):
		return often, fmt.Errorf("%s answered %s%s", p.request(), strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))), p.statusHint(status))
	}
	return 0, nil
}

const perhapsHTTPS = "; if this port expects HTTPS, set ready.https = true"

// hint returns what to change in the block ready if TLS is at fault, as the end of a sentence, or "".
func (p HTTP) hint(err error) string {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &authority):
		return "; set ready.ca_certificate to the certificate of its authority"
	case errors.As(err, &name):
		return "; set ready.host to a name that the certificate is for"
	case errors.As(err, &record):
		return "; this port does not speak TLS: remove ready.https, or correct ready.port"
	case !p.TLS && strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`): // a TLS alert
		return "; this port expects HTTPS: set ready.https = true"
	case !p.TLS && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)):
		return perhapsHTTPS // some ports for TLS hang up
	}
	return ""
}

// statusHint is hint for an answer: web servers refuse plain HTTP on a port for HTTPS with 400.
func (p HTTP) statusHint(status int) string {
	if p.TLS || status != http.StatusBadRequest {
		return ""
	}
	return perhapsHTTPS
}

// status returns the status of one answer. [http.Transport] is not used: it would keep reading in the background, and
// log what it did not expect.
func (p HTTP) status(ctx context.Context) (int, error) {
	request := &http.Request{
		Method: http.MethodGet,
		URL:    &url.URL{Host: p.Address, Path: p.Target.path, RawPath: p.Target.raw, RawQuery: p.Target.query},
		Host:   cmp.Or(p.Host, p.Address),
		Header: http.Header{"User-Agent": {"terraform-provider-cloudserver (ready)"}, "Accept": {"*/*"}},
		Close:  true,
	}
	raw, err := connect(ctx, p.Dial, p.Address, mostOfHTTP)
	if err != nil {
		return 0, err
	}
	defer func() { _ = raw.Close() }() // the body of the answer is not read
	connection, err := p.secured(ctx, raw)
	if err != nil {
		return 0, err
	}
	if err := request.Write(connection); err != nil {
		return 0, err
	}
	from := bufio.NewReader(connection)
	for {
		answer, err := http.ReadResponse(from, request) //nolint:bodyclose // closing it would read it, to its end
		if err != nil {
			return 0, err
		}
		// An informational answer may come first.
		if answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer.StatusCode, nil
		}
	}
}

// secured makes the TLS handshake, if there is to be one, and returns the connection to use.
func (p HTTP) secured(ctx context.Context, connection net.Conn) (net.Conn, error) {
	if !p.TLS {
		return connection, nil
	}
	host, _, err := net.SplitHostPort(p.Address)
	if err != nil {
		return nil, err
	}
	secure := tls.Client(connection, &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: p.Roots, ServerName: host})
	return secure, secure.HandshakeContext(ctx)
}

// Target is the path of a request and its query.
type Target struct{ path, raw, query string }

// ParseTarget parses a path such as "/health?deep=1".
func ParseTarget(text string) (Target, error) {
	if !strings.HasPrefix(text, "/") {
		return Target{}, errors.New("must be a path that begins with a slash, such as /health")
	}
	if strings.Contains(text, "#") || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Target{}, errors.New("must be a path of a URL, without a fragment (#), spaces or unescaped special characters")
	}
	path, query, _ := strings.Cut(text, "?")
	parsed, err := url.PathUnescape(path)
	if err != nil {
		return Target{}, fmt.Errorf("cannot be a path of a URL: %w", err)
	}
	return Target{path: parsed, raw: path, query: query}, nil
}
