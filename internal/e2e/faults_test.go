// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestWritesThatFail creates, changes and deletes an object of each noun, while the first request that writes, or each
// of them, meets a fault. Then it applies the same at a healthy service. A case is named NOUN/STEP/FAULT/HOW OFTEN.
//
// An error of the first apply repeats the service's words, and no object exists that is not in the state. After an
// apply without an error, the state has what the service has. After the second apply, the object exists once (after a
// delete: no more), it is the one that the first apply created, and the next plan is empty.
func TestWritesThatFail(t *testing.T) {
	t.Parallel()
	for _, noun := range contractNouns() {
		for _, step := range []string{"create", "change", "delete"} {
			if step == "change" && noun.prepare(newService(t)).changed == nil {
				continue
			}
			t.Run(noun.name+"/"+step, func(t *testing.T) {
				t.Parallel()
				for _, f := range faults() {
					if step == "delete" && f.name == "404" {
						continue // it says that there is nothing to delete, which is believed
					}
					inSimulation(t, f.name+"/once", func(t *testing.T) { testFault(t, noun, step, f, 1) })
					inSimulation(t, f.name+"/always", func(t *testing.T) { testFault(t, noun, step, f, always) })
				}
			})
		}
	}
}

func testFault(t *testing.T, noun contractNoun, step string, f fault, times int) {
	e := newService(t)
	configs := noun.prepare(e)
	before, after := configs.around(step)
	var o *acctest.Object
	if before != nil {
		o = e.NewDriver(t, nil).MustApply(t.Context(), noun.typeName, nil, before)
		time.Sleep(time.Minute) // it boots
	}

	broken := &breakingTransport{service: e.Transport(), fault: f, times: times}
	o, diags := applyIn(t, e, broken, noun.typeName, o, after)
	broken.judge(t)
	failed := acctest.DiagText(acctest.Errors(diags))
	judgeFirstApply(t, noun, f, e, o, failed)
	first := noun.served(e)

	time.Sleep(time.Minute)
	o, diags = applyIn(t, e, e.Transport(), noun.typeName, o, after)
	if errors := acctest.DiagText(acctest.Errors(diags)); errors != "" {
		t.Errorf("the second apply, at a healthy service, failed:\n%s", errors)
	}
	expectSame(t, "after the second apply", noun, e, o, failed)
	wantCount := map[bool]int{true: 0, false: 1}[step == "delete"]
	second := noun.served(e)
	if len(second) != wantCount {
		t.Errorf("after the second apply the service has %v, want %d of them; the first apply said:\n%s",
			second, wantCount, failed)
	}
	if step == "create" && len(first) == 1 && !slices.Equal(first, second) {
		t.Errorf("the first apply created %v, and the second one replaced it by %v; the first apply said:\n%s",
			first, second, failed)
	}

	time.Sleep(time.Minute)
	if plan := planIn(t, e, e.Transport(), noun.typeName, o, after); !plan.Empty() {
		t.Errorf("the plan after the second apply is %s of %v, want none\n%s",
			plan.Action, plan.Changes(), acctest.DiagText(plan.Diagnostics))
	}
}

// judgeFirstApply judges the apply in which the fault acted. failed are its errors.
func judgeFirstApply(t *testing.T, noun contractNoun, f fault, e *acctest.Emulator, o *acctest.Object, failed string) {
	t.Helper()
	if failed == "" {
		expectSame(t, "after the first apply", noun, e, o, failed)
		return
	}
	if !strings.Contains(failed, f.words) {
		t.Errorf("the error lacks the words %q:\n%s", f.words, failed)
	}
	serves, stores := noun.served(e), noun.stored(o)
	if len(stores) < len(serves) && !noun.repeatable {
		t.Errorf("after the failed apply a %s is in no state: the service has %v, the state has %v; the apply said:\n%s",
			noun.name, serves, stores, failed)
	}
}

// around returns the configurations before and after a step.
func (c lifeConfigs) around(step string) (before, after object) {
	switch step {
	case "create":
		return c.absent, c.present
	case "change":
		return c.present, c.changed
	default:
		return c.present, c.absent
	}
}

// expectSame fails the test if the state does not have exactly what the service has. failed are the errors of the apply
// in which the fault acted.
func expectSame(t *testing.T, when string, noun contractNoun, e *acctest.Emulator, o *acctest.Object, failed string) {
	t.Helper()
	serves, stores := noun.served(e), noun.stored(o)
	if slices.Equal(serves, stores) {
		return
	}
	problem := "differs between service and state"
	switch {
	case len(serves) > 1:
		problem = "exists twice"
	case len(serves) > len(stores):
		problem = "is in no state"
	case len(serves) < len(stores):
		problem = "is in the state and does not exist"
	}
	t.Errorf("%s a %s %s: the service has %v, the state has %v; the first apply said:\n%s",
		when, noun.name, problem, serves, stores, failed)
}

func newService(t testing.TB) *acctest.Emulator {
	t.Helper()
	_, e := acctest.Drive(t, emulator.Options{BootTime: 3 * time.Second, ShutdownTime: time.Second}, nil)
	return e
}

// applyIn refreshes, plans and applies, with a process for the plan and one for the apply, as the CLI does. It returns
// the object that Terraform would store, and all messages.
func applyIn(
	t *testing.T, e *acctest.Emulator, service http.RoundTripper, typeName string, o *acctest.Object, config object,
) (*acctest.Object, []*tfprotov6.Diagnostic) {
	t.Helper()
	plan := planIn(t, e, service, typeName, o, config)
	if acctest.HasErrors(plan.Diagnostics) || plan.Empty() {
		return plan.Prior, plan.Diagnostics
	}
	applied, diags := e.NewProcess(t, service, nil).Apply(t.Context(), typeName, plan)
	return applied, append(plan.Diagnostics, diags...)
}

// planIn refreshes and plans in a process of its own. Prior of the plan is the refreshed object.
func planIn(
	t *testing.T, e *acctest.Emulator, service http.RoundTripper, typeName string, o *acctest.Object, config object,
) *acctest.PlanResult {
	t.Helper()
	d := e.NewProcess(t, service, nil)
	refreshed, diags := d.Refresh(t.Context(), o)
	if acctest.HasErrors(diags) {
		return &acctest.PlanResult{TypeName: typeName, Action: acctest.ActionError, Prior: o, Diagnostics: diags}
	}
	plan := d.Plan(t.Context(), typeName, refreshed, config)
	plan.Diagnostics = append(diags, plan.Diagnostics...)
	return plan
}

const always = -1

// breakingTransport lets a fault act on requests that write: on the first ones, or on all.
type breakingTransport struct {
	service http.RoundTripper
	fault   fault
	times   int

	mu     sync.Mutex
	acted  int
	strays []string // requests to another host
}

// judge fails the test if the fault could not act, or if a request went elsewhere.
func (b *breakingTransport) judge(t *testing.T) {
	t.Helper()
	if b.acted == 0 {
		t.Error("no request that writes was sent")
	}
	if len(b.strays) > 0 {
		t.Errorf("requests left for another host: %v", b.strays)
	}
}

// RoundTrip implements http.RoundTripper.
func (b *breakingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.acts(r) {
		return b.fault.act(b.service, r)
	}
	return b.service.RoundTrip(r)
}

func (b *breakingTransport) acts(r *http.Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.URL.Hostname() != "127.0.0.1" {
		b.strays = append(b.strays, r.Method+" "+r.URL.String())
	}
	if r.Method == http.MethodGet || b.times != always && b.acted >= b.times {
		return false
	}
	b.acted++
	return true
}
