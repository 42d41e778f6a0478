package fleet

import (
	"context"
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

// Reconsider finds out what the 404 for an object means. The object is gone if last is a not-found error and proof is
// nil: twice in turn the service answered 404 for it, and then showed the account, and a second path, if there is one,
// denies the object as well. If the account is invisible for a while, at least one of the requests notices it, even
// after a 404 for no reason.
//
// denial is the first 404, and last the error of the last read of the object. proof is the client's error for the
// account or for the second path, after which that 404 proves nothing.
func Reconsider[T any](
	ctx context.Context, d *Directory, account string, denial error, ask func(context.Context) (*T, error), second Second[T],
) (found *T, last, proof error) {
	shown, proof := d.prove(ctx, account)
	if proof != nil {
		return nil, denial, proof
	}
	if found, last = ask(ctx); !cloudserver.IsNotFound(last) {
		return found, last, nil
	}
	if second != nil {
		switch found, err := second(ctx, shown); {
		case err == nil:
			return found, nil, nil
		case !cloudserver.IsNotFound(err):
			if _, proof = d.prove(ctx, account); !cloudserver.IsNotFound(proof) { // it proves nothing that the account is shown
				proof = err
			}
			return nil, last, proof
		}
	}
	_, proof = d.prove(ctx, account)
	return nil, last, proof
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
