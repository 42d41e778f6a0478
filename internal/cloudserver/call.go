package cloudserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
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

// sensitive is a request body that knows its own secrets.
type sensitive interface{ secrets() []string }

// send makes a call with a token (empty: without).
func (c *Client) send(ctx context.Context, call call, token string) (*answer, error) {
	request, err := c.newRequest(call, token)
	if err != nil {
		return nil, err
	}
	came, err := c.transport.Do(ctx, request)
	if err != nil {
		return nil, err
	}
	if came.Status < 200 || came.Status > 299 {
		return nil, newError(request, came)
	}
	if call.method == http.MethodPost && !call.plainText {
		transport.AddReceived(secretValues(came.Body))
	}
	return &answer{method: call.method, path: request.Shown, status: came.Status, body: came.Body}, nil
}

// newRequest builds the request of a call.
func (c *Client) newRequest(call call, token string) (transport.Request, error) {
	request := transport.Request{
		Method: call.method, Base: c.base(call), Header: http.Header{},
		Repeatable: call.repeatable || call.method != http.MethodPost && !call.once,
		Most:       call.most, Confidential: call.confidential, Unhurried: call.unhurried,
	}
	path, err := joinPath(call.path)
	if err != nil {
		return request, fmt.Errorf("%s: %w", call.method, err)
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	request.Path, request.Shown = path, path
	if call.confidential {
		request.Shown = hidePath(call.path)
	}
	transport.AddSecrets(token)
	if body, ok := call.body.(sensitive); ok {
		transport.AddSecrets(body.secrets()...)
	}
	if call.body != nil {
		if request.Body, err = json.Marshal(call.body); err != nil {
			return request, fmt.Errorf("%s %s: cannot encode the body: %w", call.method, request.Shown, err)
		}
	}
	setHeaders(request.Header, call, token)
	request.Header.Set("User-Agent", c.userAgent)
	return request, nil
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

// put sends a partial update. It returns the object as the service describes
// it afterwards, or nil if the answer does not say which object it is about. An
// answer for another object than the wanted one is an error.
func put[T any](ctx context.Context, c *Client, made call, kind string, wanted int64, id func(*T) int64) (*T, error) {
	made.method = http.MethodPut
	answer, err := c.do(ctx, made)
	if err != nil {
		return nil, err
	}
	updated, err := optional[T](answer)
	if err != nil || id(&updated) == 0 {
		return nil, err
	}
	if err := answer.checkID(kind, id(&updated), wanted); err != nil {
		return nil, err
	}
	return &updated, nil
}

// list makes a call whose answer is an array.
func list[T any](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	return decodeList[T](answer)
}
