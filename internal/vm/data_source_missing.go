package vm

import (
	"context"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	softDeleted  = "The machine is soft-deleted. Set include_deleted = true to find it anyway."
	lookUpAdvice = "A machine that is still being created can be found a moment later. Refer to a machine that this configuration creates directly."
)

// noSuchID explains why no machine has the id.
func (d *vmDataSource) noSuchID(ctx context.Context, id int64) string {
	if vm, err := d.data.Client.VirtualMachine(ctx, id, cloudserver.IncludeDeleted); err == nil && vm.Deleted {
		return softDeleted
	}
	return "No machine with this ID is visible to these credentials."
}

// noSuchName explains why no machine has the name, and suggests the closest
// names: of the group's machines, or of groups or accounts where one of those
// does not exist.
func (d *vmDataSource) noSuchName(ctx context.Context, account, group, name string, includeDeleted bool) string {
	machines, err := listGroup(ctx, d.data, account, group, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) {
		return tfkit.NoSuchGroup(ctx, d.data.Client, account, group)
	}
	text := "No such machine is visible to these credentials."
	if err != nil {
		return text
	}
	var names []string
	for _, vm := range machines {
		if vm.Name == name && vm.Deleted && !includeDeleted {
			return softDeleted
		}
		if includeDeleted || !vm.Deleted {
			names = append(names, vm.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("%s The group %q has no machines.", text, group)
	}
	return text + " " + tfkit.SuggestVisible(name, names)
}
