package fleet_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// A machine is purged while others have its id as their name: in its group, soft
// deleted in its group, and in another group.
func TestPurgeReachesOnlyItsOwnMachineOnTheEmulator(t *testing.T) {
	t.Parallel()
	for _, idsWin := range []bool{false, true} { // then the path leads to the machine all the same
		for name, c := range map[string]struct {
			group   string
			deleted bool
			purged  bool
		}{
			"in another group":          {"private", false, true},
			"in its group":              {"default", false, false},
			"soft-deleted in its group": {"default", true, false},
		} {
			t.Run(fmt.Sprintf("%s, ids win: %t", name, idsWin), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					purged := c.purged || idsWin
					e := acctest.NewEmulator(t, emulator.Options{IDsWin: idsWin})
					client := newClient(t, e)
					own := newMachine(t, client, "default", "web1")
					other := newMachine(t, client, c.group, strconv.FormatInt(own.ID, 10))
					f := fleet.New(client)
					if c.deleted {
						address, err := f.Ref(t.Context(), other)
						if err == nil {
							err = client.DeleteVirtualMachine(t.Context(), address, false)
						}
						if err != nil {
							t.Fatal(err)
						}
					}
					e.ResetJournal()
					address, err := fleet.New(client).Ref(t.Context(), own)
					if err == nil {
						err = client.DeleteVirtualMachine(t.Context(), address, true)
					}
					if _, unsafe := errors.AsType[*fleet.UnsafeError](err); purged && err != nil || !purged && !unsafe {
						t.Errorf("got %v", err)
					}
					if _, err := client.VirtualMachine(t.Context(), own.ID); cloudserver.IsNotFound(err) != purged {
						t.Errorf("the machine: %v", err)
					}
					if _, err := client.VirtualMachine(t.Context(), other.ID, cloudserver.IncludeDeleted); err != nil {
						t.Errorf("the other machine: %v", err)
					}
				})
			})
		}
	}
}

// newMachine creates a machine.
func newMachine(t *testing.T, client *cloudserver.Client, group, name string) fleet.Machine {
	t.Helper()
	vm, err := client.CreateVirtualMachine(t.Context(), emulator.DemoAccount, group, cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: name},
		Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return fleet.Machine{Account: emulator.DemoAccount, Group: group, GroupID: vm.GroupID, ID: vm.ID}
}
