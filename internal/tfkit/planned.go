package tfkit

import (
	"context"
	"sync"
)

// planned remembers the names that the resources of a run are planned to have.
type planned struct {
	mu    sync.Mutex
	names map[string]bool
}

// PlanName notes that this run plans an object with a name, given by a key such
// as "group demo/web". It reports whether another resource of the run has planned
// the same. Terraform plans every new name once in the life of a provider process.
func (d *ProviderData) PlanName(ctx context.Context, key string) (twice bool) {
	if d == nil || IsOwnRun(ctx) {
		return false
	}
	d.planned.mu.Lock()
	defer d.planned.mu.Unlock()
	twice = d.planned.names[key]
	if d.planned.names == nil {
		d.planned.names = map[string]bool{}
	}
	d.planned.names[key] = true
	return twice
}

type ownRun struct{}

// OwnRun returns a context for a plan that counts as a run of its own. Tests need
// it that plan one resource several times in one process.
func OwnRun(ctx context.Context) context.Context { return context.WithValue(ctx, ownRun{}, true) }

// IsOwnRun reports whether the context is one of OwnRun.
func IsOwnRun(ctx context.Context) bool { return ctx.Value(ownRun{}) != nil }
