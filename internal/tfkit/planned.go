package tfkit

import (
	"context"
	"sync"
)

// planned remembers the names that the resources of a run are planned to have.
type planned struct {
	mu    sync.Mutex
	names map[string]string // owner by key
}

// PlanName notes that this run plans an object to have a name, given by a key such
// as "group demo/web". It reports whether another resource of the run has planned
// the same. Owner is the ID of an object that is renamed, and "" for a new one,
// which Terraform plans once in the life of a provider process. New objects are not
// compared with renamed ones: one may replace the other.
func (d *ProviderData) PlanName(ctx context.Context, key, owner string) (twice bool) {
	if d == nil || IsOwnRun(ctx) {
		return false
	}
	if owner != "" {
		key = "renamed " + key
	}
	d.planned.mu.Lock()
	defer d.planned.mu.Unlock()
	before, twice := d.planned.names[key]
	if d.planned.names == nil {
		d.planned.names = map[string]string{}
	}
	d.planned.names[key] = owner
	return twice && (owner == "" || owner != before)
}

// IsPlanned reports whether a resource of this run plans an object with the name.
func (d *ProviderData) IsPlanned(key string) bool {
	d.planned.mu.Lock()
	defer d.planned.mu.Unlock()
	_, planned := d.planned.names[key]
	return planned
}

type ownRun struct{}

// OwnRun returns a context for a plan that counts as a run of its own. Tests need
// it that plan one resource several times in one process.
func OwnRun(ctx context.Context) context.Context { return context.WithValue(ctx, ownRun{}, true) }

// IsOwnRun reports whether the context is one of OwnRun.
func IsOwnRun(ctx context.Context) bool { return ctx.Value(ownRun{}) != nil }
