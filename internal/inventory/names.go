// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// MachineNamed returns the machine of a group that has the name, soft-deleted or not, or nil if there is none. group is
// its ID or name; in a group that does not exist, no machine has it. The error is ErrNotDescribed while the service
// cannot describe the machine yet. The first names, and those that this process has given away, are looked up one by
// one, the others in a list of the group's names.
func (v *Inventory) MachineNamed(ctx context.Context, account, group, name string) (*cloudserver.VirtualMachine, error) {
	key := account + "/" + group + "/" + name
	v.mu.Lock()
	changed := v.namesChanged[account+"/"+name]
	isAlone := v.isFirstName(key) || !changed.IsZero()
	v.mu.Unlock()
	if !isAlone {
		all, err := get(ctx, v, v.nameLists, account+"/"+group, time.Time{}, func(ctx context.Context) (machines, error) {
			return v.list(ctx, account, group, cloudserver.IncludeDeleted, cloudserver.WithoutOverview)
		})
		if err == nil {
			return all.named(name), nil
		}
	}
	return get(ctx, v, v.names, key, changed, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		found, err := v.api.VirtualMachineByName(
			ctx, account, group, name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
		)
		if cloudserver.IsNotFound(err) {
			return nil, nil
		}
		return found, err
	})
}

// isFirstName reports whether the name is one of the first, which it becomes if there is room among them. The caller
// holds the lock.
func (v *Inventory) isFirstName(key string) bool {
	if len(v.firstNames) < firstByID {
		v.firstNames[key] = true
	}
	return v.firstNames[key]
}

// NameChanged notes that this process has given the name to a machine of the account, or tried to.
func (v *Inventory) NameChanged(account, name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.namesChanged[account+"/"+name] = v.now()
}
