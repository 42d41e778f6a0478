package fleet

import (
	"context"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// proofs find out whether an account is visible, to prove what an earlier 404 means. A remembered answer proves
// nothing, because the account may have become invisible since. One request serves all callers that came before it was
// sent.
type proofs struct {
	mu   sync.Mutex
	last map[string]*proof // by account
}

// proof is one request, which may not have been sent yet.
type proof struct {
	sent bool
	done chan struct{} // closed on arrival
	err  error
}

// get returns the answer to a request that is sent after this call.
func (p *proofs) get(ctx context.Context, account string, ask func(context.Context) error) error {
	p.mu.Lock()
	current := p.last[account]
	if current == nil || current.sent {
		current = p.begin(ctx, account, current, ask)
	}
	p.mu.Unlock()
	select {
	case <-current.done:
		return current.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin sends the next request as soon as the previous one has arrived, so that callers that come meanwhile share it.
// The request continues, within the client's limits, even if its callers give up. The caller holds the lock.
func (p *proofs) begin(ctx context.Context, account string, before *proof, ask func(context.Context) error) *proof {
	next := &proof{done: make(chan struct{})}
	if p.last == nil {
		p.last = map[string]*proof{}
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
		next.err = ask(context.WithoutCancel(ctx))
	}()
	return next
}

// Reconsider finds out what the 404 for an object means. The object is gone if last is a not-found error and proof is
// nil: twice in turn the service answered 404 for it, and then showed the account. If the account is invisible for a
// while, at least one of the requests notices it, even after a 404 for no reason.
//
// denial is the first 404, and last the error of the last read of the object. proof is the client's error for the
// account, after which that 404 proves nothing.
func Reconsider[T any](
	ctx context.Context, d *Directory, account string, denial error, ask func(context.Context) (*T, error),
) (found *T, last, proof error) {
	if proof = d.prove(ctx, account); proof != nil {
		return nil, denial, proof
	}
	if found, last = ask(ctx); cloudserver.IsNotFound(last) {
		proof = d.prove(ctx, account)
	}
	return found, last, proof
}

// prove returns nil if the service shows the account in a request that is sent after this call, and the client's error
// otherwise. If account is "", any account will do.
func (d *Directory) prove(ctx context.Context, account string) error {
	return d.proofs.get(ctx, account, func(ctx context.Context) error {
		if account != "" {
			_, err := d.api.Account(ctx, account)
			return err
		}
		accounts, err := d.api.Accounts(ctx)
		if err == nil && len(accounts) == 0 {
			err = errNoAccounts
		}
		return err
	})
}

// errNoAccounts is the error for an empty list of accounts.
var errNoAccounts = cloudserver.NotListed("/accounts", "these credentials can see no account")
