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

// creation creates one machine or group. Its name is unique in the place where it is created, which makes this safe:
// after an ambiguous result, the object can be looked up by its name; and if a lost request takes effect late, the
// repetition is refused.
type creation[T any, P described[T]] struct {
	name       NameTaken // the name, and the place where it is unique
	maxRetries int

	look     *Look         // taken before the first request; nil: there was none
	finished *atomic.Int64 // creations of this client that succeeded: one of them may have been in the way

	post   func(context.Context) (*T, error)
	lookUp func(context.Context) (*T, error) // by name; not found is an error
	// fits reports whether an object with this name may be the wanted one. accepted means that the service has
	// confirmed that it creates an object with this name.
	fits func(found *T, accepted bool) bool
	// adopt marks an object that was found after requests of which the service has confirmed none.
	adopt func(found *T, failure error)

	ambiguous bool // an earlier attempt may have created the object
	accepted  bool // the service has accepted an attempt: because names are unique, an object with this name is the new one
}

// Look is the result of looking up a name before the request that takes it. Only with such a look can an object that is
// found after an ambiguous result be known to be new.
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

// attempts requests the object until it exists, until it is certain that it does not, or until there were too many
// failures. Failures of concurrent creations in one group are not counted: while the service allocates addresses, it
// answers them with 500 (API.md §7). A request that the service cannot carry out fails in the same way, so a failure is
// such a collision only if another creation has succeeded since the attempt began.
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
			case IsNameTaken(err): // possibly by an object of an ambiguous attempt
			case !IsAmbiguous(err) && c.ambiguous: // a refusal says nothing about earlier attempts
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

// afterFailure finds out whether the failed attempt has created the object, or an earlier one if the name was refused
// as taken. It waits first, because the service may still be working on it. It returns nil, nil if there is no object.
func (c *creation[T, P]) afterFailure(ctx context.Context, attempt, counted int, failure error) (*T, error) {
	taken := IsNameTaken(failure)
	if !taken || ctx.Err() != nil {
		// After an interrupt there is one last look.
		look, end, _ := afterFailure(ctx, attempt, failure, c.leastWait(counted, failure))
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

// leastWait returns the minimum wait after a failure, given how many failures were counted before. After a 500, the
// waits between the attempts that max_retries allows double and add up to a minute, because another state may be
// creating in the same group. A random wait of up to the same length is added, so that creations that collided do not
// collide again.
func (c *creation[T, P]) leastWait(counted int, failure error) time.Duration {
	if StatusCode(failure) != http.StatusInternalServerError || counted >= c.maxRetries {
		return 0
	}
	retries := min(c.maxRetries, 20) // with more retries, the waits of any call take longer
	least := outlastOthers << min(counted, retries-1) / (1<<retries - 1)
	return least + rand.N(least)
}

// outlastOthers is the minimum time for which a creation is attempted while the service answers 500, unless max_retries
// is 0.
const outlastOthers = time.Minute

func (c *creation[T, P]) unknown(failure, lookErr error, found int64) error {
	return &AmbiguousError{
		What: fmt.Sprintf("%s %q", c.name.Kind, c.name.Name), Found: found, Err: failure, LookErr: lookErr,
	}
}

// taken returns the error for a name that another object has. holder is nil if that object is unknown.
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

// find looks the object up by its name. It waits while the object exists but cannot be described, and for at most a
// minute while the name is taken but no object is found.
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

// MaxRetries returns the maximum number of repetitions of a request.
func (c *Client) MaxRetries() int { return c.maxRetries }

// AfterFailure waits after a failed attempt, where 0 is the first, like a call before it is repeated: for as long as
// the service asks, and longer each time. It does not wait if the first attempt was answered with success, but not as
// promised. It returns a context for finding out what became of the attempt. After an interrupt, which it returns, that
// context allows one last look.
func AfterFailure(
	ctx context.Context, attempt int, failure error,
) (look context.Context, end context.CancelFunc, interrupt error) {
	return afterFailure(ctx, attempt, failure, 0)
}

func afterFailure(
	ctx context.Context, attempt int, failure error, least time.Duration,
) (look context.Context, end context.CancelFunc, interrupt error) {
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

// IsAmbiguous reports whether the request may have been carried out in spite of the error: to one of its attempts there
// was no answer although it may have been sent, the answer cannot be decoded, or the service failed.
func IsAmbiguous(err error) bool {
	if _, unknown := errors.AsType[*AmbiguousError](err); unknown {
		return true
	}
	if _, sent := errors.AsType[*sentError](err); sent {
		return true
	}
	if _, unsent := errors.AsType[*lookError](err); unsent {
		return false
	}
	if lost, ok := errors.AsType[*TransportError](err); ok {
		return lost.Sent
	}
	return transport.MayBeDone(StatusCode(err)) || errors.Is(err, errMisunderstood)
}

// IsNameTaken reports whether a request was refused because another object has the name. The service reports that by
// attribute or as plain text (API.md §1).
func IsNameTaken(err error) bool {
	const phrase = "already been taken"
	_, taken := errors.AsType[*NameTaken](err)
	refused, ok := errors.AsType[*Error](err)
	return taken || ok && refused.StatusCode == http.StatusBadRequest &&
		(refused.Has("name", phrase) || refused.Has("", "name has "+phrase))
}

// AmbiguousError is a creation that failed, and that may or may not have created the object.
type AmbiguousError struct {
	What    string // `virtual machine "web1"`
	Found   int64  // ID of an object of that name, which may be older; 0: none
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it has found nothing so far
}

// Error describes the failure of the creation and what is known about its result.
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

// NameTaken is the refusal of a creation because another machine or group has the name. No object was created.
type NameTaken struct {
	Kind                 string // "virtual machine" or "group"
	Account, Group, Name string // Group: of the machine; "" for a group
	ID                   int64  // of the object with the name; 0: unknown
	Deleted              bool   // the object is a soft-deleted machine
	Err                  error
}

// Error names the object that has the name.
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
