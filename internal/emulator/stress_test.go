// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestStress runs many clients and the back door at once. With -race it checks the locking, without it that names and
// addresses stay unique.
func TestStress(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{Log: io.Discard})
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			for n := range 25 {
				name := fmt.Sprintf("m%d-%d", worker, n)
				for call, body := range map[string]string{
					create: `{"virtual_machine":{"name":"` + name + `","power_on":true},"discs":` + discs(2) + `}`,
					"POST /accounts/demo/groups/private/vm_create":               `{{discs},"virtual_machine":{"name":"shared` + idText(int64(n)) + `"}}`,
					"PUT /accounts/demo/groups/default/virtual_machines/" + name: `{"power_on":false}`,
					"GET /virtual_machines?view=overview":                        "", "GET /definitions": "",
				} {
					if answer, err := f.client.Do(f.request(t, call, body)); err == nil {
						_ = answer.Body.Close()
					}
				}
				f.SetDefinitions(func(sets map[string]any) { sets["n"] = map[string]any{name: n} })
				if machines := f.Machines(); n%3 == 0 && len(machines) > 0 {
					f.Purge(machines[len(machines)-1].ID)
				}
				f.Inject(emulator.Fault{Cut: true, Times: 1, Match: isPut})
				_ = f.Journal()
			}
		})
	}
	workers.Wait()
	machines, seen := f.Machines(), map[string]bool{}
	for _, m := range machines {
		for _, own := range append([]string{m.Group + "/" + m.Name}, m.Interfaces[0].IPs...) {
			if seen[own] {
				t.Errorf("two machines with %s", own)
			}
			seen[own] = true
		}
	}
	if len(machines) < 50 {
		t.Errorf("only %d machines", len(machines))
	}
}
