package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// asks shares requests that prove what an earlier 404 means. A remembered answer proves nothing, because things may have
// changed since. One request serves all callers that came before it was sent.
type asks[T any] struct {
	mu   sync.Mutex
	last map[string]*proof[T] // by account
}

// proof is one request, which may not have been sent yet.
type proof[T any] struct {
	sent  bool
	done  chan struct{} // closed on arrival
	value T
	err   error
}

// get returns the answer to a request that is sent after this call.
func (p *asks[T]) get(ctx context.Context, account string, ask func(context.Context) (T, error)) (T, error) {
	p.mu.Lock()
	current := p.last[account]
	if current == nil || current.sent {
		current = p.begin(ctx, account, current, ask)
	}
	p.mu.Unlock()
	select {
	case <-current.done:
		return current.value, current.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// begin sends the next request as soon as the previous one has arrived, so that callers that come meanwhile share it.
// The request continues, within the client's limits, even if its callers give up. The caller holds the lock.
func (p *asks[T]) begin(
	ctx context.Context, account string, before *proof[T], ask func(context.Context) (T, error),
) *proof[T] {
	next := &proof[T]{done: make(chan struct{})}
	if p.last == nil {
		p.last = map[string]*proof[T]{}
	}
	p.last[account] = next
	go func() {
		defer close(next.done)
		if before != nil {
			<-before.done
		}
		p.mu.Lock()
		next.sent = true
		p.mu.Unlock()
		next.value, next.err = ask(context.WithoutCancel(ctx))
	}()
	return next
}

// Second reads an object that was denied at its own path at another one. It gets the account as the service has just
// shown it, or nil if any account will do. Its error is a not-found error only if the second path denies the object as
// well.
type Second[T any] func(context.Context, *cloudserver.Account) (*T, error)

// Reconsider finds out what the 404 for an object means. The object is gone if twice in turn the service answers 404
// for it, and then shows the account, and if a second path, if there is one, denies the object as well. If the account
// is invisible for a while, at least one of the requests notices it, even after a 404 for no reason.
//
// denial is the first 404. If the object is not found, the error is a [*GoneError], a [*HiddenError] or an
// [*UnprovedError].
func Reconsider[T any](
	ctx context.Context, d *Directory, account string, denial error, ask func(context.Context) (*T, error), second Second[T],
) (*T, error) {
	shown, why := d.prove(ctx, account)
	if why != nil {
		return nil, unproved(account, denial, why)
	}
	found, denial := ask(ctx)
	if !cloudserver.IsNotFound(denial) {
		return found, denial
	}
	if second != nil {
		switch found, err := second(ctx, shown); {
		case err == nil:
			return found, nil
		case !cloudserver.IsNotFound(err):
			why = err // it proves nothing that the account is shown
		}
	}
	if _, err := d.prove(ctx, account); why == nil || cloudserver.IsNotFound(err) {
		why = err
	}
	if why != nil {
		return nil, unproved(account, denial, why)
	}
	return nil, &GoneError{denial}
}

// GoneError is returned for an object that is known to be gone.
type GoneError struct{ Denial error }

// Error returns the service's answer.
func (e *GoneError) Error() string { return e.Denial.Error() }

// Unwrap returns the client's not-found error.
func (e *GoneError) Unwrap() error { return e.Denial }

// IsGone reports whether the error is for an object that is known to be gone.
func IsGone(err error) bool {
	_, gone := errors.AsType[*GoneError](err)
	return gone
}

// HiddenError is returned if the service denies an object, and the account that it is in. It is not a not-found error.
type HiddenError struct {
	Account        string // "": any
	denial, hidden error
}

// Is reports that the object is out of sight.
func (e *HiddenError) Is(target error) bool { return target == cloudserver.ErrOutOfSight }

// Error returns both answers.
func (e *HiddenError) Error() string { return e.denial.Error() + "; " + e.hidden.Error() }

// Hidden returns the error for an object whose account no list shows, after an answer that would describe it.
func Hidden(account string, answer error) error {
	return &HiddenError{account, answer, cloudserver.NotListed("/accounts", fmt.Sprintf("no account is named %q", account))}
}

// UnprovedError is returned if the service denies an object, but nothing proves that it is gone. It is not a not-found
// error.
type UnprovedError struct{ denial, why error }

// Error returns the denial, and why it proves nothing.
func (e *UnprovedError) Error() string { return e.denial.Error() + "; " + e.why.Error() }

// Unwrap returns why it proves nothing.
func (e *UnprovedError) Unwrap() error { return e.why }

// unproved returns the error for a denied object whose account is not shown, or whose second path has not answered.
func unproved(account string, denial, why error) error {
	if cloudserver.IsNotFound(why) {
		return &HiddenError{account, denial, why}
	}
	return &UnprovedError{denial, why}
}

// prove returns the account if the service shows it in a request that is sent after this call, and the client's error
// otherwise. If account is "", any account will do, and the result is nil.
func (d *Directory) prove(ctx context.Context, account string) (*cloudserver.Account, error) {
	return d.proofs.get(ctx, account, func(ctx context.Context) (*cloudserver.Account, error) {
		if account != "" {
			return d.api.Account(ctx, account)
		}
		accounts, err := d.api.Accounts(ctx)
		if err == nil && len(accounts) == 0 {
			err = errNoAccounts
		}
		return nil, err
	})
}

// errNoAccounts is the error for an empty list of accounts.
var errNoAccounts = cloudserver.NotListed("/accounts", "these credentials can see no account")
