package provider

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tfsdklog"
	"github.com/hashicorp/terraform-plugin-log/tfsdklogtest"
)

type key struct{}

func TestCallContextIsAsTheOriginal(t *testing.T) {
	t.Parallel()
	original, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Hour)
	defer cancel()
	ctx, release := newCallContext(original, false)
	child, cancelChild := context.WithCancel(ctx)
	defer cancelChild()
	if child.Value(key{}) != "value" || child.Err() != nil {
		t.Errorf("a context under it has the value %v and the error %v", child.Value(key{}), child.Err())
	}
	if _, ok := child.Deadline(); !ok {
		t.Error("it has lost its deadline")
	}
	cancel()
	<-child.Done()

	release()
	if ctx.Err() == nil || ctx.Value(key{}) != nil {
		t.Errorf("ended it has the error %v and the value %v", ctx.Err(), ctx.Value(key{}))
	}
}

// A library that keeps its loggers elsewhere would cost much, and nobody would notice.
func TestQuietContextHasNoLoggers(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	original := tfsdklogtest.RootLogger(context.WithValue(t.Context(), key{}, "value"), &log)
	for _, quiet := range []bool{false, true} {
		ctx, release := newCallContext(original, quiet)
		log.Reset()
		tfsdklog.Error(ctx, "a line")
		if (log.Len() == 0) != quiet || ctx.Value(key{}) != "value" {
			t.Errorf("quiet %t: logged %q, and has the value %v", quiet, &log, ctx.Value(key{}))
		}
		release()
	}
}

// The framework keeps a context under each request's for as long as the process
// lives. That must not keep the request.
func TestCallContextKeepsNothingAlive(t *testing.T) {
	t.Parallel()
	kept := make([]context.Context, 0, 1)
	gone := make(chan struct{})
	func() {
		value := new([1 << 16]byte)
		runtime.AddCleanup(value, func(gone chan struct{}) { close(gone) }, gone)
		request, end := context.WithCancel(context.WithValue(t.Context(), key{}, value))
		ctx, release := newCallContext(request, false)
		child, cancel := context.WithCancel(ctx)
		t.Cleanup(cancel)
		kept = append(kept, child)
		release()
		end()
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(kept)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the request's values are still in memory")
}
