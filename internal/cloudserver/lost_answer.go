package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// creation creates one object whose name is unique where it is created. That is
// what makes it safe: where the result of a request is ambiguous, the object is
// looked up by its name, and however late a lost request takes effect, a second
// one is then refused. Machines and groups are created by it.
type creation[T any, P described[T]] struct {
	name       NameTaken // the name, and where it is unique
	maxRetries int

	look     *Look         // at the name before the first request; nil: there was none
	finished *atomic.Int64 // creations of this client that succeeded, in whose way this one may have been

	post   func(context.Context) (*T, error)
	lookUp func(context.Context) (*T, error) // by name; not found is an error
	// fits reports whether an object that has the name may be the wanted one; accepted:
	// the service has said that it creates one of that name.
	fits func(found *T, accepted bool) bool
	// adopt marks an object that was found after the failure of requests of which the
	// service has accepted none.
	adopt func(found *T, failure error)

	ambiguous bool // an earlier attempt may have created the object
	accepted  bool // the service has accepted an attempt: as names are unique, the object of this name is the new one
}

// Look is what a look at a name has found, before the request that takes it. An
// object that is found after an ambiguous result is only known to be new if
// there was such a look.
type Look struct {
	Holder int64 // ID of the object that had the name; 0: none had it
}

func (c *creation[T, P]) run(ctx context.Context) (*T, error) {
	object, err := c.attempts(ctx)
	if err == nil {
		c.finished.Add(1)
	}
	return object, err
}

// attempts requests the object until it exists, or it is certain that it does not, or
// there were too many failures. Those of creations that meet in a group are not counted:
// the service answers them with 500 while it allocates addresses (API.md §7). To have met
// another one is not enough: a request that the service cannot carry out fails in the
// same way. Another creation has to have succeeded since the attempt began.
func (c *creation[T, P]) attempts(ctx context.Context) (object *T, err error) {
	for attempt, counted := 0, 0; ; attempt++ {
		finished := c.finished.Load()
		if !c.accepted { // otherwise only the look-up is repeated
			object, err = c.post(ctx)
			switch {
			case err == nil:
				return object, nil
			case IsNameTaken(err) && !c.ambiguous:
				return nil, c.taken(nil, err)
			case IsNameTaken(err): // perhaps by what an ambiguous attempt has created
			case !IsAmbiguous(err) && c.ambiguous: // a refusal says nothing about the attempts before it
				return nil, c.unknown(err, nil, 0)
			case !IsAmbiguous(err):
				return nil, err
			}
			c.ambiguous, c.accepted = true, errors.Is(err, errAccepted)
		}
		if object, lookErr := c.afterFailure(ctx, attempt, counted, err); object != nil || lookErr != nil {
			return object, lookErr
		}
		if StatusCode(err) != http.StatusInternalServerError || c.finished.Load() == finished {
			counted++
		}
		if counted > c.maxRetries || ctx.Err() != nil {
			return nil, c.unknown(err, nil, 0)
		}
	}
}

// afterFailure looks whether the failed attempt has created the object, or one
// before it whose name it was refused. It waits first, because the service may
// still be working on it. It returns nil, nil if there is none.
func (c *creation[T, P]) afterFailure(ctx context.Context, attempt, counted int, failure error) (*T, error) {
	taken := IsNameTaken(failure)
	if !taken || ctx.Err() != nil {
		look, end, _ := afterFailure(ctx, attempt, failure, c.leastWait(counted, failure)) // interrupted: it looks once more all the same
		ctx = look
		defer end()
	}
	found, err := c.find(ctx, taken)
	switch {
	case IsNotFound(err) && !taken:
		return nil, nil
	case err != nil:
		return nil, c.unknown(failure, err, 0)
	}
	_, id, _ := P(found).identity()
	switch {
	case !c.fits(found, c.accepted), !c.accepted && c.look != nil && c.look.Holder == id:
		return nil, c.taken(found, failure)
	case !c.accepted && c.look == nil:
		return nil, c.unknown(failure, nil, id)
	case !c.accepted:
		c.adopt(found, failure)
	}
	return found, nil
}

// leastWait returns the least wait after a failure, when so many were counted before.
// After a 500 the waits between the attempts that max_retries allows double, and add up
// to a minute: another state may be creating in the same group. Up to as much again is
// random, so that creations which have met do not meet again.
func (c *creation[T, P]) leastWait(counted int, failure error) time.Duration {
	if StatusCode(failure) != http.StatusInternalServerError || counted >= c.maxRetries {
		return 0
	}
	retries := min(c.maxRetries, 20) // with more, the waits of any call take longer
	least := outlastOthers << min(counted, retries-1) / (1<<retries - 1)
	return least + rand.N(least)
}

// outlastOthers is how long a creation is attempted at least while the service answers
// 500, unless max_retries is 0.
const outlastOthers = time.Minute

func (c *creation[T, P]) unknown(failure, lookErr error, found int64) error {
	return &AmbiguousError{What: fmt.Sprintf("%s %q", c.name.Kind, c.name.Name), Found: found, Err: failure, LookErr: lookErr}
}

