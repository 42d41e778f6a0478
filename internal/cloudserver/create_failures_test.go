package cloudserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// createTogether creates n machines with different names concurrently through one client, and returns the errors.
func createTogether(t *testing.T, client *cloudserver.Client, n int) []error {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			create := wanted()
			create.VirtualMachine.Name = fmt.Sprintf("web%d", i)
			_, errs[i] = client.CreateVirtualMachine(t.Context(), "acme", "default", create)
		})
	}
	all.Wait()
	return errs
}

// TestCreationsThatAlwaysFail: a service answers every vm_create with 500, as for a cdrom_url that it cannot use. A
// creation sends the same requests and ends after the same time, whether it is alone or not. The attempts go on for a
// minute, because other states may be creating in the group.
func TestCreationsThatAlwaysFail(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		creations, retries, attempts int
		atLeast, atMost              time.Duration // between the first attempt and the last; of the whole
	}{
		"alone":                {creations: 1, retries: 4, attempts: 5, atLeast: time.Minute, atMost: 3 * time.Minute},
		"ten":                  {creations: 10, retries: 4, attempts: 5, atLeast: time.Minute, atMost: 3 * time.Minute},
		"ten, one retry":       {creations: 10, retries: 1, attempts: 2, atLeast: time.Minute, atMost: 3 * time.Minute},
		"alone, eight retries": {creations: 1, retries: 8, attempts: 9, atLeast: time.Minute, atMost: 4 * time.Minute},
		"ten, no retry":        {creations: 10, attempts: 1, atMost: 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(func(request *http.Request) (*http.Response, error) {
					time.Sleep(time.Second / 2)
					if request.Method == http.MethodPost {
						return answer(500, "")(request)
					}
					return answer(404, "")(request)
				})
				began := time.Now()
				for _, err := range createTogether(t, newClient(t, service, withRetries(test.retries)), test.creations) {
					if cloudserver.StatusCode(err) != 500 {
						t.Errorf("got %v", err)
					}
				}
				if took := time.Since(began); took > test.atMost {
					t.Errorf("took %s", took)
				}
				want := strings.TrimSpace(strings.Repeat(strings.Repeat("POST ", test.creations)+strings.Repeat("GET ", test.creations), test.attempts))
				requests := service.journal()
				if len(requests) != len(strings.Fields(want)) || test.creations == 1 && strings.Join(service.methods(), " ") != want {
					t.Errorf("requests %s", service.methods())
				}
				var posts []time.Time
				for _, request := range requests {
					if request.method == http.MethodPost {
						posts = append(posts, request.at)
					}
				}
				if between := posts[len(posts)-1].Sub(posts[0]); between < test.atLeast {
					t.Errorf("the last attempt came after %s", between)
				}
				if n := test.creations; n > 1 && test.attempts > 1 && posts[n].Equal(posts[2*n-1]) {
					t.Error("the attempts meet again: there is no jitter")
				}
			})
		})
	}
}

// TestCreationsThatMeet: a service takes two seconds for a creation, and answers 500 to those that arrive meanwhile.
// While others succeed, such a failure does not count towards max_retries. A failure that has another cause does.
func TestCreationsThatMeet(t *testing.T) {
	t.Parallel()
	for range 20 { // the jitter differs
		synctest.Test(t, func(t *testing.T) {
			var busy atomic.Bool
			var made sync.Map // by name
			service := serve(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodGet {
					return answer(404, "")(request)
				}
				if busy.Swap(true) {
					return answer(500, "")(request)
				}
				defer busy.Store(false)
				time.Sleep(2 * time.Second)
				name := nameIn(t, request)
				if name == "web7" {
					return answer(500, "")(request)
				}
				if _, twice := made.LoadOrStore(name, true); twice {
					t.Errorf("%s twice", name)
				}
				return answer(202, strings.Replace(created, "web1", name, 1))(request)
			})
			began := time.Now()
			for i, err := range createTogether(t, newClient(t, service), 30) {
				if (err != nil) != (i == 7) {
					t.Errorf("%d: %v", i, err)
				}
			}
			if took := time.Since(began); took > 8*time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestCreationBesideAnotherState: while another state creates in the group, for nearly a minute, all creations of this
// one fail. They succeed afterwards.
func TestCreationBesideAnotherState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var busy atomic.Bool
		service := serve(func(request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodGet:
				return answer(404, "")(request)
			case time.Since(began) < 55*time.Second, busy.Swap(true):
				return answer(500, "")(request)
			}
			defer busy.Store(false)
			time.Sleep(time.Second)
			return answer(202, strings.Replace(created, "web1", nameIn(t, request), 1))(request)
		})
		for i, err := range createTogether(t, newClient(t, service), 10) {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
	})
}

// nameIn returns the name of the machine that a request creates.
func nameIn(t *testing.T, request *http.Request) string {
	t.Helper()
	body, err := request.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	var create struct {
		VirtualMachine struct{ Name string } `json:"virtual_machine"`
	}
	if err := json.NewDecoder(body).Decode(&create); err != nil {
		t.Fatal(err)
	}
	return create.VirtualMachine.Name
}
