package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Writer sends the requests that change or destroy an existing object, or add to one. It makes one attempt of each. Only
// [Client.Change] hands one out, so there is no other way to such a request.
type Writer struct {
	client  *Client
	kind    *repetition
	renewed *time.Time // see failures
}

// repetition is which failures of a request allow another attempt.
type repetition int

const (
	destroys repetition = iota // any after which the request may have been carried out or may be accepted later
	changes                    // any after which the service may be able to carry it out
	once                       // only those after which it was certainly not carried out
)

// ErrOutOfSight is wrapped by the error of a look if the service shows the object at another time: nothing is sent, and
// the look counts as a failed attempt.
var ErrOutOfSight = errors.New("out of sight")

// Recent is how old an answer may be that counts as the look before a request that changes or destroys an object.
const Recent = 5 * time.Second

// Change sends a request that changes or destroys an existing object, and repeats it until it is done. Every such request
// goes through this function.
//
// Right before each request, including repetitions, look reads the object by its ID: it may have changed, because a
// colleague has attached a disc or undeleted the machine, or another service may answer. look uses nothing that was
// requested before since: five seconds ago, or the last attempt. It reports whether nothing is left to do, and returns an
// error if nothing must be sent. A look that ends with [ErrOutOfSight] or [ErrNotDescribed] counts as a
// failed attempt. send makes one request and does not repeat it; a 429 to it, while the service accepts others, does
// not count for a while.
func (c *Client) Change(
	ctx context.Context, look func(ctx context.Context, since time.Time) (done bool, err error), send func(context.Context, Writer) error,
) error {
	var f failures
	var sent time.Time // when the last attempt ended
	lookNow := func(ctx context.Context) (done bool, err error) { return lookSince(ctx, sent, look) }
	for attempt := 0; ; attempt++ {
		done, err := lookNow(ctx)
		switch {
		case done && err == nil:
			return nil
		case err != nil && !errors.Is(err, ErrOutOfSight) && !errors.Is(err, ErrNotDescribed):
			return f.endLook(err)
		case err == nil:
			err = send(ctx, Writer{c, &f.kind, &f.renewed})
			if sent = time.Now(); err == nil || !f.mayHelp(c, err) {
				return f.end(err)
			}
		}
		if IsRenewed(err) || f.throttled.mayPass(ctx, c, err) { // nothing was done, and the client waits
			attempt--
			continue
		}
		if attempt >= c.MaxRetries() {
			return f.end(ended(err, f.last))
		}
		if attempt == 0 && IsNotFound(err) { // the next look shows where the object is
			continue
		}
		if interrupted, err := pause(ctx, attempt, err, lookNow); interrupted {
			return f.end(err)
		}
	}
}

// lookSince looks with what was requested after the last attempt, and less than five seconds ago. It looks once more if
// that takes so long that what the look began with is not recent any more: a 429 to one of its requests may hold up the
// next. The second look uses nothing of the first. It counts in any case, because a slow service would be asked for ever.
func lookSince(
	ctx context.Context, sent time.Time, look func(ctx context.Context, since time.Time) (done bool, err error),
) (done bool, err error) {
	began := time.Now()
	since := began.Add(-Recent)
	if sent.After(since) {
		since = sent
	}
	if done, err = look(ctx, since); done || err != nil || time.Since(began) < Recent {
		return done, err
	}
	return look(ctx, time.Now())
}

// lookError is the error of a look, after which nothing was sent.
type lookError struct{ err error }

// Error returns the text of the error.
func (e *lookError) Error() string { return e.err.Error() }

// Unwrap returns the error.
func (e *lookError) Unwrap() error { return e.err }

// failures are what the attempts of a request have ended with.
type failures struct {
	kind      repetition
	last      error     // of the last request
	ambiguous bool      // a request may have been carried out
	broken    int       // number of requests that were answered with 500
	missed    int       // number of requests that were answered with 404
	renewed   time.Time // when the session was renewed first; zero: never
	throttled throttling
}

