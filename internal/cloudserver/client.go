package cloudserver

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// Client makes the service's calls. It is safe for concurrent use and meant to be shared, and so are its connections
// and its session.
type Client struct {
	endpoint     *url.URL
	authEndpoint *url.URL
	userAgent    string
	maxRetries   int
	transport    *transport.Transport
	session      *session

	shared          bool         // see Config.Shared
	explained       sync.Map     // see [Error.FirstWith]
	machinesCreated atomic.Int64 // creations that succeeded
	lastAccepted    atomic.Int64 // when a call was last answered with success, in Unix nanoseconds
}

// New validates the configuration and returns a client. It sends no request and reads no file. Its errors are of type
// *ConfigError.
func New(config Config) (*Client, error) {
	switch {
	case !isHeaderSafe(config.Token):
		return nil, &ConfigError{"token", "contains a space, a line break or another character that a token cannot have; " +
			"set the token alone, without the word Bearer, or use token_file for a token in a file"}
	case tokenMistake(config.Token) != "":
		return nil, &ConfigError{"token", tokenMistake(config.Token)}
	case isKey(config.Username):
		return nil, &ConfigError{"username", "is an API key, which needs no password; set token to it, and remove username and password"}
	case strings.ContainsAny(config.Password, "\r\n"):
		return nil, &ConfigError{"password", "contains a line break, as the contents of a file do; remove it"}
	case config.SessionValidity != 0 && (config.SessionValidity < MinimumSessionValidity ||
		config.SessionValidity > MaxSessionValidity):
		return nil, &ConfigError{"session_validity", fmt.Sprintf("must be between one minute and one hour, not %s", config.SessionValidity)}
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
	for _, address := range []*url.URL{endpoint, authEndpoint} {
		if err := transport.CheckProxy(address); err != nil && config.Transport == nil {
			return nil, &ConfigError{"", err.Error()}
		}
	}
	roots, err := ParseCertificates(config.CACertificate)
	if err != nil {
		return nil, err
	}
	c := &Client{
		endpoint:     endpoint,
		authEndpoint: authEndpoint,
		userAgent:    cmp.Or(transport.OneLine(config.UserAgent), defaultUserAgent),
		maxRetries:   DefaultMaxRetries,
		shared:       config.Shared,
	}
	transport.AddCredentials(config.Token, config.Password)
	if config.MaxRetries != nil {
		c.maxRetries = *config.MaxRetries
	}
	c.transport = transport.New(transport.Config{
		Roots: roots, Next: config.Transport, MaxRetries: c.maxRetries, Observe: config.Observe,
		Timeout: cmp.Or(config.RequestTimeout, DefaultRequestTimeout), Shared: config.Shared, UnknownVariables: config.UnknownVariables,
	})
	c.session = newSession(config, c.openSession)
	return c, nil
}

// LastAccepted returns when a call of this client was last answered with success. If that was recent, a refusal may
// pass soon.
func (c *Client) LastAccepted() time.Time { return time.Unix(0, c.lastAccepted.Load()) }

// IsLocal reports whether the service runs on this computer.
func (c *Client) IsLocal() bool { return isLoopback(c.endpoint.Hostname()) }

// Endpoint returns the base URL that the client was configured with.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// BasePath returns the path of the base URL, which all paths of requests follow, or "" if it has none.
func (c *Client) BasePath() string { return strings.TrimRight(c.endpoint.Path, "/") }

// Throttled returns an error that explains why all requests are held at present: the service has answered 429, and has
// accepted no request since. It returns nil if they are not held.
func (c *Client) Throttled() error {
	status := c.transport.Throttled()
	if status == nil {
		return nil
	}
	return fmt.Errorf("the service last %s", status)
}

// LastFailure returns an error that names the last answer, if it held up all requests or was a 5xx, or nil.
func (c *Client) LastFailure() error {
	status := c.transport.Failing()
	if status == nil {
		return c.Throttled()
	}
	return fmt.Errorf("the service last %s", status)
}

// TakeThrottling returns a message for the user, and true, once after the service has held up all requests for long. A
// rate limit that the client learns to keep is not reported.
func (c *Client) TakeThrottling() (text string, ok bool) {
	status := c.transport.TakeThrottling()
	if status == nil {
		return "", false
	}
	return fmt.Sprintf("the service %s", status), true
}
