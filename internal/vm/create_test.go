// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// proxyFault returns a fault: a proxy answers the given number of vm_create, and the service does nothing.
func proxyFault(times int) emulator.Fault {
	return emulator.Fault{
		Status: http.StatusBadGateway, Times: times,
		Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") },
	}
}

// addTwin adds a machine with the name and the specification that the tests configure.
func addTwin(e *acctest.Emulator) int64 {
	return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
	})
}

// TestCreateAdoptsNobodysMachine loses an answer while somebody already has a machine with the same name and
// specification. A provider with plan_checks = false looks right before the request.
func TestCreateAdoptsNobodysMachine(t *testing.T) {
	t.Parallel()
	for _, checks := range []bool{true, false} {
		inBubbleNamed(t, fmt.Sprintf("plan_checks %t", checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": checks})
			id := addTwin(e)
			e.Inject(proxyFault(1))
			says := []string{"error at name: Cannot create", `has the name "web1"`, fmt.Sprintf("id = %q", idOf(id))}
			if o := expectFailure(t, d, nil, configured(), says...); o != nil {
				t.Errorf("the state has somebody's machine: %v", o.Get("id"))
			}
			onlyMachine(t, e)
		})
	}
}

// TestCreateAfterAFailedLook loses the answer after the plan's check of the name was not answered either.
func TestCreateAfterAFailedLook(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		mend := e.Inject(emulator.Fault{Status: http.StatusBadGateway, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/web1") }})
		plan := d.Plan(t.Context(), vmType, nil, configured())
		time.AfterFunc(11*time.Second, mend) // after the check that the apply repeats
		e.Inject(loseAnswer(proxyFault(1)))
		o, diags := d.Apply(t.Context(), vmType, plan)
		id := idOf(onlyMachine(t, e).ID)
		expectState(t, o, given{"id": id})
		expectSays(t, diags, "warning at name: The creation of the machine was not confirmed", "virtual machine "+id+` ("web1") was found as requested`)
	})
}

// TestCreateInPlaceOfAnotherMachine: the same apply deletes the machine that has the name. The creation waits for that,
// and if its answer is lost, the old machine is not taken for the new one.
func TestCreateInPlaceOfAnotherMachine(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{0, 1} {
		inBubbleNamed(t, fmt.Sprintf("lost %d", lost), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			o := d.MustApply(t.Context(), vmType, nil, configured())
			if lost > 0 {
				e.Inject(proxyFault(lost))
			}
			machines := []transition{{nil, configured()}, {o, nil}}
			if failures := (terraform{t: t, e: e, parallel: 10}).apply(machines); len(failures) > 0 {
				t.Error(failures)
			}
			if is := idOf(onlyMachine(t, e).ID); is == o.Get("id") || machines[0].o.Get("id") != is {
				t.Errorf("the state has %v, and there is machine %s", machines[0].o.Get("id"), is)
			}
		})
	}
}

// TestCreateThatMayComeYet: the machine may still be created after the error. The error must not claim that it does not
// exist, and its advice must work.
func TestCreateThatMayComeYet(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults    []emulator.Fault
		interrupt time.Duration // 0: none
	}{
		"interrupted before the second attempt": {[]emulator.Fault{proxyFault(0)}, 100 * time.Millisecond},
		"refused at the second attempt":         {[]emulator.Fault{proxyFault(1), refuse("POST", "/vm_create", "", 1)}, 0},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			ctx := t.Context()
			plan := d.Plan(ctx, vmType, nil, configured())
			for _, fault := range test.faults {
				time.AfterFunc(time.Hour, e.Inject(fault))
			}
			if test.interrupt > 0 {
				stopAfter(t, d, test.interrupt)
			}
			o, diags := d.Apply(ctx, vmType, plan)
			acctest.ExpectError(t, acctest.Errors(diags), "the service may still be creating it", "the next plan says that its name is taken")
			if text := acctest.DiagText(diags); o != nil || strings.Contains(text, "No machine was created") {
				t.Errorf("state %v\n%s", o, text)
			}

			id := addTwin(e) // it appears late
			time.Sleep(time.Hour)
			synctest.Wait()
			d = e.NewDriver(t, nil)
			expectFailure(t, d, nil, configured(), `has the name "web1"`, `id = "`)
			o = mustImport(t, d, "demo/default/web1")
			expectState(t, o, given{"id": fmt.Sprint(id)})
			d.ExpectPlan(ctx, o, configured(), noop)
		})
	}
}

// TestCreateRefused: without plan checks, a refusal by the service or a proxy is reported at the attribute to blame, and
// neither the state nor the service has a machine.
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	const page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>proxy</body></html>"
	proxy := proxyFault(0)
	proxy.Body = page
	for name, test := range map[string]struct {
		faults []emulator.Fault
		config given
		says   []string
	}{
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")},
			says:   []string{"error at disc.1.storage_grade: Cannot create", "vm_create answered 400 Bad Request: discs[1].storage_grade is not included in the list.", "No machine was created."},
		},
		"an unknown account": {
			config: given{"account": "dmo"},
			says:   []string{"error at account: Cannot create", `There is no account "dmo"`, `These credentials can see: "demo". No machine was created.`},
		},
		"a proxy's error page": {
			faults: []emulator.Fault{proxy},
			says:   []string{"vm_create answered 502 Bad Gateway; virtual machine \"web1\" does not exist so far, but the service may still be creating it. Run the same command again later."},
		},
	} {
		inWorldNamed(t, name, emulator.Options{Faults: test.faults}, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": false, "max_retries": 0})
			if o := expectFailure(t, d, nil, configured(test.config), test.says...); o != nil {
				t.Errorf("there is something in the state: %v", o.Get(""))
			}
			expectNoMachine(t, e)
		})
	}
}

