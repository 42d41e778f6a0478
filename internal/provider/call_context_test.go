// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"testing"
)

// TestContextOfACall: a call has a context without values, which ends when the call is cancelled and when it has ended.
func TestContextOfACall(t *testing.T) {
	t.Parallel()
	type key struct{}
	logger := context.WithValue(t.Context(), key{}, "logger")

	ctx, cancel := context.WithCancel(logger)
	_, err := detach(ctx, "request", func(ctx context.Context, _ string) (string, error) {
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	})
	if err == nil {
		t.Error("the context does not end when the call is cancelled")
	}

	kept, _ := detach(logger, "request", func(ctx context.Context, _ string) (context.Context, error) {
		return ctx, ctx.Err()
	})
	if kept.Err() == nil {
		t.Error("the context does not end with the call")
	}
	if kept.Value(key{}) != nil {
		t.Error("the context has the values of the call's")
	}
}
