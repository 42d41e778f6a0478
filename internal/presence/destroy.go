package presence

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Destroy sends a request that destroys an object, and repeats it until it is done. Every such request of the provider
// goes through this function.
//
// Right before each request, including repetitions, look reads the object by its ID: it may have changed, because a
// colleague has attached a disc or undeleted the machine. look reports whether nothing is left to do, and returns an
// error if the object must not be destroyed; then nothing is sent. A look that ends with [IsHidden] sends nothing and
// counts as a failed attempt. send makes one request and does not repeat it; a 429 to it, while the service accepts others,
// does not count for a while.
//
// If the object was gone before a request was accepted, [IsGone] reports true for the error.
func Destroy(ctx context.Context, d *tfkit.ProviderData, look func(context.Context) (done bool, err error), send func(context.Context) error) error {
	var failure error // of the last request
	var throttled throttling
	for attempt := 0; ; attempt++ {
		done, err := look(ctx)
		switch {
		case done || err != nil && !IsHidden(err):
			return withFailure(err, failure)
		case err == nil:
			if err = send(ctx); err == nil || !mayHelp(err) {
				return err
			}
			failure = err
		}
		if throttled.mayPass(ctx, d.Client, err) {
			attempt--
			continue
		}
		if attempt >= d.Client.MaxRetries() {
			return ended(err, failure)
		}
		if attempt == 0 && (cloudserver.IsNotFound(err) || cloudserver.IsRenewed(err)) { // the next look shows where the object is
			continue
		}
		if interrupted, err := pause(ctx, attempt, err, look); interrupted {
			return err
		}
	}
}

// throttling counts the requests that the service refused with 429 while it accepted others.
type throttling struct {
	requests int
	first    time.Time
}

// mayPass reports whether a failed request was one of them and does not count as an attempt. The client waits before the
// next look.
func (t *throttling) mayPass(ctx context.Context, client *cloudserver.Client, failure error) bool {
	if !cloudserver.IsThrottled(failure) || client.MaxRetries() == 0 || ctx.Err() != nil {
		return false
	}
	if t.requests == 0 {
		t.first = time.Now()
	}
	t.requests++
	return t.requests <= client.MaxRetries() || time.Since(t.first) < cloudserver.Patience
}

// pause waits before the next attempt. After an interrupt it looks once more, because the request may have been carried
// out.
func pause(ctx context.Context, attempt int, failure error, look func(context.Context) (bool, error)) (interrupted bool, err error) {
	last, end, interrupt := cloudserver.AfterFailure(ctx, attempt, failure)
	defer end()
	if interrupt == nil {
		return false, nil
	}
	if done, _ := look(last); done {
		return true, nil
	}
	return true, fmt.Errorf("%w; %w", failure, interrupt)
}

// ended returns the error after the last attempt.
func ended(err, failure error) error {
	if cloudserver.IsNotFound(err) {
		return fmt.Errorf("%w, but a read by its ID still finds it; run the same command again", err)
	}
	return withFailure(err, failure)
}

// withFailure adds the answer to the last request to the error of a look. No explanation is needed if the object is gone.
func withFailure(err, failure error) error {
	if err == nil || failure == nil || errors.Is(err, failure) || IsGone(err) {
		return err
	}
	return fmt.Errorf("%w; %w", failure, err)
}

// mayHelp reports whether, after a failure, another look and possibly another request can help: the object was not found,
// the request may have been carried out, or it may be accepted later.
func mayHelp(err error) bool {
	if _, lost := errors.AsType[*cloudserver.TransportError](err); lost {
		return true
	}
	return cloudserver.IsNotFound(err) || cloudserver.IsRenewed(err) || cloudserver.IsAmbiguous(err) || cloudserver.StatusCode(err) == http.StatusTooManyRequests
}
