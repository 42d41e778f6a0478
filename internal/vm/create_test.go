package vm_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestCreateCostsOneRequestAndThePolls checks the whole journal of an apply: one vm_create, and then only reads of the
// machine, the last of which fills the state. internal/fleet determines how many reads there are.
func TestCreateCostsOneRequestAndThePolls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options emulator.Options
		after   time.Duration // and at most three seconds more
		polls   int
		config  given
	}{
		"at once":    {options: emulator.Options{BootTime: time.Nanosecond, Latency: 50 * time.Millisecond}, polls: 1, config: image},
		"5 seconds":  {options: emulator.Options{BootTime: 5 * time.Second}, after: 5 * time.Second, polls: 6, config: image},
		"33 seconds": {options: emulator.Options{BootTime: 33 * time.Second}, after: 33 * time.Second, polls: 15, config: image},
		"90 seconds": {options: emulator.Options{BootTime: 90 * time.Second}, after: 90 * time.Second, polls: 34, config: image},
		// The wait ends as soon as the machine can be described.
		"stays off": {options: emulator.Options{BootTime: time.Hour, DescribeAfter: 2 * time.Second}, after: 2 * time.Second, polls: 5, config: off},
	} {
		inWorldNamed(t, name, test.options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			plan := d.Plan(t.Context(), vmType, nil, configured(test.config))
			e.ResetJournal()
			began := time.Now()
			o := mustApply(t, d, plan)
			if late := time.Since(began) - test.after; late < 0 || late > 3*time.Second {
				t.Errorf("the apply ended %s after the machine was ready", late)
			}
			want := []string{"POST /accounts/demo/groups/default/vm_create"}
			want = append(want, slices.Repeat([]string{fmt.Sprintf("GET /virtual_machines/%d?view=overview", onlyMachine(t, e).ID)}, test.polls)...)
			if diff := cmp.Diff(want, e.AllCalls()); diff != "" {
				t.Errorf("requests (-want +got)\n%s", diff)
			}
			expectState(t, o, given{"power_on": test.config["power_on"] == nil, "last_imaged_with": test.config["reimage.distribution"], "ipv4_address": "198.51.100.2"})
		})
	}
}

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
// specification. A provider with plan_checks = false does not know which machines existed before.
func TestCreateAdoptsNobodysMachine(t *testing.T) {
	t.Parallel()
	for says, checks := range map[string]bool{`in this group has the name "web1"`: true, "may have existed before": false} {
		inBubbleNamed(t, fmt.Sprintf("plan_checks %t", checks), func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": checks})
			id := addTwin(e)
			e.Inject(proxyFault(1))
			if o := expectFailure(t, d, nil, configured(), says, "import", fmt.Sprintf("id = %q", idOf(id))); o != nil {
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
		expectState(t, mustApply(t, d, plan), given{"id": idOf(onlyMachine(t, e).ID)})
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
		"every attempt fails":                   {[]emulator.Fault{proxyFault(0)}, 0},
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
			if text := acctest.DiagText(diags); o != nil || strings.Contains(text, "Nothing was created") {
				t.Errorf("state %v\n%s", o, text)
			}

			id := addTwin(e) // it appears late
			time.Sleep(time.Hour)
			synctest.Wait()
			d = e.NewDriver(t, nil)
			expectFailure(t, d, nil, configured(), "in this group has the name", `id = "`)
			o = mustImport(t, d, "demo/default/web1")
			expectState(t, o, given{"id": fmt.Sprint(id)})
			d.ExpectPlan(ctx, o, configured(), noop)
		})
	}
}

