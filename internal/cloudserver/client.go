package cloudserver

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Client makes the service's calls. It is safe for concurrent use, and is
// meant to be shared: connections and the session are.
type Client struct {
	endpoint     *url.URL
	authEndpoint *url.URL
	userAgent    string
	maxRetries   int
	http         *retryablehttp.Client
	session      *session
	familiar     familiar
	turns        turns
}

// New checks the configuration and makes a client of it. No request is made.
// What is wrong with the configuration is told by a *ConfigError.
func New(config Config) (*Client, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	endpoint, err := parseEndpoint("endpoint", config.Endpoint, config.AllowHTTP)
	if err != nil {
		return nil, err
	}
	authEndpoint := endpoint
	if config.AuthEndpoint != "" {
		if authEndpoint, err = parseEndpoint("auth_endpoint", config.AuthEndpoint, config.AllowHTTP); err != nil {
			return nil, err
		}
	}
	roots, err := parseCertificates(config.CACertificate)
	if err != nil {
		return nil, err
	}
	c := &Client{
		endpoint:     endpoint,
		authEndpoint: authEndpoint,
		userAgent:    orDefault(config.UserAgent, defaultUserAgent),
		maxRetries:   DefaultMaxRetries,
		familiar:     familiar{groups: map[string]map[string]*listed{}},
	}
	if config.MaxRetries != nil {
		c.maxRetries = *config.MaxRetries
	}
	transport := config.Transport
	if transport == nil {
		transport = newTransport(roots)
	}
	c.http = newRetrying(&exchanger{
		next:    transport,
		timeout: orDefault(config.RequestTimeout, DefaultRequestTimeout),
		pacer:   newPacer(),
	}, c.maxRetries)
	c.session = newSession(config, c.openSession)
	return c, nil
}

// Endpoint is the base URL that the client was configured with.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// newTransport is sized for a run with a parallelism of 50: every worker keeps
// its connection.
func newTransport(roots *x509.CertPool) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:   10 * time.Second,
		ForceAttemptHTTP2:     true, // a TLSClientConfig of one's own turns it off otherwise
		MaxIdleConns:          128,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// orDefault is value, or fallback where value is zero.
func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}
