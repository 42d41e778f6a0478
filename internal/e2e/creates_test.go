// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestAHundredCreates creates a hundred machines concurrently in one group, while every third vm_create fails in
// varying ways and every fifth answer is lost.
func TestAHundredCreates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, createHundred)
}

func createHundred(t *testing.T) {
	w := newWorldWith(t, emulator.Options{Latency: 50 * time.Millisecond, BootTime: 30 * time.Second})
	w.transport = &shaky{service: w.transport, ways: createFaults()}
	w.retries = 12 // by chance, one of many machines meets five failures in a row
	d := w.process()
	const count = 100
	states := make([]*acctest.Object, count)
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			config := web(object{"name": fmt.Sprintf("web%d", i), "timeouts": object{"create": "20m"}}) // each answer that never comes takes 30 s
			plan := d.Plan(t.Context(), vmType, nil, config)
			state, diags := d.Apply(t.Context(), vmType, plan)
			if states[i] = state; acctest.HasErrors(diags) {
				t.Errorf("machine %d:\n%s", i, acctest.DiagText(diags))
			}
		})
	}
	all.Wait()
	machines := w.service.Machines()
	if len(machines) != count {
		t.Errorf("there are %d machines", len(machines))
	}
	for _, machine := range machines {
		if !slices.ContainsFunc(states, func(o *acctest.Object) bool { return o != nil && o.Get("id") == idOf(machine) }) {
			t.Errorf("machine %d %s is in no state", machine.ID, machine.Name)
		}
	}
	for i, state := range states {
		if state == nil || state.Tainted || state.Get("power_on") != true {
			t.Errorf("machine %d is not in the state as it should be", i)
		}
	}
}

// createFaults are the failures of a creation after which another attempt makes sense.
func createFaults() []fault {
	return slices.DeleteFunc(faults(), func(f fault) bool {
		return slices.Contains([]string{"401", "403", "404", "redirect 302", "redirect 307"}, f.name)
	})
}

// shaky fails every third vm_create in varying ways, and loses every fifth answer.
type shaky struct {
	service http.RoundTripper
	ways    []fault

	mu                        sync.Mutex
	requests, creates, failed int
}

// RoundTrip implements http.RoundTripper.
func (s *shaky) RoundTrip(r *http.Request) (*http.Response, error) {
	if act := s.mischief(r); act != nil {
		return act(s.service, r)
	}
	return s.service.RoundTrip(r)
}

func (s *shaky) mischief(r *http.Request) func(http.RoundTripper, *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if strings.HasSuffix(r.URL.Path, "/vm_create") {
		if s.creates++; s.creates%3 == 0 {
			s.failed++
			return s.ways[s.failed%len(s.ways)].act
		}
	}
	if s.requests%5 == 0 {
		return after(reset)
	}
	return nil
}