// TestCreateRefused: a refusal by the service or a proxy is reported at the attribute to blame, and neither the state nor
// the service has a machine.
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	const (
		is400  = "POST /accounts/demo/groups/default/vm_create answered 400 Bad Request: "
		listed = "The data source cloudserver_definitions lists what the service offers. Nothing was created."
		page   = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>proxy</body></html>"
	)
	answering := func(status int, body string) emulator.Fault {
		return emulator.Fault{Status: status, Body: body, Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }}
	}
	post, looked := []string{"POST vm_create"}, []string{"POST vm_create", "GET virtual_machines/web1"}
	for name, test := range map[string]struct {
		fault  emulator.Fault // of every POST; zero: none
		config given          // of the new machine
		at     string         // the attribute to blame, "" for none
		says   []string
		asked  []string // every request of plan and apply
	}{
		"an unknown distribution": {
			config: given{"reimage.distribution": "bookwurm"}, at: "reimage.distribution", asked: post,
			says: []string{is400 + "distribution is not included in the list.", listed},
		},
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")}, at: "disc.1.storage_grade", asked: post,
			says: []string{is400 + "discs[1].storage_grade is not included in the list.", listed},
		},
		"an unknown profile": {
			config: given{"hardware_profile": "virtio1999"}, at: "hardware_profile", asked: post,
			says: []string{is400 + "hardware_profile is not included in the list.", listed},
		},
		"a short password": {
			config: with(image, "reimage.root_password", "x"), at: "reimage.root_password", asked: post,
			says: []string{is400 + "root_password is too short (minimum is 3 characters).", "Nothing was created."},
		},
		"an unknown account": {
			config: given{"account": "dmo"}, at: "account",
			says:  []string{`of account "dmo"`, "answered 404 Not Found: no such account.", `These credentials can see: "demo". Nothing was created.`},
			asked: []string{"POST /accounts/dmo/groups/default/vm_create", "GET /accounts/dmo", "GET /accounts"},
		},
		"a service that is busy": {
			fault: answering(http.StatusTooManyRequests, ""), asked: post,
			says: []string{"vm_create answered 429 Too Many Requests.\n", "raise max_retries in the provider block to wait longer. Nothing was created."},
		},
		"a service without room": {
			fault: answering(http.StatusServiceUnavailable, `{"message":"no head has room for this virtual machine"}`), asked: looked,
			says: []string{"vm_create answered 503 Service Unavailable: no head has room for this virtual machine", "configure a smaller one or another zone_name, or run the same command again later."},
		},
		"a proxy's error page": {
			fault: answering(http.StatusBadGateway, page), asked: looked,
			says: []string{"vm_create answered 502 Bad Gateway; virtual machine \"web1\" does not exist so far, but the service may still be creating it.\n", "The service, or a proxy in front of it, has failed. Run the same command again later", "If the machine was created after all, the next plan says that its name is taken"},
		},
		"another site's page": {
			fault: emulator.Fault{Status: http.StatusOK, Body: page}, asked: looked,
			says: []string{"it is a page for a browser, not JSON; check that endpoint is the base address", `cannot find out whether virtual machine "web1" exists`, "with the import block for it."},
		},
		"a service that does not answer": {
			fault: emulator.Fault{Cut: true}, asked: looked,
			says: []string{"vm_create: cannot reach http://127.0.0.1: ", "Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service", "with the import block for it."},
		},
	} {
		inBubbleNamed(t, name, func(t *testing.T, _ *acctest.Driver, e *acctest.Emulator) {
			d := e.NewDriver(t, given{"plan_checks": false, "max_retries": 0})
			if test.fault.Status != 0 || test.fault.Cut {
				e.Inject(test.fault)
			}
			head := `: Cannot create virtual machine "web1" in group `
			if test.at != "" {
				head = " at " + test.at + head
			}
			if o := expectFailure(t, d, nil, configured(test.config), append(test.says, "error"+head)...); o != nil {
				t.Errorf("there is something in the state: %v", o.Get(""))
			}
			expectNoMachine(t, e)
			if got := requestPaths(e); !slices.Equal(got, test.asked) {
				t.Errorf("asked\n %q, want\n %q", got, test.asked)
			}
		})
	}
}

// requestPaths returns all requests without their queries and without the common beginning of a group's paths.
func requestPaths(e *acctest.Emulator) []string {
	var calls []string
	for _, call := range e.AllCalls() {
		call, _, _ = strings.Cut(call, "?")
		calls = append(calls, strings.Replace(call, "/accounts/demo/groups/default/", "", 1))
	}
	return calls
}

// TestKeyIsRefusedForAMoment: a 401 to a key that this run has used does not end the wait of a creation, which would
// taint every machine that is being created. One that lasts does.
func TestKeyIsRefusedForAMoment(t *testing.T) {
	t.Parallel()
	for name, lasts := range map[string]time.Duration{"once": time.Second, "a minute": time.Minute, "for good": time.Hour} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, emulator.Options{BootTime: 10 * time.Second}, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
				began, created := time.Now(), time.Time{}
				e.Inject(emulator.Fault{Status: http.StatusUnauthorized, Match: func(r emulator.Request) bool {
					if created.IsZero() && strings.HasSuffix(r.Path, "/vm_create") {
						created = time.Now()
						return false
					}
					return !created.IsZero() && time.Since(created) < lasts
				}})
				o, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, configured()))
				if o == nil {
					t.Fatal("the machine is not in the state")
				}
				if lasts != time.Hour {
					if acctest.HasErrors(diags) || o.Get("power_on") != true {
						t.Errorf("power_on is %v\n%s", o.Get("power_on"), acctest.DiagText(diags))
					}
					return
				}
				if took := time.Since(began); took < 2*time.Minute || took > 3*time.Minute {
					t.Errorf("given up after %s", took)
				}
				acctest.ExpectError(t, diags, "does not accept the configured API key", "401 Unauthorized")
			})
		})
	}
}
