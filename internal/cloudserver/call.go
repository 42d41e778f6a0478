package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
)

// call is one API call, whatever number of attempts it takes.
type call struct {
	method string
	path   []string   // elements, checked and escaped one by one
	query  url.Values // may be nil
	body   any        // marshalled as JSON; nil: none

	toAuth       bool // goes to the auth endpoint, without a token
	repeatable   bool // a POST that may be made twice without harm
	once         bool // a PUT or DELETE that may not be made twice
	most         int  // attempts; 0: max_retries bounds them
	plainText    bool // asks for text/plain (API.md §2)
	confidential bool // its bodies and the end of its path are secret
	unhurried    bool // an interrupt lets a request under way finish
}

// answer is what a successful call returned.
type answer struct {
	method, path string
	status       int
	body         []byte
}

// do makes a call as the configured user. An expired session is renewed and the
// call is made once more: after 401 nothing was done.
func (c *Client) do(ctx context.Context, call call) (*answer, error) {
	token, err := c.session.token(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := c.send(ctx, call, token)
	if StatusCode(err) != http.StatusUnauthorized {
		c.session.answered(token, err)
		return answer, err
	}
	fresh, renewErr := c.session.renew(ctx, token, err)
	if renewErr != nil {
		return nil, renewErr
	}
	answer, err = c.send(ctx, call, fresh)
	c.session.answered(fresh, err)
	return answer, err
}

// send makes a call with a token (empty: without) and repeats what may be
// repeated.
func (c *Client) send(ctx context.Context, call call, token string) (*answer, error) {
	request, x, err := c.newRequest(ctx, call, token)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, x.failure(ctx, c.base(call), err)
	}
	_ = response.Body.Close() // in memory: the exchange has read it
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, newError(x, response, x.body)
	}
	if call.method == http.MethodPost && !call.plainText {
		c.secrets.addReceived(secretValues(x.body))
	}
	return &answer{method: x.method, path: x.path, status: response.StatusCode, body: x.body}, nil
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
	c.secrets.add(token)
	if body, ok := call.body.(sensitive); ok {
		c.secrets.add(body.secrets()...)
	}
	x := newExchange(call, path, c.secrets)
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

// setHeaders sets both JSON headers on every call, also on a GET without a body,
// or the service may refuse it (API.md §1).
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

// base returns the URL that a call's path is relative to.
func (c *Client) base(call call) *url.URL {
	if call.toAuth {
		return c.authEndpoint
	}
	return c.endpoint
}
