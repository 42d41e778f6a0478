package presence

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Destroy sends a request that destroys an object, until it is done. Every such request
// of the provider goes through here.
//
// Right before each request, repetitions included, look reads the object by its ID: what
// was found before may have changed since, because a colleague has attached a disc, or has
// undeleted a machine. It reports whether nothing is left to do, and an error for an object
// that must not be destroyed: nothing is sent then. A look that ends with [IsHidden] sends
// nothing and counts as a failed attempt. Send makes one request, without repetitions.
//
// The error is [IsGone] where the object was gone before a request was accepted.
func Destroy(ctx context.Context, d *tfkit.ProviderData, look func(context.Context) (done bool, err error), send func(context.Context) error) error {
	var failure error // of the last request
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
		if attempt >= d.Client.MaxRetries() {
			return ended(err, failure)
		}
		if attempt == 0 && (cloudserver.IsNotFound(err) || cloudserver.IsRenewed(err)) { // the next look shows where it is
			continue
		}
		if interrupted, err := pause(ctx, attempt, err, look); interrupted {
			return err
		}
	}
}

// pause waits before the next attempt. After an interrupt it looks once more: the request
// may have been carried out.
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

// withFailure adds what the last request was answered to the error of a look. That an
// object is gone needs no explanation.
func withFailure(err, failure error) error {
	if err == nil || failure == nil || errors.Is(err, failure) || IsGone(err) {
		return err
	}
	return fmt.Errorf("%w; %w", failure, err)
}

// mayHelp reports whether a look, and perhaps another request, can help after a failure:
// the object was not found, the request may have been carried out, or it may be accepted
// later.
func mayHelp(err error) bool {
	if _, lost := errors.AsType[*cloudserver.TransportError](err); lost {
		return true
	}
	return cloudserver.IsNotFound(err) || cloudserver.IsRenewed(err) || cloudserver.IsAmbiguous(err) || cloudserver.StatusCode(err) == http.StatusTooManyRequests
}
