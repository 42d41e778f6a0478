package vm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// stumble is a fault: so many vm_create are answered by a proxy, and the service
// has done nothing.
func stumble(times int) emulator.Fault {
	return emulator.Fault{
		Status: http.StatusBadGateway, Times: times,
		Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
	}
}

// somebodys is a machine of the name and the specification that the tests
// configure.
func somebodys(e *acctest.Emulator) int64 {
	return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
	})
}

// TestCreateAdoptsNobodysMachine loses an answer where somebody has had a machine of
// the same name and specification before. A provider with plan_checks = false does
// not know the machines that were there.
func TestCreateAdoptsNobodysMachine(t *testing.T) {
	t.Parallel()
	for says, checks := range map[string]bool{`A machine with the name "web1" already exists in this group`: true, "may have existed before": false} {
		inBubbleNamed(t, fmt.Sprintf("plan_checks %t", checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": checks})
			id := somebodys(e)
			e.Inject(stumble(1))
			if o := failed(t, d, nil, configured(), says, "import", fmt.Sprintf("id = %q", idOf(id))); o != nil {
				t.Errorf("the state has somebody's machine: %v", o.Get("id"))
			}
			only(t, e)
		})
	}
}

// TestCreateAfterAFailedLook loses the answer where the plan's look at the name was not answered either.
func TestCreateAfterAFailedLook(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		mend := e.Inject(emulator.Fault{Status: http.StatusBadGateway, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/web1") }})
		plan := d.Plan(t.Context(), vmType, nil, configured())
		time.AfterFunc(11*time.Second, mend) // after the check that the apply makes once more
		lost := stumble(1)
		lost.AfterEffect = true
		e.Inject(lost)
		expectState(t, applied(t, d, plan), given{"id": idOf(only(t, e).ID)})
	})
}

// TestCreateInPlaceOfAnotherMachine: the same apply deletes the machine that has the
// name. The creation waits for that, and where its answer is lost, the old machine is
// not taken for the new one.
func TestCreateInPlaceOfAnotherMachine(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{0, 1} {
		inBubbleNamed(t, fmt.Sprintf("lost %d", lost), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured())
			if lost > 0 {
				e.Inject(stumble(lost))
			}
			machines := []renamed{{nil, configured()}, {o, nil}}
			if failures, _ := (terraform{t: t, e: e, parallel: 10}).apply(machines); len(failures) > 0 {
				t.Error(failures)
			}
			if is := idOf(only(t, e).ID); is == o.Get("id") || machines[0].o.Get("id") != is {
				t.Errorf("the state has %v, and there is machine %s", machines[0].o.Get("id"), is)
			}
		})
	}
}

// TestCreateThatMayComeYet fails so that the machine may be created after
// the error: it must not say that there is none, and its advice must lead on.
func TestCreateThatMayComeYet(t *testing.T) {
	t.Parallel()
	deny := stumble(1)
	deny.Status, deny.Body = http.StatusForbidden, "not today"
	for name, test := range map[string]struct {
		faults    []emulator.Fault
		interrupt time.Duration // 0: none
	}{
		"every attempt fails":                   {[]emulator.Fault{stumble(0)}, 0},
		"interrupted before the second attempt": {[]emulator.Fault{stumble(0)}, 100 * time.Millisecond},
		"refused at the second attempt":         {[]emulator.Fault{stumble(1), deny}, 0},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			plan := d.Plan(ctx, vmType, nil, configured())
			var remove []func()
			for _, fault := range test.faults {
				remove = append(remove, e.Inject(fault))
			}
			if test.interrupt > 0 {
				stopAfter(t, d, test.interrupt)
			}
			o, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "the service may still be creating it", "the next apply fails because the name is taken")
			if text := acctest.DiagText(diags); o != nil || strings.Contains(text, "Nothing was created") {
				t.Errorf("state %v\n%s", o, text)
			}

			id := somebodys(e) // it comes late
			for _, stop := range remove {
				stop()
			}
			synctest.Wait()
			d = e.NewDriver(t, nil)
			_, diags = d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
			acctest.ExpectError(t, acctest.Errors(diags), "already exists in this group", `id = "`)
			o = imported(t, d, "demo/default/web1")
			expectState(t, o, given{"id": fmt.Sprint(id)})
			d.ExpectPlan(ctx, o, configured(), noop)
		})
	}
}