// mayHelp reports whether, after a failed request, another look and possibly another request can help: the object was
// not found, the request may have been carried out, or it may be accepted later. A change that is answered with 500 is
// repeated once, because the service may be unable to carry it out.
func (f *failures) mayHelp(c *Client, err error) bool {
	f.last, f.ambiguous = err, f.ambiguous || IsAmbiguous(err)
	status := StatusCode(err)
	switch {
	case status == http.StatusInternalServerError:
		f.broken++
	case IsNotFound(err):
		f.missed++
	}
	if IsRenewed(err) {
		first := f.renewed.IsZero()
		if first {
			f.renewed = time.Now()
		}
		return first || c.session.mayChangeAgain(f.renewed)
	}
	lost, isLost := errors.AsType[*TransportError](err)
	certain := IsThrottled(err)
	switch f.kind {
	case destroys:
		return status == http.StatusTooManyRequests || isLost || IsNotFound(err) || IsAmbiguous(err)
	case once:
		return certain || isLost && !lost.Sent && !lost.Permanent || IsNotFound(err) && f.missed == 1
	case changes:
	}
	switch status {
	case http.StatusInternalServerError:
		return f.broken == 1
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusNotFound:
		return IsNotFound(err) && f.missed == 1
	}
	return certain || isLost && !lost.Permanent
}

// endLook returns the error of a look that ends the request, unless the look repeats the failure of the request.
func (f *failures) endLook(err error) error {
	if f.last == nil || !errors.Is(err, f.last) {
		err = &lookError{err}
	}
	return f.end(withFailure(err, f.last))
}

// end returns the error of a request. It is ambiguous if any attempt was, except for requests that destroy, whose looks
// have shown what became of them.
func (f *failures) end(err error) error {
	if err == nil || f.kind == destroys || !f.ambiguous || IsAmbiguous(err) {
		return err
	}
	return &sentError{err}
}

// throttling counts the requests that the service refused with 429 while it accepted others.
type throttling struct {
	requests int
	first    time.Time
}

// mayPass reports whether a failed request was one of them and does not count as an attempt. The client waits before the
// next look.
func (t *throttling) mayPass(ctx context.Context, client *Client, failure error) bool {
	if !IsThrottled(failure) || client.MaxRetries() == 0 || ctx.Err() != nil {
		return false
	}
	if t.requests == 0 {
		t.first = time.Now()
	}
	t.requests++
	return t.requests <= client.MaxRetries() || time.Since(t.first) < Patience
}

// pause waits before the next attempt. After an interrupt it looks once more, because the request may have been carried
// out.
func pause(ctx context.Context, attempt int, failure error, look func(context.Context) (bool, error)) (interrupted bool, err error) {
	last, end, interrupt := AfterFailure(ctx, attempt, failure)
	defer end()
	if interrupt == nil {
		return false, nil
	}
	if done, err := look(last); done && err == nil {
		return true, nil
	}
	return true, fmt.Errorf("%w; %w", failure, interrupt)
}

// ended returns the error after the last attempt.
func ended(err, failure error) error {
	if IsNotFound(err) {
		return fmt.Errorf("%w, but a read by its ID still finds it; run the same command again", err)
	}
	return withFailure(err, failure)
}

// withFailure adds the answer to the last request to the error of a look. No explanation is needed if the object is gone.
func withFailure(err, failure error) error {
	if err == nil || failure == nil || errors.Is(err, failure) || IsNotFound(err) {
		return err
	}
	return fmt.Errorf("%w; %w", failure, err)
}

// attempt returns a call as one attempt of a request.
func (w Writer) attempt(kind repetition, made call) call {
	*w.kind, made.single, made.refused = kind, true, *w.renewed
	return made
}

// do sends a request with one attempt.
func (w Writer) do(ctx context.Context, kind repetition, made call) (*answer, error) {
	return w.client.do(ctx, w.attempt(kind, made))
}

// changeOne makes a call that changes or adds an object, with one attempt (see [change]).
func changeOne[T any, P described[T]](ctx context.Context, w Writer, kind repetition, made call, id int64) (*T, error) {
	return change[T, P](ctx, w.client, w.attempt(kind, made), id)
}

// readOne makes a call that is answered with one object, with one attempt (see [read]).
func readOne[T any, P described[T]](ctx context.Context, w Writer, kind repetition, made call) (*T, error) {
	return read[T, P](ctx, w.client, w.attempt(kind, made), 0, "")
}
