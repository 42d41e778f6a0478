package stories

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
)

// prefix begins the name of everything that the stories create.
const prefix = "tfacc-"

// The "region" of a sweeper is the name of an account.
func init() {
	resource.AddTestSweepers("cloudserver_vm", &resource.Sweeper{
		Name: "cloudserver_vm",
		F:    func(account string) error { return sweepMachines(context.Background(), client, account) },
	})
	resource.AddTestSweepers("cloudserver_group", &resource.Sweeper{
		Name:         "cloudserver_group",
		Dependencies: []string{"cloudserver_vm"},
		F:            func(account string) error { return sweepGroups(context.Background(), client, account) },
	})
}

// sweepMachines purges the machines whose names begin with the prefix, and nothing else.
func sweepMachines(ctx context.Context, client *cloudserver.Client, account string) error {
	groups, err := client.Groups(ctx, account)
	if err != nil {
		return err
	}
	service := machine.Service{Client: client, Inventory: inventory.New(client)}
	var failed []error
	for _, group := range groups {
		found, err := client.VirtualMachines(ctx, account, group.Name, cloudserver.IncludeDeleted)
		failed = append(failed, err)
		for _, vm := range found {
			if !strings.HasPrefix(vm.Name, prefix) {
				continue
			}
			location := inventory.Location{Account: account, GroupID: group.ID, ID: vm.ID}
			doomed := machine.New(service, vm.Name, location, machine.Power{On: vm.IsOn()}, machine.Shutdown{})
			if err := doomed.Delete(ctx, true); err != nil {
				failed = append(failed, fmt.Errorf("purge %s (%d): %w", vm.Name, vm.ID, err))
			}
		}
	}
	return errors.Join(failed...)
}

// sweepGroups deletes the groups whose names begin with the prefix.
func sweepGroups(ctx context.Context, client *cloudserver.Client, account string) error {
	groups, err := client.Groups(ctx, account)
	if err != nil {
		return err
	}
	var failed []error
	for _, group := range groups {
		if !strings.HasPrefix(group.Name, prefix) {
			continue
		}
		err := client.DeleteGroup(ctx, account, group.Name)
		if err != nil && !cloudserver.IsNotFound(err) {
			failed = append(failed, fmt.Errorf("delete group %s: %w", group.Name, err))
		}
	}
	return errors.Join(failed...)
}

// TestSweepers leaves what a crash may leave in an emulator of its own.
func TestSweepers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	e := acctest.StartEmulator(t, emulator.Options{})
	own, err := cloudserver.New(cloudserver.Config{Endpoint: e.URL, Token: emulator.DemoAPIKey})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.CreateGroup(ctx, emulator.DemoAccount, prefix+"group"); err != nil {
		t.Fatal(err)
	}
	e.AddMachine(emulator.DemoAccount, prefix+"group", emulator.Machine{Name: prefix + "web4"})
	e.AddMachine(emulator.DemoAccount, emulator.PrivateGroup, emulator.Machine{Name: prefix + "web1"})
	e.SoftDelete(e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: prefix + "web2"}))
	e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web3"})

	if err := errors.Join(sweepMachines(ctx, own, emulator.DemoAccount), sweepGroups(ctx, own, emulator.DemoAccount)); err != nil {
		t.Fatal(err)
	}
	if left := e.Machines(); len(left) != 1 || left[0].Name != "web3" {
		t.Errorf("machines left: %+v", left)
	}
	groups, err := own.Groups(ctx, emulator.DemoAccount)
	if err != nil || len(groups) != 2 {
		t.Errorf("groups left: %+v, %v", groups, err)
	}
}
