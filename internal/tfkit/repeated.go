package tfkit

import "context"

// Repeated reports whether this run has asked the same before, with a key such as
// "missing group demo/web".
func (d *ProviderData) Repeated(ctx context.Context, key string) bool {
	if d == nil || IsOwnRun(ctx) {
		return false
	}
	_, repeated := d.asked.LoadOrStore(key, true)
	return repeated
}

type ownRun struct{}

// OwnRun returns a context for a plan that counts as a run of its own. Tests need
// it that plan one resource several times in one process.
func OwnRun(ctx context.Context) context.Context { return context.WithValue(ctx, ownRun{}, true) }

// IsOwnRun reports whether the context is one of OwnRun.
func IsOwnRun(ctx context.Context) bool { return ctx.Value(ownRun{}) != nil }
