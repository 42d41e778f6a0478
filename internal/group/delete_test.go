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

// destroy destroys a group, and returns what was reported.
func destroy(t *testing.T, d *acctest.Driver, o *acctest.Object, fails bool) string {
	t.Helper()
	after, diags := d.Apply(t.Context(), groupType, d.Plan(t.Context(), groupType, o, nil))
	if acctest.HasErrors(diags) != fails || (after == nil) == fails {
		t.Errorf("destroyed: %v, %s", after == nil, acctest.DiagText(diags))
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
		text := destroy(t, d, o, true)
		for _, want := range []string{
			`Cannot delete group "production" of account "demo"`,
			fmt.Sprintf("It still has 1 virtual machine: web1 (id %d).", web),
			fmt.Sprintf("It still has 1 soft-deleted virtual machine: old (id %d).", old),
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in:\n%s", want, text)
			}
		}
		if waited := time.Since(began); waited > 0 || len(e.Calls()) != 1 {
			t.Errorf("waited %s for a soft-deleted machine, calls %v", waited, e.Calls())
		}
		e.Purge(web)
		if text := destroy(t, d, o, true); strings.Contains(text, "web1") || !strings.Contains(text, "cloudserver_vm_purge") {
			t.Errorf("only soft-deleted machines are left, but:\n%s", text)
		}
		e.Purge(old)
		destroy(t, d, o, false)
	})
}

// TestMachinesThatStay: no operation of this run empties the group, so what to do is
// told soon, and many are counted.
func TestMachinesThatStay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		for i := range 13 {
			e.AddMachine("demo", "production", emulator.Machine{Name: fmt.Sprintf("web%02d", i)})
		}
		began := time.Now()
		text := destroy(t, d, o, true)
		for _, want := range []string{
			"13 virtual machines: web00", "and 3 more", "keep this group, apply the move, and remove the group then; or set create_before_destroy on the group",
		} {
			if !strings.Contains(text, want) || strings.Contains(text, "web10") {
				t.Errorf("want %q in:\n%s", want, text)
			}
		}
		if took := time.Since(began); took < 5*time.Second || took > 9*time.Second {
			t.Errorf("waited %s", took)
		}
	})
}

// TestDeleteWaitsForMachinesThatGo: machines that name the group as text are
// destroyed at the same time as the group.
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
		destroy(t, d, o, false)
		if took := time.Since(began); took < 17*time.Second || took > 21*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// TestHiddenAccountProvesNothing: a 404 for the account, too, says nothing of the
// group.
func TestHiddenAccountProvesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{}, nil)
		o := d.MustApply(t.Context(), groupType, nil, map[string]any{"name": "production"})
		for name, fault := range map[string]emulator.Fault{
			"404":         {Status: 404},
			"404 page":    {Status: 404, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}},
			"403":         {Status: 403},
			"unreachable": {Cut: true},
			"only writes": {Status: 404, Match: func(r emulator.Request) bool { return r.Method != http.MethodGet }},
		} {
			remove := e.Inject(fault)
			fresh := e.NewDriver(t, nil)
			if read, diags := fresh.Refresh(t.Context(), o); name != "only writes" && (!acctest.HasErrors(diags) || read == nil) {
				t.Errorf("%s: read as %v\n%s", name, read.Get(""), acctest.DiagText(diags))
			}
			text := destroy(t, fresh, o, true)
			if name == "only writes" && !strings.Contains(text, "but the service still lists the group") {
				t.Errorf("%s: got\n%s", name, text)
			}
			if name == "404" && !strings.Contains(text, "terraform state rm") {
				t.Errorf("%s: got\n%s", name, text)
			}
			remove()
			time.Sleep(time.Minute) // failures are remembered for so long
		}
		if read := d.MustRefresh(t.Context(), o); read == nil {
			t.Error("the group is gone")
		}
	})
}
