package vm_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
		// undescribed is how many reads of the machine are answered with 202.
		undescribed int
		polls       int
		config      given
	}{
		"at once":    {options: emulator.Options{BootTime: time.Nanosecond, Latency: 50 * time.Millisecond}, polls: 1, config: image},
		"5 seconds":  {options: emulator.Options{BootTime: 5 * time.Second}, after: 5 * time.Second, polls: 7, config: image},
		"33 seconds": {options: emulator.Options{BootTime: 33 * time.Second}, after: 33 * time.Second, polls: 16, config: image},
		"90 seconds": {options: emulator.Options{BootTime: 90 * time.Second}, after: 90 * time.Second, polls: 35, config: image},
		// The wait ends as soon as the machine can be described.
		"stays off": {options: emulator.Options{BootTime: time.Hour}, undescribed: 4, polls: 5, config: off},
	} {
		inWorldNamed(t, name, test.options, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
			plan := d.Plan(t.Context(), vmType, nil, configured(test.config))
			if test.undescribed > 0 {
				e.Inject(emulator.Fault{
					Status: http.StatusAccepted, Body: "{}", Times: test.undescribed,
					Match: func(r emulator.Request) bool { return r.Method == http.MethodGet },
				})
			}
			e.ResetJournal()
			began := time.Now()
			o := mustApply(t, d, plan)
			if late := time.Since(began) - test.after; late < 0 || late > 3*time.Second {
				t.Errorf("the apply ended %s after the machine was ready", late)
			}
			look := fmt.Sprintf("GET /virtual_machines/%d?include_deleted=true&view=overview", onlyMachine(t, e).ID)
			want := append([]string{"POST /accounts/demo/groups/1002/vm_create"}, slices.Repeat([]string{look}, test.polls)...)
			if got := e.AllCalls(); !slices.Equal(got, want) {
				t.Errorf("%d requests, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
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

// TestCreateRefused: a refusal by the service or a proxy is reported at the attribute to blame, and neither the state nor
// the service has a machine.
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	const (
		is400   = "POST /accounts/demo/groups/1002/vm_create answered 400 Bad Request: "
		nothing = "No machine was created."
		page    = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>proxy</body></html>"
	)
	answering := func(status int, body string) emulator.Fault {
		return emulator.Fault{Status: status, Body: body, Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }}
	}
	// Without the plan's checks, the group is resolved, and the name looked up, before the request.
	group, look, post := "GET /accounts/demo/groups/default", "GET virtual_machines/web1", "POST vm_create"
	posted, looked := []string{group, look, post}, []string{group, look, post, look}
	for name, test := range map[string]struct {
		fault  emulator.Fault // of every POST; zero: none
		config given          // of the new machine
		at     string         // the attribute to blame, "" for none
		says   []string
		asked  []string // every request of plan and apply
	}{
		"an unknown distribution": {
			config: given{"reimage.distribution": "bookwurm"}, at: "reimage.distribution", asked: posted,
			says: []string{is400 + "distribution is not included in the list.", nothing},
		},
		"an unknown grade": {
			config: given{"disc": discs("vda:100", "vdb:100:sdd")}, at: "disc.1.storage_grade", asked: posted,
			says: []string{is400 + "discs[1].storage_grade is not included in the list.", nothing},
		},
		"an unknown profile": {
			config: given{"hardware_profile": "virtio1999"}, at: "hardware_profile", asked: posted,
			says: []string{is400 + "hardware_profile is not included in the list.", nothing},
		},
		"a short password": {
			config: with(image, "reimage.root_password", "x"), at: "reimage.root_password", asked: posted,
			says: []string{is400 + "root_password is too short (minimum is 3 characters).", nothing},
		},
		"an unknown account": {
			config: given{"account": "dmo"}, at: "account",
			says:  []string{`There is no account "dmo"`, `These credentials can see: "demo". No machine was created.`},
			asked: []string{"GET /accounts/dmo/groups/default", "GET /accounts/dmo", "GET /accounts"},
		},
		"a service that is busy": {
			fault: answering(http.StatusTooManyRequests, ""), asked: posted,
			says: []string{"vm_create answered 429 Too Many Requests.", "Run the same command again later.", nothing},
		},
		"a service without room": {
			fault: answering(http.StatusServiceUnavailable, `{"message":"no head has room for this virtual machine"}`), asked: looked,
			says: []string{"vm_create answered 503 Service Unavailable: no head has room for this virtual machine", "Run the same command again later."},
		},
		"a proxy's error page": {
			fault: answering(http.StatusBadGateway, page), asked: looked,
			says: []string{"vm_create answered 502 Bad Gateway; virtual machine \"web1\" does not exist so far, but the service may still be creating it. Run the same command again later.", "If the machine was created after all, the next plan says that its name is taken"},
		},
		"another site's page": {
			fault: answering(http.StatusOK, page), asked: looked,
			says: []string{"the answer is not understood", "with the import block for it."},
		},
		"a service that does not answer": {
			fault: emulator.Fault{Cut: true, Match: func(r emulator.Request) bool { return r.Method == http.MethodPost }}, asked: looked,
			says: []string{"vm_create: cannot reach http://127.0.0.1: ", "with the import block for it."},
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
		calls = append(calls, strings.Replace(call, "/accounts/demo/groups/1002/", "", 1))
	}
	return calls
}

// TestKeyIsRefusedForAMoment: a 401 to a key that this run has used does not end the wait of a creation, which would
// taint every machine that is being created. If it lasts, the error of the timeout has it.
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
				if took := time.Since(began).Round(time.Second); took != 20*time.Minute {
					t.Errorf("given up after %s", took)
				}
				acctest.ExpectError(t, diags, "last seen: the service at 127.0.0.1 does not accept the API key", "401 Unauthorized")
			})
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

// TestCreateWithAnAddressOfASoftDeletedMachine: no plain list shows that machine, so the error names it.
func TestCreateWithAnAddressOfASoftDeletedMachine(t *testing.T) {
	inBubble(t, func(t *testing.T, d *acctest.Driver, e *acctest.Emulator) {
		private := given{"group": emulator.PrivateGroup, "ips.ipv4": "192.0.2.10"}
		o := d.MustApply(t.Context(), vmType, nil, configured(private))
		e.SoftDelete(onlyMachine(t, e).ID)
		expectFailure(t, d, nil, configured(private, given{"name": "web2"}), "error at ips.ipv4: Cannot create",
			fmt.Sprintf(`The soft-deleted virtual machine "web1" (ID %v) has the address 192.0.2.10`, o.Get("id")), "undelete", "purge")
	})
}
