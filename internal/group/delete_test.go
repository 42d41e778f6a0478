// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// expectRefused checks that a group is not destroyed, and that the error contains these phrases.
func expectRefused(t *testing.T, d *acctest.Driver, o *acctest.Object, phrases ...string) string {
	t.Helper()
	after, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, o, nil))
	if acctest.ExpectError(t, diags, phrases...); after == nil {
		t.Error("destroyed")
	}
	return acctest.DiagText(diags)
}

func TestGroupThatIsNotEmpty(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		web := e.AddMachine("demo", "production", emulator.Machine{Name: "web1"})
		old := e.AddMachine("demo", "production", emulator.Machine{Name: "old"})
		e.SoftDelete(old)
		e.ResetJournal()
		began := time.Now()
		expectRefused(t, d, o, `Cannot delete group "production" of account "demo"`, "400 Bad Request",
			fmt.Sprintf("It still has these virtual machines: web1 (ID %d). Destroy or move them first.", web), "keep this group for one more apply",
			fmt.Sprintf("It still has these soft-deleted virtual machines: old (ID %d). They count until they are purged, with the action cloudserver_vm_purge", old))
		if waited := time.Since(began); waited < 25*time.Second || waited > 35*time.Second {
			t.Errorf("waited %s", waited)
		}
		e.Purge(web)
		if text := expectRefused(t, d, o, "cloudserver_vm_purge"); strings.Contains(text, "web1") {
			t.Errorf("only soft-deleted machines are left, but:\n%s", text)
		}
		e.Purge(old)
		d.MustApply(t.Context(), groupType, o, nil)
	})
}

// TestInterruptedDelete: the error names the machines that are in the way as well.
func TestInterruptedDelete(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		e.AddMachine("demo", "production", emulator.Machine{Name: "web1"})
		began := time.Now()
		time.AfterFunc(5*time.Second, func() { _ = d.Stop(t.Context()) })
		expectRefused(t, d, o, `Cannot delete group "production"`, "It still has these virtual machines: web1")
		if waited := time.Since(began); waited > 6*time.Second {
			t.Errorf("waited %s", waited)
		}
	})
}

// TestDeleteWaitsForMachinesThatGo: machines that refer to the group by a literal name are destroyed at the same time
// as the group.
func TestDeleteWaitsForMachinesThatGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		ctx := t.Context()
		o := d.MustApply(ctx, groupType, nil, map[string]any{"name": "production"})
		web, _ := d.Import(ctx, "cloudserver_vm", fmt.Sprint(e.AddMachine("demo", "production", emulator.Machine{Name: "web1", PowerOn: true, IgnoresPowerdown: true})))
		d = e.NewDriver(t, nil) // no plan imports a machine and destroys it
		web = d.MustApply(ctx, "cloudserver_vm", web, map[string]any{"name": "web1", "group": "production", "shutdown_before_destroy": true, "shutdown_timeout": "17s"})
		plan := d.Plan(ctx, "cloudserver_vm", web, nil)
		var machine sync.WaitGroup
		defer machine.Wait()
		machine.Go(func() {
			if _, diags := d.Apply(ctx, "cloudserver_vm", plan); acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
		})
		began := time.Now()
		d.MustApply(ctx, groupType, o, nil)
		if took := time.Since(began); took < 17*time.Second || took > 21*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// TestGroupThatIsNotShown: a 404 counts while the account is visible and has the ID of the state.
func TestGroupThatIsNotShown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		ofGroup := func(r emulator.Request) bool { return strings.Contains(r.Path, "/groups") }
		for says, fault := range map[string]emulator.Fault{
			"cannot see account \"demo\" either. Use credentials that can see the account, and check endpoint and which provider the resource uses.": {Status: 404},
			"403 Forbidden":  {Status: 403},
			"no answer from": {Cut: true},
			"":               {Status: 404, Match: ofGroup},
		} {
			remove := e.Inject(fault)
			fresh := e.NewDriver(t, nil)
			read, diags := fresh.Refresh(t.Context(), o)
			if gone := says == ""; (read == nil) != gone || acctest.HasErrors(diags) == gone {
				t.Errorf("%+v: read as %v\n%s", fault, read.Get(""), acctest.DiagText(diags))
			}
			if says == "" {
				if text := acctest.DiagText(diags); !strings.Contains(text, "warning at id: The group is gone") {
					t.Errorf("the refresh says %q", text)
				}
				fresh.MustApply(t.Context(), groupType, o, nil)
			} else {
				expectRefused(t, fresh, o, says)
			}
			remove()
		}
	})
}
