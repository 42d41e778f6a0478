// SPDX-License-Identifier: MPL-2.0

// Package cloudserver is the client of the service's HTTP API. Of Terraform it uses only the log, and its messages name
// arguments of the provider block.
//
// Each kind of object has a file with its types and its calls; vm_create.go belongs to machine.go. What all calls share
// is in these files:
//
//	client.go    the client, and one call
//	config.go    its configuration, and the files that this names
//	attempt.go   the attempts of a call: time limit, "was it sent?", its answer
//	retry.go     what is repeated, and when; all calls wait after a 429
//	session.go   the token of a call; login.go exchanges credentials for one
//	create.go    creations, which find out what an ambiguous result has left
//	taken.go     the refusal of a name that is taken
//	errors.go    the errors; problems.go reads the bodies of refusals
//	log.go       the log, and what neither it nor an error may show
//	json.go      what may have more than one shape; path.go: paths, names and IDs
//
// A call is repeated, at most max_retries times, after a lost answer and after 409, 423, 502, 503 and 504, and once after
// 500. After a 429 all calls wait; after two minutes of nothing but 429 they end together. A call with once is repeated
// only if it was certainly not carried out: after 409, 423 and 429, and if its request was not sent. Creations of machines
// and groups look for the name before they are repeated.
//
// A value that is null, absent or unknown, or whose shape is not specified, never fails a call. An answer without the
// requested object does.
package cloudserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Client makes the service's calls. It is safe for concurrent use and meant to be shared, and so are its connections and
// its session.
type Client struct {
	endpoint      *url.URL
	shownEndpoint string // in messages, if it is not the endpoint's URL
	authEndpoint  *url.URL
	userAgent     string
	timeout       time.Duration // of one attempt
	maxRetries    int
	transport     http.RoundTripper
	observe       func(body []byte) // may be nil
	credentials   credentials
	session       *session
	gate          gate
	answered      atomic.Bool // the service has answered a request
}

// New validates the configuration and returns a client. It sends no request and reads no file. Its errors are of type
// *ConfigError.
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
	roots, err := ParseCertificates(config.CACertificate)
	if err != nil {
		return nil, err
	}
	c := &Client{
		endpoint: endpoint, shownEndpoint: config.ShownEndpoint,
		authEndpoint: authEndpoint,
		userAgent:    cmp.Or(Shown(config.UserAgent), defaultUserAgent),
		timeout:      cmp.Or(config.RequestTimeout, defaultRequestTimeout),
		maxRetries:   defaultMaxRetries,
		transport:    config.Transport,
		observe:      config.Observe,
		credentials:  newCredentials(config),
	}
	if config.MaxRetries != nil {
		c.maxRetries = *config.MaxRetries
	}
	if c.transport == nil {
		c.transport = newTransport(roots)
	}
	c.session = newSession(config, endpoint.Host, c.login)
	return c, nil
}

// IsLocal reports whether the service runs on this computer.
func (c *Client) IsLocal() bool { return isLoopback(c.endpoint.Hostname()) }

// Endpoint names the service in messages: the base URL, unless the configuration has another name.
func (c *Client) Endpoint() string { return cmp.Or(c.shownEndpoint, c.endpoint.String()) }

// call is one API call. It may take several attempts.
type call struct {
	method string
	path   []string   // elements, checked and escaped one by one
	query  url.Values // may be nil
	body   any        // encoded as JSON; nil: none

	once   bool // carrying it out twice would do harm: it is repeated only if it was certainly not carried out
	finish bool // an interrupt lets a request in progress finish, because its answer shows what was created
	auth   bool // a session call (API.md §2): to the auth endpoint, without a token, and with secrets in body and path
}

// answer is what a successful call returned.
type answer struct {
	method, path string // the path as it may be shown
	status       int
	body         []byte
}

