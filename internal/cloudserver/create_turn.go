package cloudserver

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// longestTurn is how long one creation makes others wait: one without an answer
// must not stop a group.
const longestTurn = 2 * time.Second

// turns lets creations that failed in a group try again one after the other: the
// service may fail concurrent ones while it allocates addresses (API.md §3). First
// attempts do not wait.
type turns struct {
	mu     sync.Mutex
	groups map[string]chan struct{} // full while somebody has the turn
}

// take waits for the group's turn, and returns the function that ends it.
func (t *turns) take(ctx context.Context, account, group string) (release func(), err error) {
	turn := t.of(account + "/" + group)
	select {
	case turn <- struct{}{}:
		release = sync.OnceFunc(func() { <-turn })
		time.AfterFunc(longestTurn, release)
		return release, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for other creations in group %q: %w", group, ctx.Err())
	}
}

func (t *turns) of(key string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.groups == nil {
		t.groups = map[string]chan struct{}{}
	}
	turn, ok := t.groups[key]
	if !ok {
		turn = make(chan struct{}, 1)
		t.groups[key] = turn
	}
	return turn
}

// attempt sends one vm_create, in turn once the service has failed one.
func (c *vmCreation) attempt(ctx context.Context) (*VirtualMachine, error) {
	if c.failed {
		release, err := c.client.turns.take(ctx, c.account, c.group)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	vm, err := c.post(ctx)
	c.failed = c.failed || StatusCode(err) >= http.StatusInternalServerError
	return vm, err
}
