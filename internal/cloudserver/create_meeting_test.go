package cloudserver_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestCreationsThatMeet: a service takes two seconds for a creation, and answers 500 to
// those that arrive meanwhile, or to all that meet. A failure of a creation that met
// another one of this client says nothing about the next attempt, so max_retries does
// not count it. One that was alone counts.
func TestCreationsThatMeet(t *testing.T) {
	t.Parallel()
	for round := range 20 { // jitter differs
		synctest.Test(t, func(t *testing.T) {
			all, creations := round%2 == 1, 30
			if all {
				creations = 3
			}
			var busy, met atomic.Bool
			var made sync.Map // by group
			client := newClient(t, serve(func(request *http.Request) (*http.Response, error) {
				switch {
				case request.Method == http.MethodGet:
					return answer(404, "")(request)
				case busy.Swap(true):
					met.Store(true)
					return answer(500, "")(request)
				}
				met.Store(false)
				time.Sleep(2 * time.Second)
				busy.Store(false)
				if request.URL.Path == "/base/accounts/acme/groups/bad/vm_create" || all && met.Load() {
					return answer(500, "")(request)
				}
				if _, twice := made.LoadOrStore(request.URL.Path, true); twice {
					t.Errorf("%s twice", request.URL.Path)
				}
				return answer(202, created)(request)
			}), withRetries(0))
			var group sync.WaitGroup
			for i := range creations {
				group.Go(func() {
					if _, err := client.CreateVirtualMachine(t.Context(), "acme", cloudserver.IDText(int64(i)), wanted()); err != nil {
						t.Errorf("%d: %v", i, err)
					}
				})
			}
			group.Wait()
			began := time.Now()
			if _, err := client.CreateVirtualMachine(t.Context(), "acme", "bad", wanted()); cloudserver.StatusCode(err) != 500 || time.Since(began) > time.Minute {
				t.Errorf("alone: %v after %s", err, time.Since(began))
			}
		})
	}
}
