package cloudserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// call is one API call. It may take several attempts.
type call struct {
	method string
	path   []string   // elements, checked and escaped one by one
	query  url.Values // may be nil
	body   any        // marshalled as JSON; nil: none

	session    bool      // a call of API.md §2: to the auth endpoint, without a token; its bodies and the end of its path are secret
	repeatable bool      // a POST that may be made twice without harm
	most       int       // attempts; 0: max_retries bounds them
	single     bool      // exactly one attempt, even after a 401: [Client.Change] looks at the object before each
	unhurried  bool      // an interrupt lets a request in progress finish
	refused    time.Time // when an attempt before this one was refused with 401; zero: none was
}

// answer is what a successful call returned.
type answer struct {
	method, path string
	status       int
	body         []byte
}

// do makes a call as the configured user. A 401 means that nothing was done: an expired session is renewed once, or the
// token file is read again for a while, and the call is repeated.
func (c *Client) do(ctx context.Context, call call) (*answer, error) {
	token, err := c.session.token(ctx)
	if err != nil {
		return nil, err
	}
	refused := call.refused // the first time; zero: not yet
	sent := false
	for {
		answer, err := c.send(ctx, call, token)
		if err != nil && sent {
			err = &sentError{err}
		}
		isRefused := StatusCode(err) == http.StatusUnauthorized
		if !isRefused || !refused.IsZero() && !c.session.mayChangeAgain(refused) {
			c.session.answered(token, err)
			return answer, err
		}
		if refused.IsZero() {
			refused = time.Now()
		}
		refusal := err
		sent = IsAmbiguous(refusal)
		if token, err = c.session.renew(ctx, token, refusal); err != nil {
			if sent {
				err = &sentError{err}
			}
			return nil, err
		}
		if call.single {
			return nil, &renewedError{refusal}
		}
	}
}

// sentError is the error of a call of which an earlier attempt may have been carried out. Even if the last attempt was
// refused, something may have been done.
type sentError struct{ last error }

// Error returns the text of the last attempt's error.
func (e *sentError) Error() string { return e.last.Error() }

// Unwrap returns the error of the last attempt.
func (e *sentError) Unwrap() error { return e.last }

// renewedError is a 401 after which the session was renewed. Nothing was done, and the call can be made again.
type renewedError struct{ refusal error }

// Error returns the text of the refusal.
func (e *renewedError) Error() string { return e.refusal.Error() }

// Unwrap returns the refusal.
func (e *renewedError) Unwrap() error { return e.refusal }

// IsRenewed reports whether a call that is not repeated was refused with 401, but the session has been renewed since.
func IsRenewed(err error) bool {
	_, renewed := errors.AsType[*renewedError](err)
	return renewed
}

// sensitive is implemented by request bodies that contain secrets.
type sensitive interface{ secrets() []string }

// send makes a call with a token, or without one if it is empty.
func (c *Client) send(ctx context.Context, call call, token string) (*answer, error) {
	request, err := c.newRequest(call, token)
	if err != nil {
		return nil, err
	}
	got, err := c.transport.Do(ctx, request)
	if err != nil {
		return nil, err
	}
	switch refused := got.Status < 200 || got.Status > 299; {
	case refused && got.Sent && call.method != http.MethodGet:
		return nil, &sentError{c.newError(request, got)}
	case refused:
		return nil, c.newError(request, got)
	}
	if !call.session {
		c.lastAccepted.Store(time.Now().UnixNano())
	}
	if call.method == http.MethodPost && !call.session {
		transport.AddReceived(got.Body)
	}
	a := &answer{method: call.method, path: request.Shown, status: got.Status, body: got.Body}
	if !call.session {
		if why := a.notPromised(); why != nil {
			return nil, a.misunderstood(why)
		}
	}
	return a, nil
}

// attempts returns the maximum number of attempts of a call; 0: max_retries determines it.
func (c call) attempts() int {
	if c.single {
		return 1
	}
	return c.most
}

