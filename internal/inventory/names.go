package inventory

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// nameKey is the name of a machine in its group.
type nameKey struct{ account, group, name string }

// name is what is known of one name.
type name struct {
	isFirst bool      // it is looked up alone
	changed time.Time // when this process last gave it to a machine
	calls   kept[*cloudserver.VirtualMachine]
}

// MachineNamed returns the machine of a group that has the name, soft-deleted or not, or nil if there is none. group is
// its ID or name; in a group that does not exist, no machine has it. The error is ErrNotDescribed while the service
// cannot describe the machine yet. The first names are looked up one by one, the others in a listing of the group.
func (v *Inventory) MachineNamed(ctx context.Context, account, group, wanted string) (*cloudserver.VirtualMachine, error) {
	key := nameKey{account, group, wanted}
	v.mu.Lock()
	n := *v.name(key)
	v.mu.Unlock()
	return get(ctx, v, n.calls, "", n.changed, func(ctx context.Context) (*cloudserver.VirtualMachine, error) {
		return v.lookUp(ctx, key, n)
	})
}

// NameChanged notes that this process has given the name to a machine of the account, or tried to.
func (v *Inventory) NameChanged(account, name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for key, n := range v.names { // a group is asked for by its name or by its ID
		if key.account == account && key.name == name {
			n.changed = v.now()
		}
	}
}

// name returns what is known of a name. The caller holds the lock.
func (v *Inventory) name(key nameKey) *name {
	n, ok := v.names[key]
	if !ok {
		n = &name{isFirst: len(v.names) < firstByID, calls: kept[*cloudserver.VirtualMachine]{}}
		v.names[key] = n
	}
	return n
}

// lookUp asks which machine has the name.
func (v *Inventory) lookUp(ctx context.Context, key nameKey, n name) (*cloudserver.VirtualMachine, error) {
	var l *listing
	if !n.isFirst {
		v.mu.Lock()
		l = v.group(listKey{key.account, key.group, true}).forOne(ctx, key.name, n.changed, n.changed)
		v.mu.Unlock()
	}
	listed, err := l.awaitBriefly(ctx)
	if listed != nil || err != nil {
		return listed.named(key.name), err
	}
	found, err := v.api.VirtualMachineByName(
		ctx, key.account, key.group, key.name, cloudserver.IncludeDeleted, cloudserver.WithoutOverview,
	)
	if cloudserver.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}
