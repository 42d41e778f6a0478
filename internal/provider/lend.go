package provider

import (
	"context"
	"sync/atomic"
	"time"
)

// lent is a context that its owner can take back: from then on it has ended, has
// no values, and keeps nothing of the original alive.
type lent struct {
	of atomic.Pointer[context.Context]
}

// lend gives a context that is as ctx until it is given back.
func lend(ctx context.Context) (context.Context, func()) {
	l := &lent{}
	l.of.Store(&ctx)
	return l, func() { l.of.Store(&over) }
}

// over is a context that has ended.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Deadline implements context.Context.
func (l *lent) Deadline() (time.Time, bool) { return (*l.of.Load()).Deadline() }

// Done implements context.Context.
func (l *lent) Done() <-chan struct{} { return (*l.of.Load()).Done() }

// Err implements context.Context.
func (l *lent) Err() error { return (*l.of.Load()).Err() }

// Value implements context.Context.
func (l *lent) Value(key any) any { return (*l.of.Load()).Value(key) }