// do makes a call as the configured user. A 401 means that nothing was done: the session is renewed, and the call is
// repeated once.
func (c *Client) do(ctx context.Context, call call) (*answer, error) {
	token, err := c.session.current(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.send(ctx, call, token)
	if StatusCode(err) != http.StatusUnauthorized {
		c.session.answered(token, err)
		return answer, err
	}
	if token, err = c.session.renew(ctx, token, err); err != nil {
		return nil, err
	}
	answer, err = c.send(ctx, call, token)
	if StatusCode(err) == http.StatusUnauthorized {
		return nil, c.session.refused(token, err)
	}
	c.session.answered(token, err)
	return answer, err
}

// send makes a call with a token, or without one if it is empty.
func (c *Client) send(ctx context.Context, call call, token string) (*answer, error) {
	x := &exchange{
		client: c, call: call, secrets: secretsOf(ctx, token, c.credentials.Password), carried: carriedBy(call.body),
	}
	path, err := joinPath(call.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", call.method, err)
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	x.path = x.secrets.hide(path)
	base := c.endpoint
	if call.auth {
		base, x.path = c.authEndpoint, "/"+call.path[0]
	}
	if call.body != nil {
		if x.body, err = json.Marshal(call.body); err != nil {
			return nil, fmt.Errorf("%s %s: cannot encode the body: %w", call.method, x.path, err)
		}
	}
	x.url = strings.TrimRight(base.String(), "/") + path
	x.endpoint = base.String()
	x.header = c.header(call, token)
	return x.do(ctx)
}

// header returns the headers of a request. Both JSON headers are set even for a GET, because the service may refuse a
// request without them (API.md §1).
func (c *Client) header(call call, token string) http.Header {
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {c.userAgent},
	}
	if call.auth && call.method == http.MethodPost {
		header.Set("Accept", "text/plain")
	}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return header
}

// object is implemented by the types of objects that have an ID.
type object[T any] interface {
	*T
	identity() (kind string, id int64)
}

// get makes a call that is answered with one object. An answer for another ID than the wanted one is an error; 0 accepts
// any ID.
func get[T any, P object[T]](ctx context.Context, c *Client, call call, wanted int64) (*T, error) {
	answer, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	return objectIn[T, P](answer, wanted)
}

// change makes a call that changes or adds an object. It returns nil if the service did not return the object.
func change[T any, P object[T]](ctx context.Context, c *Client, call call, wanted int64) (*T, error) {
	answer, err := c.do(ctx, call)
	if err != nil || answer.isEmpty() {
		return nil, err
	}
	return objectIn[T, P](answer, wanted)
}

// objectIn decodes the object in an answer. An answer 202 to the read of a machine describes nothing yet.
func objectIn[T any, P object[T]](answer *answer, wanted int64) (*T, error) {
	found := P(new(T))
	_, isMachine := any(found).(*VirtualMachine)
	if isMachine && answer.method == http.MethodGet && answer.status == http.StatusAccepted {
		return nil, fmt.Errorf("%s %s: %w", answer.method, answer.path, ErrNotDescribed)
	}
	if answer.isEmpty() {
		return nil, answer.unreadable(errEmpty)
	}
	if err := answer.decode(found); err != nil {
		return nil, err
	}
	kind, id := found.identity()
	switch {
	case id == 0:
		return nil, answer.unreadable(errors.New("it describes no " + kind))
	case wanted != 0 && id != wanted:
		return nil, answer.unreadable(fmt.Errorf("it is about another %s: ID %d instead of %d", kind, id, wanted))
	}
	return found, nil
}

// getList makes a call that is answered with a list of objects. An element without an ID makes the list unreadable:
// otherwise a caller could take an object for gone.
func getList[T any, P object[T]](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	found, err := decodeList[T](answer.body)
	if err != nil {
		return nil, answer.unreadable(err)
	}
	if found == nil {
		return nil, answer.unreadable(errors.New("it is not a list"))
	}
	for i := range found {
		if kind, id := P(&found[i]).identity(); id == 0 {
			return nil, answer.unreadable(fmt.Errorf("an element describes no %s", kind))
		}
	}
	return found, nil
}

// decode decodes the body into the target.
func (a *answer) decode(target any) error {
	if err := decode(a.body, target); err != nil {
		return a.unreadable(err)
	}
	return nil
}

// isEmpty reports whether the body is {} or nothing.
func (a *answer) isEmpty() bool {
	var fields map[string]json.RawMessage
	return len(bytes.TrimSpace(a.body)) == 0 || json.Unmarshal(a.body, &fields) == nil && len(fields) == 0
}

// unreadable returns the error for a successful answer that cannot be used.
func (a *answer) unreadable(why error) error {
	return fmt.Errorf("%s %s answered %d, but %w: %w", a.method, a.path, a.status, errUnreadable, why)
}
