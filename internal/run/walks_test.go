package run_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
)

// TestWalks distinguishes a provider that serves one walk from one in a test, where all resources are validated before
// any is planned.
func TestWalks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var one, test run.Walks
		if one.Several() {
			t.Error("several walks before any")
		}
		for range 3 { // resources that are validated and planned side by side
			one.Validated()
		}
		for range 2 {
			one.Planned()
		}
		go func() {
			time.Sleep(10 * time.Millisecond)
			one.Planned()
		}()
		if began := time.Now(); one.Several() || time.Since(began) != 10*time.Millisecond {
			t.Errorf("one walk is several, after %s", time.Since(began))
		}

		test.Validated()
		for range 2 { // the walks that plan and apply it
			test.Validated()
			test.Planned()
		}
		for range 2 {
			if !test.Several() {
				t.Error("the walks of a test are one")
			}
		}
	})
}

// TestNotesOfSeveralWalks: notes of one walk do not affect the next.
func TestNotesOfSeveralWalks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		name, object := fleet.Name{Account: "demo", Group: "default", Name: "web1"}, run.Object{Kind: run.VirtualMachine, ID: "7"}
		for _, several := range []bool{false, true} {
			var n run.Notes
			if several {
				n.Walks.Validated()
			}
			n.TakeName(run.VirtualMachine, run.Holder{}, name)
			if other, _ := n.TakeName(run.VirtualMachine, run.Holder{}, name); (other != nil) == several {
				t.Errorf("several walks %v: the name is taken twice: %v", several, other)
			}
			n.Read(object)
			if again, _ := n.Read(object); again == several {
				t.Errorf("several walks %v: read again: %v", several, again)
			}
			if shared := n.PlanDestroy(object); shared == several {
				t.Errorf("several walks %v: destroyed and shared: %v", several, shared)
			}
			if n.Import(object); n.Import(object) == several {
				t.Errorf("several walks %v: imported twice", several)
			}
		}
	})
}
