package vm_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// renamed is a machine, nil if it is to be created, and its configuration, nil if it
// is to be destroyed.
type renamed struct {
	o      *acctest.Object
	config object
}

// terraform applies wishes as Terraform does: it plans with one process and
// applies with another, so many at once, in the order of the wishes.
type terraform struct {
	t        *testing.T
	e        *acctest.Emulator
	parallel int
	settings given         // of the provider block
	killed   time.Duration // after which the process that applies ends; 0: never
}

// apply returns the errors, and what took longest.
func (run terraform) apply(wishes []renamed) (failures []string, longest time.Duration) {
	run.t.Helper()
	ctx := run.t.Context()
	service, ends := killable{run.e.Transport(), new(atomic.Bool)}, context.CancelFunc(func() {})
	planning, applying := run.e.NewDriver(run.t, run.settings).OneRun(), run.e.NewProcess(run.t, service, run.settings)
	plans := make([]*acctest.PlanResult, len(wishes))
	for i := range wishes {
		if wishes[i].o != nil {
			wishes[i].o = planning.MustRefresh(ctx, wishes[i].o)
		}
		if wishes[i].o == nil && wishes[i].config == nil {
			continue
		}
		plans[i] = planning.Plan(ctx, vmType, wishes[i].o, wishes[i].config)
		if acctest.HasErrors(plans[i].Diagnostics) {
			run.t.Fatal(acctest.DiagText(plans[i].Diagnostics))
		}
	}
	if run.killed > 0 {
		ctx, ends = context.WithTimeout(ctx, run.killed)
		context.AfterFunc(ctx, func() { service.dead.Store(true) })
	}
	defer ends()
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, run.parallel)
	for i, plan := range plans {
		if plan == nil {
			continue
		}
		slots <- struct{}{}
		if service.dead.Load() {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			began := time.Now()
			o, diags := applying.Apply(ctx, vmType, plan)
			mu.Lock()
			defer mu.Unlock()
			longest = max(longest, time.Since(began))
			if service.dead.Load() {
				return // nobody is there to write the state
			}
			wishes[i].o = o
			if acctest.HasErrors(diags) {
				failures = append(failures, acctest.DiagText(diags))
			}
		})
	}
	all.Wait()
	return failures, longest
}

// killable is the network of a process, until that is killed.
type killable struct {
	service http.RoundTripper
	dead    *atomic.Bool
}

func (k killable) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.dead.Load() {
		return nil, context.Canceled
	}
	return k.service.RoundTrip(r)
}

// expectNames compares the machines' names, whatever has happened to them.
func (run terraform) expectNames(wishes []renamed) {
	run.t.Helper()
	var want, got []string
	for _, w := range wishes {
		if w.config != nil {
			want = append(want, fmt.Sprint(w.config["name"]))
		}
	}
	for _, m := range run.e.Machines() {
		got = append(got, m.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		run.t.Errorf("names %v, want %v", got, want)
	}
}
