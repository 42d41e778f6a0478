package cloudserver

import (
	"context"
	"errors"
	"fmt"
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

	look     *Look     // at the name before the first request; nil: there was none
	meetings *meetings // of creations that the service may fail when they meet

	post   func(context.Context) (*T, error)
	lookUp func(context.Context) (*T, error) // by name; not found is an error
	// fits reports whether an object that has the name may be the wanted one; ours:
	// the service has said that it creates one of that name.
	fits func(found *T, ours bool) bool

	ambiguous bool // an earlier attempt may have created the object
	ours      bool // the service has accepted an attempt: names are unique
}

// meetings counts the creations of a client: the service may fail those that meet in a
// group while it allocates addresses (API.md §7). Such a failure says nothing about the
// next attempt, so max_retries does not count it.
type meetings struct{ begun, ended atomic.Int64 }

// enter begins one. The function that it returns ends it, and reports whether
// another one was under way at any time meanwhile.
func (m *meetings) enter() (leave func() (met bool)) {
	mine := m.begun.Add(1)
	alone := m.ended.Load() == mine-1
	return func() bool {
		m.ended.Add(1)
		return !alone || m.begun.Load() != mine
	}
}

// Look is what a look at a name has found, before the request that takes it. An
// object that is found after an ambiguous result is only known to be new if
// there was such a look.
type Look struct {
	Holder int64 // ID of the object that had the name; 0: none had it
}

func (c *creation[T, P]) run(ctx context.Context) (object *T, err error) {
	for attempt, counted := 0, 0; ; attempt++ {
		met := false
		if !c.ours { // otherwise only the look-up is repeated
			leave := c.meetings.enter()
			object, err = c.post(ctx)
			met = leave() && StatusCode(err) == http.StatusInternalServerError
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
			c.ambiguous, c.ours = true, errors.Is(err, errAccepted)
		}
		if object, lookErr := c.afterFailure(ctx, attempt, err); object != nil || lookErr != nil {
			return object, lookErr
		}
		if !met { // the end of the context bounds those
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
func (c *creation[T, P]) afterFailure(ctx context.Context, attempt int, failure error) (*T, error) {
	taken := IsNameTaken(failure)
	if !taken && (attempt > 0 || !c.ours) || ctx.Err() != nil {
		look, end, _ := AfterFailure(ctx, attempt, failure) // interrupted: it looks once more all the same
		ctx = look
		defer end()
	}
	found, err := c.find(ctx)
	switch {
	case IsNotFound(err) && !taken:
		return nil, nil
	case err != nil:
		return nil, c.unknown(failure, err, 0)
	}
	_, id, _ := P(found).identity()
	switch {
	case !c.fits(found, c.ours), !c.ours && c.look != nil && c.look.Holder == id:
		return nil, c.taken(found, failure)
	case !c.ours && c.look == nil:
		return nil, c.unknown(failure, nil, id)
	}
	return found, nil
}

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

// find finds the object by its name, and waits while it exists but cannot be described.
func (c *creation[T, P]) find(ctx context.Context) (found *T, err error) {
	ended := Poll(ctx, func(ctx context.Context) (bool, error) {
		found, err = c.lookUp(ctx)
		return !errors.Is(err, ErrNotDescribed), nil
	})
	if ended != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNotDescribed, ended)
	}
	return found, err
}

// MaxRetries returns how often a request is repeated at most.
func (c *Client) MaxRetries() int { return c.maxRetries }

// AfterFailure waits after a failed attempt (0: the first) as a call does before it is
// repeated: for as long as the service asks, and longer each time. It returns a context
// for a look at what became of the attempt. After an interrupt, which it returns, that
// is one for a last look.
func AfterFailure(ctx context.Context, attempt int, failure error) (look context.Context, end context.CancelFunc, interrupt error) {
	asked := time.Duration(-1)
	if answered, ok := errors.AsType[*Error](failure); ok && answered.RetryAfter > 0 {
		asked = answered.RetryAfter
	}
	if err := Pause(ctx, transport.Backoff(attempt, asked)); err != nil {
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
