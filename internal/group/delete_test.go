package group_test

import (
	"fmt"
	"net/http"
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
		expectRefused(t, d, o, `Cannot delete group "production" of account "demo"`, fmt.Sprintf("It still has 1 virtual machine: web1 (id %d).", web),
			fmt.Sprintf("It still has 1 soft-deleted virtual machine: old (id %d). Soft-deleted machines count until they are purged, with the action cloudserver_vm_purge.", old))
		if waited := time.Since(began); waited > 0 || len(e.Calls()) != 1 {
			t.Errorf("waited %s for a soft-deleted machine, calls %v", waited, e.Calls())
		}
		e.Purge(web)
		if text := expectRefused(t, d, o, "cloudserver_vm_purge"); strings.Contains(text, "web1") {
			t.Errorf("only soft-deleted machines are left, but:\n%s", text)
		}
		e.Purge(old)
		d.MustApply(t.Context(), groupType, o, nil)
	})
}

// TestMachinesThatStay: no operation of this run empties the group, so the advice comes soon. If there are many
// machines, they are counted.
func TestMachinesThatStay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		for i := range 13 {
			e.AddMachine("demo", "production", emulator.Machine{Name: fmt.Sprintf("web%02d", i)})
		}
		began := time.Now()
		text := expectRefused(t, d, o, "13 virtual machines: web00", "and 3 more", "keep this group, apply the move, and remove the group then; or set create_before_destroy on the group")
		if took := time.Since(began); took < 5*time.Second || took > 9*time.Second || strings.Contains(text, "web10") {
			t.Errorf("waited %s, then:\n%s", took, text)
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

// TestHiddenAccountProvesNothing: if the account also answers 404, nothing is known about the group.
func TestHiddenAccountProvesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		writes := func(r emulator.Request) bool { return r.Method != http.MethodGet }
		for says, fault := range map[string]emulator.Fault{
			"terraform state rm": {Status: 404},
			"404 Not Found":      {Status: 404, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}},
			"403 Forbidden":      {Status: 403},
			"cannot reach":       {Cut: true},
			"still finds it":     {Status: 404, Match: writes},
		} {
			remove := e.Inject(fault)
			fresh := e.NewDriver(t, nil)
			if read, diags := fresh.Refresh(t.Context(), o); fault.Match == nil && (!acctest.HasErrors(diags) || read == nil) {
				t.Errorf("%+v: read as %v\n%s", fault, read.Get(""), acctest.DiagText(diags))
			}
			expectRefused(t, fresh, o, says)
			remove()
			time.Sleep(time.Minute) // how long failures are remembered
		}
		if read := d.MustRefresh(t.Context(), o); read == nil {
			t.Error("the group is gone")
		}
	})
}
