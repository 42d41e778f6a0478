package provider

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"
)

// callContext is the context of one call. When the call is over, it has ended, has
// no values, and keeps nothing of the original alive.
type callContext struct {
	of    atomic.Pointer[context.Context]
	quiet bool // hides the loggers
}

// newCallContext returns a context that behaves like ctx, and a function that ends it. A quiet
// one has no loggers: even when nothing is logged, the framework prepares every
// line, and copies its loggers at each step into a value.
func newCallContext(ctx context.Context, quiet bool) (context.Context, func()) {
	c := &callContext{quiet: quiet}
	c.of.Store(&ctx)
	return c, func() { c.of.Store(&over) }
}

// over is a context that has ended.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Deadline implements context.Context.
func (c *callContext) Deadline() (time.Time, bool) { return (*c.of.Load()).Deadline() }

// Done implements context.Context.
func (c *callContext) Done() <-chan struct{} { return (*c.of.Load()).Done() }

// Err implements context.Context.
func (c *callContext) Err() error { return (*c.of.Load()).Err() }

// Value implements context.Context.
func (c *callContext) Value(key any) any {
	if c.quiet && reflect.TypeOf(key).PkgPath() == loggers {
		return nil
	}
	return (*c.of.Load()).Value(key)
}

// loggers is the package whose keys loggers have in a context.
const loggers = "github.com/hashicorp/terraform-plugin-log/internal/logging"
