package cloudserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
)

// call is one API call, before it is known how often it has to be tried.
type call struct {
	method string
	path   []string   // elements, escaped one by one
	query  url.Values // may be nil
	body   any        // marshalled as JSON; nil: none

	toAuth       bool // goes to the auth endpoint, without a token
	repeatable   bool // a POST that may be made twice without harm
	plainText    bool // asks for text/plain (api.md §2)
	confidential bool // its bodies and the end of its path are secret
	unhurried    bool // an interrupt lets a request under way finish (create.go)
}

// answer is what a successful call came back with.
type answer struct {
	method, path string
	status       int
	body         []byte
}

// secretive is a request body that knows its own secrets, so that an answer
// which echoes them can be cleaned.
type secretive interface{ secrets() []string }

// do makes a call as the configured user. An expired session is renewed, and
// the call made once more: 401 says that nothing was done.
func (c *Client) do(ctx context.Context, call call) (*answer, error) {
	token, err := c.session.token(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.send(ctx, call, token)
	if StatusCode(err) != http.StatusUnauthorized {
		return answer, err
	}
	fresh, renewErr := c.session.renew(ctx, token, err)
	if renewErr != nil {
		return nil, renewErr
	}
	return c.send(ctx, call, fresh)
}

// send makes a call with a token (empty: without), retrying what may be.
func (c *Client) send(ctx context.Context, call call, token string) (*answer, error) {
	request, x, err := c.newRequest(ctx, call, token)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, x.failure(ctx, c.base(call), err)
	}
	body, err := readBody(response) // in memory since the exchange: it cannot fail
	if err != nil {
		return nil, x.failure(ctx, c.base(call), err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, newError(x, response, body)
	}
	return &answer{method: x.method, path: x.path, status: response.StatusCode, body: body}, nil
}

// newRequest builds the request of a call, and the exchange that follows its
// attempts.
func (c *Client) newRequest(ctx context.Context, call call, token string) (*retryablehttp.Request, *exchange, error) {
	path, err := joinPath(call.path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", call.method, err)
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	x := newExchange(ctx, call, path, token)
	var body any // bytes, or an untyped nil, which the retrying client tells apart
	if call.body != nil {
		if body, err = json.Marshal(call.body); err != nil {
			return nil, nil, fmt.Errorf("%s %s: cannot encode the body: %w", x.method, x.path, err)
		}
	}
	address := strings.TrimRight(c.base(call).String(), "/") + path
	request, err := retryablehttp.NewRequestWithContext(withExchange(ctx, x), call.method, address, body)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: the request cannot be built", x.method, x.path)
	}
	setHeaders(request.Header, call, token)
	request.Header.Set("User-Agent", c.userAgent)
	return request, x, nil
}

// setHeaders: both JSON headers go with every call, a bodiless GET included,
// or the service may refuse (api.md §1).
func setHeaders(header http.Header, call call, token string) {
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	if call.plainText {
		header.Set("Accept", "text/plain")
	}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
}

// base is the URL that a call's path is relative to.
func (c *Client) base(call call) *url.URL {
	if call.toAuth {
		return c.authEndpoint
	}
	return c.endpoint
}

// joinPath escapes every element, so that none can lead to another resource.
func joinPath(elements []string) (string, error) {
	var path strings.Builder
	for i, element := range elements {
		switch element {
		case "":
			return "", fmt.Errorf("the name or id after %q is empty", elements[max(i-1, 0)])
		case ".", "..": // PathEscape leaves them, and servers resolve them
			element = strings.ReplaceAll(element, ".", "%2E")
		default:
			element = url.PathEscape(element)
		}
		path.WriteString("/" + element)
	}
	return path.String(), nil
}

// errMisunderstood marks a successful answer that could not be read: what was
// asked for has nevertheless been done.
var errMisunderstood = errors.New("the answer is not understood")

// misunderstood explains such an answer.
func (a *answer) misunderstood(why error) error {
	return fmt.Errorf("%s %s answered %d, but %w: %w", a.method, a.path, a.status, errMisunderstood, why)
}

// decode reads the JSON of an answer into target.
func (a *answer) decode(target any) error {
	if len(strings.TrimSpace(string(a.body))) == 0 {
		return a.misunderstood(errors.New("it is empty"))
	}
	if json.Unmarshal(a.body, target) != nil { // its words are those of a programmer
		return a.misunderstood(errors.New(a.oddity()))
	}
	return nil
}

// optional decodes the object of an answer, or the zero value if the answer is
// empty: a service may answer a change with the object, {} or nothing.
func optional[T any](a *answer) (T, error) {
	var object T
	if len(bytes.TrimSpace(a.body)) == 0 {
		return object, nil
	}
	err := a.decode(&object)
	return object, err
}

// oddity says what an answer is that cannot be read.
func (a *answer) oddity() string {
	switch {
	case json.Valid(a.body):
		return "it is " + kindOf(a.body) + " of another shape than this call answers"
	case strings.HasPrefix(strings.TrimSpace(string(a.body)), "<"):
		return "it is a page for a browser, not JSON; check that endpoint is the base address of the service's HTTP API"
	}
	return "it is not JSON"
}
