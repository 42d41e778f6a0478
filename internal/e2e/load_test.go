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

// TestLoad creates two thousand machines, fifty at a time, at a service that accepts twenty requests a second and
// refuses the others.
func TestLoad(t *testing.T) {
	machines, workers := 200, 50
	if *full {
		machines = 2000
	}
	inBubble(t, emulator.Options{BootTime: time.Second, Latency: 50 * time.Millisecond, RateLimit: 20}, func(t *testing.T, w *world) {
		d := w.process()
		began := time.Now()
		var all sync.WaitGroup
		for worker := range workers {
			all.Go(func() {
				for n := worker; n < machines; n += workers {
					config := object{"name": fmt.Sprintf("web%d", n), "cores": 2, "disc": []object{{"label": "vda", "size": 25600}}}
					state, diags := d.Apply(t.Context(), vmType, d.Plan(t.Context(), vmType, nil, config))
					if acctest.HasErrors(diags) || state.Tainted {
						t.Errorf("machine %d:\n%s", n, acctest.DiagText(diags))
					}
				}
			})
		}
		all.Wait()
		took := time.Since(began)
		if got := len(w.machines()); got != machines {
			t.Errorf("%d machines, want %d", got, machines)
		}
		refused, asked := w.answered(http.StatusTooManyRequests), len(w.service.Journal())
		if refused > asked/11 {
			t.Errorf("%d of %d requests refused: it hammers", refused, asked)
		}
		publish(t, line{name: "load", cases: machines, notes: fmt.Sprintf("%s simulated, %.1f requests a second taken, %d of %d refused",
			took.Round(time.Second), float64(asked-refused)/took.Seconds(), refused, asked)})
	})
}