// TestCreateWaitsForDiscsAndAddresses: the first descriptions of a machine that is on may lack both. A disc without an
// ID would be a disc that nobody can grow or purge, and what refers to an address would get null.
func TestCreateWaitsForDiscsAndAddresses(t *testing.T) {
	t.Parallel()
	rename := func(from, to string) func([]byte) []byte {
		return func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(from), []byte(to)) }
	}
	noDiscs, noAddresses := rename(`"discs":`, `"later":`), rename(`"network_interfaces":`, `"later":`)
	emptyDiscs := func(body []byte) []byte { return bytes.Replace(noDiscs(body), []byte("{"), []byte(`{"discs":[],`), 1) }
	for name, test := range map[string]struct {
		rewrite func([]byte) []byte
		lasts   time.Duration // after the machine is on
		lacks   bool          // in the state as well
		fails   bool
	}{
		"discs in their list alone":      {rewrite: noDiscs, lasts: time.Hour},
		"discs for a while":              {rewrite: emptyDiscs, lasts: 5 * time.Minute},
		"discs for good":                 {rewrite: emptyDiscs, lasts: time.Hour, fails: true},
		"addresses for a while":          {rewrite: noAddresses, lasts: 20 * time.Second},
		"addresses for longer than that": {rewrite: noAddresses, lasts: time.Minute, lacks: true},
	} {
		inBubbleNamed(t, name, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			began := time.Now()
			e.Inject(emulator.Fault{
				Match: func(r emulator.Request) bool {
					isMachine := strings.Contains(r.Path, "/virtual_machines/") || strings.HasSuffix(r.Path, "/vm_create")
					return isMachine && !strings.HasSuffix(r.Path, "/discs") && time.Since(began) < 34*time.Second+test.lasts
				},
				Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
					return status, header, test.rewrite(body)
				},
			})
			o, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, configured()))
			if test.fails {
				acctest.ExpectError(t, acctest.Errors(diags), "the discs to be on the machine: timed out", "untaint")
				expectState(t, o, given{"id": idOf(onlyMachine(t, e).ID)})
				return
			}
			if len(diags) > 0 {
				t.Error(acctest.DiagText(diags))
			}
			machine := onlyMachine(t, e)
			expectState(t, o, given{"disc.0.id": idOf(machine.Discs[0].ID), "disc_ids.vda": idOf(machine.Discs[0].ID)})
			if lacks := o.Get("ipv4_address") == nil; lacks != test.lacks {
				t.Errorf("ipv4_address is %v", o.Get("ipv4_address"))
			}
		})
	}
}

// TestTwoBlocksWithOneName: an apply creates two blocks with the same name and specification, and the second creation
// fails, as those that meet do. The machine of the first is not taken for that of the second.
func TestTwoBlocksWithOneName(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		first := d.Plan(t.Context(), vmType, nil, configured())
		second := d.Plan(t.Context(), vmType, nil, configured())
		o := mustApply(t, d, first)
		e.Inject(proxyFault(1))
		also, diags := d.Apply(t.Context(), vmType, second)
		acctest.ExpectError(t, acctest.Errors(diags), "error at name: Cannot create", `Two blocks describe the machine "web1"`)
		if strings.Contains(acctest.DiagText(diags), "import") {
			t.Errorf("advice to import:\n%s", acctest.DiagText(diags))
		}
		if also != nil {
			t.Errorf("both blocks have machine %v of %v", also.Get("id"), o.Get("id"))
		}
	})
}

// TestCreateThroughAnOutage: the service creates the machine, and then nothing gets an answer for a while, nor does the
// look-up of the name. As soon as one does, the machine is in the state.
func TestCreateThroughAnOutage(t *testing.T) {
	t.Parallel()
	for _, lasts := range []time.Duration{30 * time.Second, 10 * time.Minute} {
		inBubbleNamed(t, lasts.String(), func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			plan := d.Plan(t.Context(), vmType, nil, configured())
			began := time.Now()
			e.Inject(emulator.Fault{
				Status: http.StatusBadGateway, AfterEffect: true,
				Match: func(emulator.Request) bool { return time.Since(began) < lasts },
			})
			o, diags := d.Apply(t.Context(), vmType, plan)
			if acctest.HasErrors(diags) || o == nil {
				t.Fatalf("the machine is not in the state:\n%s", acctest.DiagText(diags))
			}
			expectState(t, o, given{"id": idOf(onlyMachine(t, e).ID)})
			expectSays(t, diags, "The creation of the machine was not confirmed")
			if text := acctest.DiagText(diags); strings.Contains(text, "same command") {
				t.Errorf("it is to be run again:\n%s", text)
			}
		})
	}
}
