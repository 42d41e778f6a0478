package fleet

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Holder returns the machine of the group that holds the name and that no state
// of this run tracks, soft-deleted machines included. It returns nil if there is
// none. A group is listed for its names once per run; an error of that listing,
// such as a 404 for the group, is returned to all callers.
func (f *Fleet) Holder(ctx context.Context, account, group, name string) (*cloudserver.VirtualMachine, error) {
	l := f.listingOfNames(ctx, account, group, 0)
	if err := f.await(ctx, l); err != nil {
		return nil, err
	}
	listed := l.named(name)
	f.noteLook(Name{account, group, name}, listed)
	if listed == nil {
		return nil, nil
	}
	return f.confirmHolder(ctx, listed)
}

// confirmHolder returns the machine unless it is tracked, or has been purged,
// renamed or moved since it was listed.
func (f *Fleet) confirmHolder(ctx context.Context, listed *cloudserver.VirtualMachine) (*cloudserver.VirtualMachine, error) {
	if f.IsTracked(listed.ID) {
		return nil, nil
	}
	now, err := f.api.VirtualMachine(ctx, listed.ID, cloudserver.IncludeDeleted)
	switch {
	case f.IsTracked(listed.ID), cloudserver.IsNotFound(err):
		return nil, nil
	case errors.Is(err, cloudserver.ErrNotDescribed):
		return listed, nil
	case err != nil:
		return nil, err
	case now.Name != listed.Name || now.GroupID != listed.GroupID:
		return nil, nil
	}
	return now, nil
}

// Looked returns what the last look of this process at the name found, nil if
// there was none. A creation whose answer is lost takes a machine for new only if
// there was one.
func (f *Fleet) Looked(account, group, name string) *cloudserver.Look {
	f.mu.Lock()
	defer f.mu.Unlock()
	if holder, looked := f.looks[Name{account, group, name}]; looked {
		return &cloudserver.Look{Holder: holder}
	}
	return nil
}

// noteLook remembers who holds a name; nil: nobody.
func (f *Fleet) noteLook(name Name, holder *cloudserver.VirtualMachine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks[name] = 0
	if holder != nil {
		f.looks[name] = holder.ID
	}
}

// Track notes that a state of this run contains the machine. Reading a machine
// tracks it too.
func (f *Fleet) Track(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tracked[id] = true
}

// IsTracked reports whether a state of this run contains the machine, as far as
// it was read yet.
func (f *Fleet) IsTracked(id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tracked[id]
}

// isClosed reports whether the channel, on which nothing is sent, is closed.
func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
