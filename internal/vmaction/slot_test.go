// SPDX-License-Identifier: MPL-2.0

package vmaction_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestSlotOfAMachineThatIsAboutToStart: an image keeps a machine down that the service was about to start, so that no
// other machine goes down beside it.
func TestSlotOfAMachineThatIsAboutToStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, e := acctest.Drive(t, emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second}, config{"max_unavailable": 1})
		add := func(name string, on bool) int64 {
			return e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
				Name: name, PowerOn: on, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}},
			})
		}
		starting, other := add("web1", false), add("web2", true)
		var both sync.WaitGroup
		both.Go(func() {
			d.MustInvoke(t.Context(), reimage, order(starting, config{"distribution": "noble", "allow_stopping": true}))
		})
		both.Go(func() {
			time.Sleep(time.Second)
			d.MustInvoke(t.Context(), power, order(other, config{"state": "restart"}))
		})
		worst := 0
		for range 100 {
			time.Sleep(time.Second)
			down := 0
			for _, m := range e.Machines() {
				if !m.PowerOn {
					down++
				}
			}
			worst = max(worst, down)
		}
		both.Wait()
		if worst > 1 {
			t.Errorf("%d machines were down", worst)
		}
	})
}
