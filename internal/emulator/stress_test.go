package emulator_test

import (
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestStress runs many clients and the back door at once. With -race it checks the locking, without it that names and
// addresses stay unique.
func TestStress(t *testing.T) {
	t.Parallel()
	f := newFixtureWith(t, emulator.Options{Log: io.Discard, Now: time.Now, ConcurrentCreateFails: true})
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			for n := range 25 {
				name := fmt.Sprintf("m%d-%d", worker, n)
				path := "/accounts/demo/groups/default/virtual_machines/" + name
				f.fire(t, create, `{{discs},"virtual_machine":{"name":"`+name+`","power_on":true},"discs":`+discs(2)+`}`)
				f.fire(t, create, `{{discs},"virtual_machine":{"name":"shared`+number(int64(n))+`"}}`)
				f.fire(t, "GET /virtual_machines?view=overview", "")
				f.fire(t, "PUT "+path, `{"power_on":false}`)
				f.fire(t, "GET /definitions", "")
				f.SetDefinitions(func(sets map[string]any) { sets["n"] = map[string]any{name: n} })
				for _, m := range f.Machines() {
					if m.Name == name && n%3 == 0 {
						f.Purge(m.ID)
					}
				}
				f.Inject(emulator.Fault{Cut: true, Times: 1, Match: puts})
				f.Advance(time.Millisecond)
				_ = f.Journal()
			}
		})
	}
	workers.Wait()
	names, addresses := map[string]bool{}, map[string]bool{}
	for _, m := range f.Machines() {
		if names[m.Group+m.Name] {
			t.Errorf("two machines %s", m.Name)
		}
		names[m.Group+m.Name] = true
		for _, ip := range m.Interfaces[0].IPs {
			if addresses[ip] {
				t.Errorf("two machines with %s", ip)
			}
			addresses[ip] = true
		}
	}
	if len(names) < 50 {
		t.Errorf("only %d machines", len(names))
	}
}

// fire makes a call and ignores the answer.
func (f *fixture) fire(t *testing.T, call, body string) {
	answer, err := f.client.Do(f.request(t, call, body))
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
}
