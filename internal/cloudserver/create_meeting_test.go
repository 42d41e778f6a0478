package cloudserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// allocating is a service that takes two seconds for a creation, and answers 500
// to those that arrive meanwhile. It creates none whose name begins with "bad".
type allocating struct {
	all     bool // the one that it works at fails as well, if others arrive meanwhile
	mu      sync.Mutex
	busy    bool
	met     bool
	created map[string]int
}

// RoundTrip implements http.RoundTripper.
func (a *allocating) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet {
		return answer(404, "")(request)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		a.met = true
		return answer(500, "")(request)
	}
	a.busy, a.met = true, false
	a.mu.Unlock()
	time.Sleep(2 * time.Second)
	body := make([]byte, request.ContentLength)
	_, _ = request.Body.Read(body)
	a.mu.Lock()
	a.busy = false
	name, _, _ := strings.Cut(strings.SplitN(string(body), `"name":"`, 2)[1], `"`)
	if strings.HasPrefix(name, "bad") || a.all && a.met {
		return answer(500, "")(request)
	}
	a.created[name]++
	return answer(202, fmt.Sprintf(`{"virtual_machine":{"id":%d,"name":%q}}`, len(a.created), name))(request)
}

// TestCreationsThatMeet: a failure of a creation that met another one of this
// client says nothing about the next attempt, so max_retries does not count it. One
// that was alone counts.
func TestCreationsThatMeet(t *testing.T) {
	t.Parallel()
	for round := range 20 { // jitter differs
		synctest.Test(t, func(t *testing.T) {
			service, creations := &allocating{created: map[string]int{}, all: round%2 == 1}, 30
			if service.all {
				creations = 3
			}
			client := newClient(t, service, withRetries(0))
			var all sync.WaitGroup
			for i := range creations {
				all.Go(func() {
					create := wanted()
					create.VirtualMachine.Name = fmt.Sprintf("web%d", i)
					if _, err := client.CreateVirtualMachine(t.Context(), "acme", "default", create); err != nil {
						t.Errorf("%s: %v", create.VirtualMachine.Name, err)
					}
				})
			}
			all.Wait()
			for name, count := range service.created {
				if count != 1 {
					t.Errorf("%s was created %d times", name, count)
				}
			}
			create := wanted()
			create.VirtualMachine.Name = "bad"
			began := time.Now()
			if _, err := client.CreateVirtualMachine(t.Context(), "acme", "default", create); cloudserver.StatusCode(err) != 500 || time.Since(began) > time.Minute {
				t.Errorf("alone: %v after %s", err, time.Since(began))
			}
		})
	}
}
