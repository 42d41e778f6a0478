// SPDX-License-Identifier: MPL-2.0

package ready

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// mostHeaders is how many bytes of an answer are read. Its body is not read.
const mostHeaders = 64 << 10

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
func (p HTTP) Try(ctx context.Context) error {
	status, err := p.status(ctx)
	switch {
	case err != nil:
		hint := ""
		if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
			hint = "; set ready.ca_certificate to the certificate of its authority"
		}
		return fmt.Errorf("%s: %w%s", p.request(), cause(ctx, err), hint)
	case !p.Accepts.has(status):
		return fmt.Errorf("%s answered %s", p.request(), strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))))
	}
	return nil
}

// status returns the status of one answer.
func (p HTTP) status(ctx context.Context) (int, error) {
	target := &url.URL{Scheme: "http", Host: p.Address, Path: p.Target.path, RawPath: p.Target.raw, RawQuery: p.Target.query}
	if p.TLS {
		target.Scheme = "https"
	}
	request := (&http.Request{
		Method: http.MethodGet, URL: target, Host: cmp.Or(p.Host, p.Address),
		Header: http.Header{"User-Agent": {"terraform-provider-cloudserver (ready)"}, "Accept": {"*/*"}},
	}).WithContext(ctx)
	transport := &http.Transport{
		DialContext: p.Dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: mostHeaders,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: p.Roots},
	}
	answer, err := transport.RoundTrip(request) // unlike a client's call, it follows no redirect
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
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

// Statuses are the HTTP statuses that count as ready.
type Statuses struct {
	text   string
	ranges [][2]int
}

// Success are the statuses that count as ready by default.
var Success = Statuses{"200-299", [][2]int{{200, 299}}}

// ParseStatuses parses statuses and ranges, such as "200-299" or "200,204,301-302".
func ParseStatuses(text string) (Statuses, error) {
	s := Statuses{text: strings.ReplaceAll(text, " ", "")}
	for part := range strings.SplitSeq(s.text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := status(first)
		to, otherErr := status(last)
		if err = errors.Join(err, otherErr); err != nil || from > to {
			return Statuses{}, fmt.Errorf("must be HTTP statuses from 200 to 599, and ranges of them, such as 200-299 or 200,302: %q is neither", part)
		}
		s.ranges = append(s.ranges, [2]int{from, to})
	}
	return s, nil
}

// status parses one status. Those below 200 are informational and not the final answer.
func status(text string) (int, error) {
	code, err := strconv.Atoi(text)
	if err != nil || len(text) != 3 || code < 200 || code > 599 {
		return 0, errors.New("not a status")
	}
	return code, nil
}

// String returns the text that was parsed.
func (s Statuses) String() string { return s.text }

func (s Statuses) has(status int) bool {
	for _, r := range s.ranges {
		if r[0] <= status && status <= r[1] {
			return true
		}
	}
	return false
}
