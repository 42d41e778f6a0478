// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// longestCreatePause limits the pauses between the requests of a creation. In two minutes there is time for more than
// ten of them: some of the other creations in the group may be in the way each time.
const longestCreatePause = 9 * time.Second

// creation creates one machine or group. Its name is unique in the place where it is created, so that it can be looked up
// after an ambiguous result, and a second request is refused if the first one took effect.
type creation[T any] struct {
	client *Client
	taken  NameTaken // the name, and the place where it is unique
	isFree bool      // nobody had the name a moment ago

	post   func(context.Context) (*T, error)
	lookUp func(context.Context) (*T, error) // by name
	fits   func(*T) bool                     // it is as requested
	id     func(*T) (id int64, deleted bool)
	adopt  func(found *T, failure error) // marks an object that the service has not confirmed

	began    time.Time // when run sent the first request
	requests int       // that run has sent
	reported time.Time // last, while it goes on
}

// run requests the object until it exists, until it is certain that it does not, or until it was tried for too long: the
// service answers 500 to concurrent creations in a group while it allocates addresses (API.md §7).
func (c *creation[T]) run(ctx context.Context) (*T, error) {
	if err := c.checkFree(ctx); err != nil {
		return nil, err
	}
	c.began, c.requests = time.Now(), 1
	c.reported = c.began
	object, failure := c.post(ctx)
	if IsNameTaken(failure) {
		return nil, c.nameTaken(nil, failure)
	}
	if failure == nil || !IsAmbiguous(failure) {
		return object, failure
	}
	lastOutage := c.began
	for attempt := 0; ; attempt++ {
		wasDone := errors.Is(failure, errUnreadable) // 2xx
		c.pause(ctx, attempt, wasDone)
		found, err := c.find(ctx)
		switch {
		case err == nil:
			return c.judge(found, failure)
		case c.mayBeOutage(ctx, err): // the machine may exist: look until the caller's time is up
			lastOutage = time.Now()
			c.report(ctx, "looking for", err)
			continue
		case !IsNotFound(err) && !errors.Is(err, ErrNotDescribed):
			return nil, c.ambiguous(failure, err)
		case ctx.Err() != nil, c.client.maxRetries == 0, time.Since(lastOutage) > patience:
			return nil, c.ambiguous(failure, nil)
		case wasDone, errors.Is(err, ErrNotDescribed):
			c.report(ctx, "looking for", err)
			continue
		}
		c.report(ctx, "repeating the creation of", failure)
		c.requests++
		object, err = c.post(ctx)
		if err == nil {
			return object, nil
		}
		if !IsAmbiguous(err) && !IsTaken(err) {
			return nil, c.ambiguous(err, nil) // a refusal says nothing about earlier attempts
		}
		failure = err
	}
}

// report writes to the log what is done and why, at most every 30 seconds.
func (c *creation[T]) report(ctx context.Context, what string, last error) {
	if !isDue(&c.reported) {
		return
	}
	tflog.Info(ctx, fmt.Sprintf("%s %s %q for %s, after %d requests to create it; last answer: %v",
		what, c.taken.Kind, c.taken.Name, time.Since(c.began).Round(time.Second), c.requests, last))
}

// mayBeOutage reports whether a look-up has failed in a way that says nothing about the object and may pass.
func (c *creation[T]) mayBeOutage(ctx context.Context, err error) bool {
	isAnswer := IsNotFound(err) || errors.Is(err, ErrNotDescribed) || IsForbidden(err) || IsUnauthorized(err)
	return !isAnswer && ctx.Err() == nil && c.client.maxRetries > 0
}

// checkFree returns an error if another object has the name.
func (c *creation[T]) checkFree(ctx context.Context) error {
	if c.isFree {
		return nil
	}
	holder, err := c.lookUp(ctx)
	switch {
	case err == nil:
		return c.nameTaken(holder, nil)
	case errors.Is(err, ErrNotDescribed):
		return c.nameTaken(nil, err)
	case IsNotFound(err):
		return nil
	}
	return err
}

// pause waits before the object is looked up, because the service may still be working on it. After an interrupt it does
// not wait.
func (c *creation[T]) pause(ctx context.Context, attempt int, wasDone bool) {
	wait := min(backoff(attempt, -1), longestCreatePause)
	if wasDone {
		wait = min(FirstPause<<min(attempt, 10), LongestPause)
	}
	_ = Pause(ctx, wait) // an interrupt ends the wait, and the caller looks a last time
}

// find looks the object up by its name, also after an interrupt, so that the caller knows what exists.
func (c *creation[T]) find(ctx context.Context) (found *T, err error) {
	ctx, cancel := ForLastLook(ctx)
	defer cancel()
	return c.lookUp(ctx)
}

// judge decides whether an object with the name is the requested one.
func (c *creation[T]) judge(found *T, failure error) (*T, error) {
	if !c.fits(found) {
		return nil, c.nameTaken(found, failure)
	}
	if !errors.Is(failure, errEmpty) { // an empty answer confirms the creation
		c.adopt(found, failure)
	}
	return found, nil
}

func (c *creation[T]) ambiguous(failure, lookErr error) error {
	return &AmbiguousError{
		What: fmt.Sprintf("%s %q", c.taken.Kind, c.taken.Name), Err: failure, LookErr: lookErr,
		Requests: c.requests, Took: time.Since(c.began),
	}
}

// nameTaken returns the error for a name that another object has. holder is nil if that object is unknown.
func (c *creation[T]) nameTaken(holder *T, failure error) error {
	refused := c.taken
	refused.Err = failure
	if holder != nil {
		refused.ID, refused.Deleted = c.id(holder)
	}
	return &refused
}

// AmbiguousError is a creation that failed, and that may or may not have created the object.
type AmbiguousError struct {
	What    string // `virtual machine "web1"`
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it has found nothing so far

	Requests int           // that were sent
	Took     time.Duration // from the first request on
}

// Error describes the failure of the creation and what is known about its result.
func (e *AmbiguousError) Error() string {
	failure := e.Err.Error()
	if e.Requests > 1 {
		failure += fmt.Sprintf(" (tried %d times in %s)", e.Requests, e.Took.Round(time.Second))
	}
	if e.LookErr != nil {
		return fmt.Sprintf("%s; cannot find out whether %s exists: %v", failure, e.What, e.LookErr)
	}
	return fmt.Sprintf("%s; %s does not exist so far, but the service may still be creating it", failure, e.What)
}

// Unwrap returns the causes.
func (e *AmbiguousError) Unwrap() []error {
	if e.LookErr == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.LookErr}
}
