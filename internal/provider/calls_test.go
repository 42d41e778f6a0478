package provider

import (
	"context"
	"testing"
)

// TestContextOfACall: a call sees its context, which ends with the call's. Afterwards nothing refers to the call.
func TestContextOfACall(t *testing.T) {
	t.Parallel()
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "logger"))
	defer cancel()
	kept, err := during(ctx, "request", func(ctx context.Context, _ string) (context.Context, error) {
		kept, stop := context.WithCancel(ctx)
		t.Cleanup(stop)
		if kept.Value(key{}) != "logger" {
			t.Error("the call does not see the values of its context")
		}
		cancel()
		return kept, kept.Err()
	})
	if err == nil {
		t.Error("the context does not end with the call's")
	}
	if kept.Value(key{}) != nil {
		t.Error("the context of an ended call has its values")
	}
}