// taken returns the error for a name that another object has; nil: it is unknown which.
func (c *creation[T, P]) taken(holder P, failure error) error {
	refused := c.name
	refused.Err = failure
	if holder != nil {
		_, refused.ID, _ = holder.identity()
		vm, isMachine := any(holder).(*VirtualMachine)
		refused.Deleted = isMachine && vm.Deleted
	}
	return &refused
}

// find finds the object by its name, and waits while it exists but cannot be described,
// or, for at most a minute, while its name is taken but nothing is found under it.
func (c *creation[T, P]) find(ctx context.Context, taken bool) (found *T, err error) {
	began := time.Now()
	ended := Poll(ctx, func(ctx context.Context) (bool, error) {
		found, err = c.lookUp(ctx)
		isHidden := taken && IsNotFound(err) && time.Since(began) < outlastOthers
		return !errors.Is(err, ErrNotDescribed) && !isHidden, nil
	})
	if ended != nil && !IsNotFound(err) {
		return nil, fmt.Errorf("%w (%w)", ErrNotDescribed, ended)
	}
	return found, err
}

// MaxRetries returns how often a request is repeated at most.
func (c *Client) MaxRetries() int { return c.maxRetries }

// AfterFailure waits after a failed attempt (0: the first) as a call does before it is
// repeated: for as long as the service asks, and longer each time. It does not wait after
// a first attempt that was answered with success, but not as promised. It returns a context
// for a look at what became of the attempt. After an interrupt, which it returns, that
// is one for a last look.
func AfterFailure(ctx context.Context, attempt int, failure error) (look context.Context, end context.CancelFunc, interrupt error) {
	return afterFailure(ctx, attempt, failure, 0)
}

func afterFailure(ctx context.Context, attempt int, failure error, least time.Duration) (look context.Context, end context.CancelFunc, interrupt error) {
	asked := time.Duration(-1)
	if answered, ok := errors.AsType[*Error](failure); ok && answered.RetryAfter > 0 {
		asked = answered.RetryAfter
	}
	wait := max(transport.Backoff(attempt, asked), least)
	if attempt == 0 && errors.Is(failure, errMisunderstood) {
		wait = 0
	}
	if err := Pause(ctx, wait); err != nil {
		look, end = context.WithTimeout(context.WithoutCancel(ctx), finalLook)
		return look, end, err
	}
	return ctx, func() {}, nil
}

// IsAmbiguous reports whether what was asked for may have been done in spite of
// the error: no answer to a request that may have been sent, an answer that
// cannot be read, or one of a service that failed.
func IsAmbiguous(err error) bool {
	if _, unknown := errors.AsType[*AmbiguousError](err); unknown {
		return true
	}
	if lost, ok := errors.AsType[*TransportError](err); ok {
		return lost.Sent
	}
	status := StatusCode(err)
	return status >= 500 || status == http.StatusRequestTimeout || errors.Is(err, errMisunderstood)
}

// IsNameTaken reports a refusal because of a name that another object has. The
// service words it by attribute or as plain text (API.md §1).
func IsNameTaken(err error) bool {
	const phrase = "already been taken"
	_, taken := errors.AsType[*NameTaken](err)
	refused, ok := errors.AsType[*Error](err)
	return taken || ok && refused.StatusCode == http.StatusBadRequest &&
		(refused.Has("name", phrase) || refused.Has("", "name has "+phrase))
}

// AmbiguousError is a creation that failed, and of which it could not be found
// out whether it has created the object.
type AmbiguousError struct {
	What    string // `virtual machine "web1"`
	Found   int64  // ID of an object of that name, which may have existed before; 0: none
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it found nothing so far
}

// Error describes what the creation answered and what is known of its result.
func (e *AmbiguousError) Error() string {
	switch {
	case e.LookErr != nil:
		return fmt.Sprintf("%v; cannot find out whether %s exists: %v", e.Err, e.What, e.LookErr)
	case e.Found != 0:
		return fmt.Sprintf("%v; %s exists now (ID %d), but it may have existed before", e.Err, e.What, e.Found)
	}
	return fmt.Sprintf("%v; %s does not exist so far, but the service may still be creating it", e.Err, e.What)
}

// Unwrap returns the causes.
func (e *AmbiguousError) Unwrap() []error {
	if e.LookErr == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.LookErr}
}

// NameTaken is the refusal of a machine or group whose name another one has. No
// object was created.
type NameTaken struct {
	Kind                 string // "virtual machine" or "group"
	Account, Group, Name string // Group: of the machine; "" for a group
	ID                   int64  // of the object that has the name; 0: unknown
	Deleted              bool   // it is a soft-deleted machine
	Err                  error
}

// Error says which object has the name.
func (e *NameTaken) Error() string {
	where := fmt.Sprintf("group %q of account %q", e.Group, e.Account)
	if e.Group == "" {
		where = fmt.Sprintf("account %q", e.Account)
	}
	who := "another " + e.Kind
	if e.ID != 0 {
		who = fmt.Sprintf("%s %d", e.Kind, e.ID)
	}
	if e.Deleted {
		who += ", which is soft-deleted"
	}
	text := fmt.Sprintf("the name %q is taken in %s by %s", e.Name, where, who)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the service's refusal.
func (e *NameTaken) Unwrap() error { return e.Err }
