package fastplan

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// mostKept is how many contexts of calls that have ended the framework may keep.
const mostKept = 256

// contexts releases what the framework keeps of each call: its context, so that a stop can cancel it, also after the
// call has ended. In a process that lives long, as under a debugger, that would grow forever. A stop while no call is
// under way cancels nothing and releases all of them.
type contexts struct {
	stop func(context.Context)
	busy sync.RWMutex // is held for reading by each call
	kept atomic.Int64
}

func (c *contexts) begin() { c.busy.RLock() }

func (c *contexts) end(ctx context.Context) {
	c.busy.RUnlock()
	if c.kept.Add(1) < mostKept || !c.busy.TryLock() {
		return
	}
	defer c.busy.Unlock()
	c.stop(ctx)
	c.kept.Store(0)
}

// whole returns the sequence of a call that has begun, and ends the call with it.
func whole[V any](ctx context.Context, c *contexts, all iter.Seq[V]) iter.Seq[V] {
	var once sync.Once
	return func(yield func(V) bool) {
		defer once.Do(func() { c.end(ctx) })
		all(yield)
	}
}

// ListResource implements tfprotov6.ListResourceServer. The call ends with its results.
func (s server) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	s.contexts.begin()
	stream, err := s.Server.ListResource(ctx, req)
	if err != nil || stream == nil || stream.Results == nil {
		s.contexts.end(ctx)
		return stream, err
	}
	stream.Results = whole(ctx, s.contexts, stream.Results)
	return stream, nil
}

// InvokeAction implements tfprotov6.ActionServer. The call ends with its events.
func (s server) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	s.contexts.begin()
	stream, err := s.Server.InvokeAction(ctx, req)
	if err != nil || stream == nil || stream.Events == nil {
		s.contexts.end(ctx)
		return stream, err
	}
	stream.Events = whole(ctx, s.contexts, stream.Events)
	return stream, nil
}
