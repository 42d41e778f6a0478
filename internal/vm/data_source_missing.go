package vm

import (
	"context"
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	softDeleted  = "The machine is soft-deleted. Set include_deleted = true to look it up all the same."
	lookUpAdvice = "A machine that is still being created can be looked up a moment later; one that this configuration creates is best referred to directly."
)

// noSuchID says why no machine has the id.
func (d *vmDataSource) noSuchID(ctx context.Context, id int64) string {
	if vm, err := d.data.Client.VirtualMachine(ctx, id, cloudserver.IncludeDeleted); err == nil && vm.Deleted {
		return softDeleted
	}
	return "The service knows no machine with this id, or does not show it to this session."
}

// noSuchName says why no machine has the name, and which names are like it:
// those of the group's machines, or of groups or accounts when it is those that
// are not known.
func (d *vmDataSource) noSuchName(ctx context.Context, account, group, name string, includeDeleted bool) string {
	machines, err := d.data.Client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) {
		return tfkit.NoSuchGroup(ctx, d.data.Client, account, group)
	}
	text := "The service knows no such machine, or does not show it to this session."
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
	return text + " " + tfkit.NearestSentence(name, names)
}
