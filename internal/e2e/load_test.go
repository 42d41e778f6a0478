package e2e_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

const (
	workers   = 50 // -parallelism
	allowance = 20 // requests a second that the service takes
)

// TestLoad creates two thousand machines, fifty at a time, at a service that
// takes twenty requests a second and refuses the rest.
func TestLoad(t *testing.T) {
	machines := 200
	if *full {
		machines = 2000
	}
	inBubble(t, emulator.Options{BootTime: time.Second, Latency: 50 * time.Millisecond, NoJournal: true}, func(t *testing.T, w *world) {
		limit := &limiter{service: w.wire.service}
		w.wire.service = limit
		d := w.process()
		began := time.Now()
		names := make(chan string)
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for name := range names {
					config := object{"name": name, "cores": 2, "disc": []object{{"label": "vda", "size": 25600}}}
					state, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, config))
					if acctest.HasErrors(diags) || state.Tainted {
						t.Errorf("machine %s:\n%s", name, acctest.DiagText(diags))
					}
				}
			})
		}
		for n := range machines {
			names <- fmt.Sprintf("web%d", n)
		}
		close(names)
		all.Wait()
		took := time.Since(began)
		if got := len(w.machines()); got != machines {
			t.Errorf("%d machines, want %d", got, machines)
		}
		if limit.refused > limit.taken/10 {
			t.Errorf("%d requests refused for %d taken: it hammers", limit.refused, limit.taken)
		}
		publish(t, line{name: "load", cases: machines, notes: fmt.Sprintf("%s simulated, %.1f requests a second taken, %d of %d refused",
			took.Round(time.Second), float64(limit.taken)/took.Seconds(), limit.refused, limit.taken+limit.refused)})
	})
}

// limiter takes so many requests in each second, and refuses the others.
type limiter struct {
	service http.RoundTripper

	mu             sync.Mutex
	second         int64
	inSecond       int
	taken, refused int
}

// RoundTrip implements http.RoundTripper.
func (l *limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.takes() {
		return l.service.RoundTrip(r)
	}
	return says(http.StatusTooManyRequests, "text/plain", "slow down", "Retry-After", "1")(r)
}

func (l *limiter) takes() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now().Unix(); now != l.second {
		l.second, l.inSecond = now, 0
	}
	if l.inSecond >= allowance {
		l.refused++
		return false
	}
	l.inSecond++
	l.taken++
	return true
}
