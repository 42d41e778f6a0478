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

// TestCreateAdoptsNobodysMachine loses an answer where somebody has had a
// machine of the same name and specification before.
func TestCreateAdoptsNobodysMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		somebodys(e)
		plan := d.Plan(ctx, vmType, nil, configured())
		e.Inject(stumble(1))
		o, diags := d.Apply(ctx, vmType, plan)
		acctest.ExpectError(t, acctest.Errors(diags), `A machine with the name "web1" already exists in this group`, `id = "`)
		if o != nil {
			t.Errorf("the state has somebody's machine: %v", o.Get("id"))
		}
		only(t, e)
	})
}

// TestCreateUncheckedAdoptsNothing has a provider with plan_checks = false, which
// does not know the machines that were there before.
func TestCreateUncheckedAdoptsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		d := e.NewDriver(t, map[string]any{"plan_checks": false})
		id := somebodys(e)
		e.Inject(stumble(1))
		o, diags := d.Apply(ctx, vmType, d.Plan(ctx, vmType, nil, configured()))
		acctest.ExpectError(t, acctest.Errors(diags), "may have existed before", "import it:", fmt.Sprintf("id = %q", idOf(id)))
		if o != nil {
			t.Errorf("the state has somebody's machine: %v", o.Get("id"))
		}
		only(t, e)
	})
}

// TestCreateAfterAFailedLook loses the answer where the plan's look at the name was not answered either.
func TestCreateAfterAFailedLook(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		ctx := t.Context()
		mend := e.Inject(emulator.Fault{Status: http.StatusBadGateway, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/web1") }})
		plan := d.Plan(ctx, vmType, nil, configured())
		time.AfterFunc(11*time.Second, mend) // after the check that the apply makes once more
		lost := stumble(1)
		lost.AfterEffect = true
		e.Inject(lost)
		o := applied(t, d, plan)
		if is := only(t, e); o.Get("id") != idOf(is.ID) {
			t.Errorf("the state has %v, and there is machine %d", o.Get("id"), is.ID)
		}
	})
}

// TestCreateInPlaceOfAnotherMachine loses the answer while the same apply deletes
// the machine that has the name: that one is never taken for the new one.
func TestCreateInPlaceOfAnotherMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{Latency: 50 * time.Millisecond}, nil)
		o := d.MustApply(t.Context(), vmType, nil, configured())
		e.Inject(stumble(1))
		machines := []renamed{{nil, configured()}, {o, nil}}
		if failures, _ := (terraform{t: t, e: e, parallel: 10}).apply(machines); len(failures) > 0 {
			t.Error(failures)
		}
		if is := only(t, e); idOf(is.ID) == o.Get("id") || machines[0].o.Get("id") != idOf(is.ID) {
			t.Errorf("the state has %v, and there is machine %d", machines[0].o.Get("id"), is.ID)
		}
	})
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
