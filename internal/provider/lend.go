package provider

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"
)

// lent is a context that its owner can take back: from then on it has ended, has
// no values, and keeps nothing of the original alive.
type lent struct {
	of    atomic.Pointer[context.Context]
	quiet bool // hides the loggers
}

// lend returns a context that behaves like ctx, and a function that ends it. A quiet
// one has no loggers: even when nothing is logged, the framework prepares every
// line, and copies its loggers at each step into a value.
func lend(ctx context.Context, quiet bool) (context.Context, func()) {
	l := &lent{quiet: quiet}
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
func (l *lent) Value(key any) any {
	if l.quiet && reflect.TypeOf(key).PkgPath() == loggers {
		return nil
	}
	return (*l.of.Load()).Value(key)
}

// loggers is the package whose keys loggers have in a context.
const loggers = "github.com/hashicorp/terraform-plugin-log/internal/logging"
