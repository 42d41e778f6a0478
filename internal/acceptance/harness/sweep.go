// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
)

// Prefix begins the names of all that acceptance tests create. Nothing else is ever removed.
const Prefix = "tfacc-"

// The "region" of a sweeper is the name of an account.
func init() {
	resource.AddTestSweepers("cloudserver", &resource.Sweeper{
		Name: "cloudserver",
		F: func(account string) error {
			removed, err := sweep(context.Background(), service.client, account, Prefix)
			service.say("removed: %s", listed(removed))
			return err
		},
	})
}

// sweep purges the machines, and then deletes the groups, whose names begin with a prefix. Schedules, backups, addresses
// and reverse names go with their machine. It returns what was removed.
func sweep(ctx context.Context, client *cloudserver.Client, account, prefix string) (removed []string, err error) {
	groups, err := client.Groups(ctx, account)
	if err != nil {
		return nil, err
	}
	var failed []error
	for _, group := range groups {
		purged, err := sweepMachines(ctx, client, account, group, prefix)
		removed, failed = append(removed, purged...), append(failed, err)
	}
	for _, group := range groups {
		if !strings.HasPrefix(group.Name, prefix) {
			continue
		}
		switch err := client.DeleteGroup(ctx, account, group.Name); {
		case cloudserver.IsNotFound(err):
		case err != nil:
			failed = append(failed, fmt.Errorf("delete group %s: %w", group.Name, err))
		default:
			removed = append(removed, "group "+group.Name)
		}
	}
	return removed, errors.Join(failed...)
}

func sweepMachines(
	ctx context.Context, client *cloudserver.Client, account string, group cloudserver.Group, prefix string,
) (removed []string, err error) {
	found, err := client.VirtualMachines(ctx, account, group.Name, cloudserver.IncludeDeleted)
	if cloudserver.IsNotFound(err) { // the group has just gone
		return nil, nil
	}
	failed := []error{err}
	operations := machine.Service{Client: client, Inventory: inventory.New(client)}
	for _, vm := range found {
		if !strings.HasPrefix(vm.Name, prefix) {
			continue
		}
		location := inventory.Location{Account: account, GroupID: group.ID, ID: vm.ID}
		doomed := machine.New(operations, vm.Name, location, machine.Power{On: vm.IsOn()}, machine.Shutdown{})
		if err := doomed.Delete(ctx, true); err != nil {
			failed = append(failed, fmt.Errorf("purge machine %s (%d): %w", vm.Name, vm.ID, err))
			continue
		}
		removed = append(removed, fmt.Sprintf("machine %s of group %s", vm.Name, group.Name))
	}
	return removed, errors.Join(failed...)
}

// left returns the machines and groups that the service still has, and whose names begin with the prefix. It looks into
// the groups that tests use.
func left(ctx context.Context, s *Service, prefix string) (names []string, err error) {
	groups, err := s.client.Groups(ctx, s.chosen[Account])
	if err != nil {
		return nil, err
	}
	used := []string{s.chosen[Group], s.chosen[PrivateGroup]}
	for _, group := range groups {
		own := strings.HasPrefix(group.Name, prefix)
		if own {
			names = append(names, "group "+group.Name)
		}
		if !own && !slices.Contains(used, group.Name) {
			continue
		}
		found, err := s.client.VirtualMachines(ctx, s.chosen[Account], group.Name, cloudserver.IncludeDeleted)
		if err != nil {
			return names, err
		}
		for _, vm := range found {
			if strings.HasPrefix(vm.Name, prefix) {
				names = append(names, "machine "+vm.Name)
			}
		}
	}
	return names, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