// newRequest builds the request of a call. It sets both JSON headers, even for a GET without a body: otherwise the
// service may refuse it (API.md §1).
func (c *Client) newRequest(call call, token string) (transport.Request, error) {
	request := transport.Request{
		Method: call.method, Base: c.endpoint,
		Header:     http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {c.userAgent}},
		Repeatable: call.repeatable || call.method != http.MethodPost,
		Most:       call.attempts(), Confidential: call.session, Unhurried: call.unhurried,
	}
	path, err := joinPath(call.path)
	if err != nil {
		return request, fmt.Errorf("%s: %w", call.method, err)
	}
	if len(call.query) > 0 {
		path += "?" + call.query.Encode()
	}
	request.Path, request.Shown = path, path
	if call.session {
		request.Base = c.authEndpoint
		if request.Shown = "/" + call.path[0]; len(call.path) > 1 {
			request.Shown += "/" + transport.HiddenText
		}
	}
	if call.session && call.method == http.MethodPost {
		request.Header.Set("Accept", "text/plain")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	transport.AddCredentials(token)
	request.Shown = transport.Shown(request.Shown) // a token may stand in a name
	if body, ok := call.body.(sensitive); ok {
		transport.AddSecrets(body.secrets()...)
	}
	if call.body != nil {
		if request.Body, err = json.Marshal(call.body); err != nil {
			return request, fmt.Errorf("%s %s: cannot encode the body: %w", call.method, request.Shown, err)
		}
	}
	return request, nil
}

// described is implemented by the types that answers describe. The name is empty if the type has none.
type described[T any] interface {
	*T
	identity() (kind string, id int64, name string)
}

// read makes a call that is answered with one object: the one with the ID, or, if id is 0, the one with the name, which
// may be an ID.
func read[T any, P described[T]](ctx context.Context, c *Client, made call, id int64, name string) (*T, error) {
	answer, err := c.do(ctx, made)
	if err != nil {
		return nil, err
	}
	var found T
	kind, _, _ := P(&found).identity()
	if answer.status == http.StatusAccepted && kind == virtualMachine {
		return nil, fmt.Errorf("%s %s: %w", answer.method, answer.path, ErrNotDescribed)
	}
	if err := answer.decode(&found); err != nil {
		return nil, err
	}
	_, foundID, foundName := P(&found).identity()
	if foundID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no " + kind))
	}
	if err := answer.isAbout(kind, foundID, foundName, id, name); err != nil {
		return nil, err
	}
	return &found, nil
}

// change makes a call that changes or adds an object. It returns the object as the service describes it afterwards, or
// nil if the answer is empty or {}. An answer for an object with another ID is an error, unless id is 0.
func change[T any, P described[T]](ctx context.Context, c *Client, made call, id int64) (*T, error) {
	answer, err := c.do(ctx, made)
	if err != nil {
		return nil, err
	}
	if answer.isEmpty() {
		return nil, nil
	}
	var changed T
	if err := answer.decode(&changed); err != nil {
		return nil, err
	}
	kind, changedID, _ := P(&changed).identity()
	if changedID == 0 {
		return nil, answer.misunderstood(errors.New("it describes no " + kind))
	}
	if err := answer.isAbout(kind, changedID, "", id, ""); err != nil {
		return nil, err
	}
	return &changed, nil
}

// lookAfter reads the object if the answer to a change was not understood. If the object is as requested, it returns
// the object and no error. In all other cases, including an answer for another object, it returns the result of the
// change.
func lookAfter[T any](changed *T, err error, look func() (*T, error), isDone func(*T) bool) (*T, error) {
	if !errors.Is(err, errMisunderstood) || errors.Is(err, errAnother) {
		return changed, err
	}
	if now, lookErr := look(); lookErr == nil && isDone(now) {
		return now, nil
	}
	return changed, err
}

// list makes a call that is answered with an array.
func list[T any](ctx context.Context, c *Client, path []string, query url.Values) ([]T, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	return listOf[T](answer)
}

// pick returns the wanted object of a list. missing describes the object in the error if the list lacks it.
func pick[T any](
	ctx context.Context, c *Client, path []string, query url.Values, missing string, is func(T) bool,
) (*T, error) {
	all, err := list[T](ctx, c, path, query)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, is); i >= 0 {
		return &all[i], nil
	}
	return nil, NotListed("/"+strings.Join(path, "/"), missing)
}
