// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	created = `{"virtual_machine":{"id":7,"name":"web1","power_on":false},"discs":[{"id":1,"label":"vda","size":25600}],"reimage":{"distribution":"bookworm","root_password":"marker-root"}}`
	ours    = `{"id":7,"name":"web1","cores":2,"memory":4096,"hardware_profile":"virtio2013","discs":[{"id":1,"label":"vda","size":25600,"storage_grade":"sata"}],"last_imaged_with":"bookworm"}`
	theirs  = `{"id":9,"name":"web1","cores":8,"memory":4096}`
	deleted = `{"id":7,"name":"web1","cores":2,"memory":4096,"deleted":true}`
	taken   = `{"name":["has already been taken"]}`
)

func wanted() cloudserver.VirtualMachineCreate {
	cores, memory, profile := int64(2), int64(4096), "virtio2011"
	return cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web1", Settings: cloudserver.Settings{Cores: &cores, Memory: &memory, HardwareProfile: &profile}},
		Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		Reimage:        &cloudserver.Reimage{Distribution: "bookworm", RootPassword: "marker-root"},
		NameIsFree:     true,
	}
}

// TestCreations checks the requests of a creation after each answer, and its result for each machine that it may find.
func TestCreations(t *testing.T) {
	t.Parallel()
	unseen := func(c *cloudserver.VirtualMachineCreate) { c.NameIsFree = false }
	inYork := func(c *cloudserver.VirtualMachineCreate) { c.VirtualMachine.ZoneName = new("york") }
	noDiscs := func(c *cloudserver.VirtualMachineCreate) { c.Discs = nil }
	noImage := func(c *cloudserver.VirtualMachineCreate) { c.Reimage = nil }
	finds := func(machine string) []step { return []step{cut, answer(200, `{"id":7,"name":"web1"`+machine+"}")} }
	const isTheirs, other, groups = "by virtual machine 7: POST", `[{"id":3,"name":"7"}]`, `[{"id":3,"name":"7"},{"id":7,"name":"db"}]`
	none := answer(404, "")
	for name, test := range map[string]struct {
		steps    []step
		change   func(*cloudserver.VirtualMachineCreate) // of the wanted machine; nil: none
		requests string                                  // "": POST GET
		group    bool                                    // create a group instead of a machine
		fails    string                                  // part of the error; "": success
	}{
		"at once":                         {steps: []step{answer(202, created)}, requests: "POST"},
		"throttled":                       {steps: []step{answer(429, ""), answer(202, created)}, requests: "POST POST"},
		"locked":                          {steps: []step{answer(423, ""), answer(202, created)}, requests: "POST POST"},
		"lost before write":               {steps: []step{unwritten, answer(202, created)}, requests: "POST POST"},
		"lost after write, effect":        {steps: []step{cut, answer(200, ours)}},
		"lost after write, none":          {steps: []step{cut, none, answer(202, created)}, requests: "POST GET POST"},
		"time-out, effect":                {steps: []step{hang, answer(200, ours)}},
		"500, effect":                     {steps: []step{answer(500, ""), answer(200, ours)}},
		"503, none":                       {steps: []step{answer(503, ""), none, answer(202, created)}, requests: "POST GET POST"},
		"answer unreadable, effect":       {steps: []step{answer(202, `{"virtual_mach`), answer(200, ours)}},
		"a page, effect":                  {steps: []step{answer(200, "<html></html>"), answer(200, ours)}},
		"answered {}, comes late":         {steps: []step{answer(202, "{}"), none, answer(200, ours)}, requests: "POST GET GET"},
		"answered {}, a soft-deleted":     {steps: []step{answer(202, "{}"), answer(200, deleted)}, fails: "by virtual machine 7, which is soft-deleted"},
		"effect comes late":               {steps: []step{cut, none, answer(400, taken), answer(200, ours)}, requests: "POST GET POST GET"},
		"late, and found later":           {steps: []step{cut, none, answer(400, taken), none, answer(400, taken), answer(200, ours)}, requests: "POST GET POST GET POST GET"},
		"late, and holds the address":     {steps: []step{cut, none, answer(400, `{"ips":["192.0.2.1 is already in use"]}`), answer(200, ours)}, requests: "POST GET POST GET"},
		"late, and another machine's":     {steps: []step{cut, none, answer(400, taken), answer(200, theirs)}, requests: "POST GET POST GET", fails: "by virtual machine 9"},
		"not describable yet":             {steps: []step{cut, answer(202, ""), answer(202, "{}"), answer(200, ours)}, requests: "POST GET GET GET"},
		"look-up is refused once":         {steps: []step{cut, answer(503, ""), answer(200, ours)}, requests: "POST GET GET"},
		"lost, another machine is there":  {steps: []step{cut, answer(200, theirs)}, fails: "by virtual machine 9: POST"},
		"lost, a soft-deleted is there":   {steps: []step{cut, answer(200, deleted)}, fails: "by virtual machine 7, which is soft-deleted"},
		"lost, and the look-up fails too": {steps: []step{cut, answer(403, "go away")}, fails: `cannot find out whether virtual machine "web1" exists`},
		"lost, then refused":              {steps: []step{cut, none, answer(403, "go away")}, requests: "POST GET POST", fails: `go away (tried 2 times in 1s); virtual machine "web1" does not exist so far`},
		"taken":                           {steps: []step{answer(400, taken)}, requests: "POST", fails: "by another virtual machine: POST"},
		"refused":                         {steps: []step{answer(400, `{"cores":["is not a number"]}`)}, requests: "POST", fails: "cores is not a number"},
		"no such group":                   {steps: []step{none}, requests: "POST", fails: "404 Not Found"},
		"redirected":                      {steps: []step{answer(302, "", "Location", "https://elsewhere.invalid/")}, requests: "POST", fails: "redirects to GET https://elsewhere.invalid"},

		// Without a plan that saw the name, the client looks before the request.
		"unseen, free":               {steps: []step{none, answer(202, created)}, change: unseen, requests: "GET POST"},
		"unseen, free, lost":         {steps: []step{none, cut, answer(200, ours)}, change: unseen, requests: "GET POST GET"},
		"unseen, taken":              {steps: []step{answer(200, ours)}, change: unseen, requests: "GET", fails: `the name "web1" is taken in group "default" of account "acme" by virtual machine 7`},
		"unseen, soft-deleted":       {steps: []step{answer(200, deleted)}, change: unseen, requests: "GET", fails: "which is soft-deleted"},
		"unseen, being created":      {steps: []step{answer(202, "")}, change: unseen, requests: "GET", fails: "by another virtual machine"},
		"unseen, the look is denied": {steps: []step{answer(403, "")}, change: unseen, requests: "GET", fails: "403 Forbidden"},

		// A group is looked up in the list, because a path takes a name of digits for an ID.
		"group":                       {group: true, steps: []step{answer(200, other), answer(201, `{"id":7,"name":"db"}`)}, requests: "GET POST"},
		"group, lost, effect":         {group: true, steps: []step{answer(200, other), cut, answer(200, groups)}, requests: "GET POST GET"},
		"group, lost, none":           {group: true, steps: []step{answer(200, other), cut, answer(200, other), answer(201, `{"id":7}`)}, requests: "GET POST GET POST"},
		"group, there before":         {group: true, steps: []step{answer(200, groups)}, requests: "GET", fails: `the name "db" is taken in account "acme" by group 7`},
		"group, taken":                {group: true, steps: []step{answer(200, "[]"), answer(400, taken)}, requests: "GET POST", fails: "by another group: POST"},
		"group, accepted, comes late": {group: true, steps: []step{answer(200, "[]"), answer(201, "{}"), answer(200, "[]"), answer(200, groups)}, requests: "GET POST GET GET"},

		// What distinguishes two machines with one name, and what does not.
		"bare":                {steps: finds(``)},
		"no discs yet":        {steps: finds(`,"discs":[]`)},
		"other cores":         {steps: finds(`,"cores":1`), fails: isTheirs},
		"other memory":        {steps: finds(`,"memory":1`), fails: isTheirs},
		"other disc size":     {steps: finds(`,"discs":[{"label":"vda","size":1}]`), fails: isTheirs},
		"other disc label":    {steps: finds(`,"discs":[{"label":"sda","size":25600}]`), fails: isTheirs},
		"normalised label":    {steps: finds(`,"discs":[{"label":" VDA","size":25600}]`)},
		"other disc grade":    {steps: finds(`,"discs":[{"label":"vda","size":25600,"storage_grade":"ssd"}]`), fails: isTheirs},
		"other image":         {steps: finds(`,"last_imaged_with":"trixie"`), fails: isTheirs},
		"power on its way":    {steps: finds(`,"power_on":false`)},
		"other zone":          {steps: finds(`,"zone_name":"manchester"`), change: inYork, fails: isTheirs},
		"zone left open":      {steps: finds(`,"zone_name":"manchester"`)},
		"discs left open":     {steps: finds(`,"discs":[{"label":"x","size":1}]`), change: noDiscs},
		"image was left open": {steps: finds(`,"last_imaged_with":"trixie"`), change: noImage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				create := wanted()
				if test.change != nil {
					test.change(&create)
				}
				service := serve(test.steps...)
				client := newClient(t, service)
				var vm *cloudserver.VirtualMachine
				var group *cloudserver.Group
				var err error
				if test.group {
					group, err = client.CreateGroup(t.Context(), "acme", "db")
				} else {
					vm, err = client.CreateVirtualMachine(t.Context(), "acme", "default", create)
				}
				id := valueOr(vm).ID + valueOr(group).ID
				if got := strings.Join(service.methods(), " "); got != cmp.Or(test.requests, "POST GET") {
					t.Errorf("requests %s, want %s", got, cmp.Or(test.requests, "POST GET"))
				}
				if (id == 7) != (test.fails == "") || (id == 7) != (err == nil) || err != nil && !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got %d, %v; want an error that says %q", id, err, test.fails)
				}
			})
		})
	}
}

// TestUnconfirmed: a machine that is found after a failure is marked with it, unless the service answered with success.
func TestUnconfirmed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps []step
		marks string
	}{
		"confirmed": {[]step{answer(202, created)}, ""},
		"empty":     {[]step{answer(202, "{}"), answer(200, ours)}, ""},
		"lost":      {[]step{cut, answer(200, ours)}, "connection reset"},
		"failed":    {[]step{answer(500, "oops"), answer(200, ours)}, "500 Internal Server Error: oops"},
	} {
		synctest.Test(t, func(t *testing.T) {
			vm, err := newClient(t, serve(test.steps...)).CreateVirtualMachine(t.Context(), "acme", "default", wanted())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if marked := vm.Unconfirmed; (marked == nil) != (test.marks == "") || marked != nil && !strings.Contains(marked.Error(), test.marks) {
				t.Errorf("%s: got %v", name, marked)
			}
		})
	}
}

// TestCreationsThatNeverSucceed: they go on for two minutes, because other creations in the group may be in the way, and
// end with the last failure. Without retries there is one attempt.
func TestCreationsThatNeverSucceed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		post    step
		retries int
		posts   int // 0: several
		says    string
	}{
		"always 500":             {post: answer(500, "oops"), retries: 4, says: "500 Internal Server Error: oops"},
		"always 500, no retries": {post: answer(500, "oops"), posts: 1, says: "500 Internal Server Error: oops"},
		"accepted, never there":  {post: answer(202, "{}"), retries: 4, posts: 1, says: "the service may still be creating it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				posts := 0
				service := serve(func(request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodGet {
						return answer(404, "")(request)
					}
					posts++
					return test.post(request)
				})
				var log bytes.Buffer
				ctx, began := tflogtest.RootLogger(t.Context(), &log), time.Now()
				_, err := newClient(t, service, withRetries(test.retries)).CreateVirtualMachine(ctx, "acme", "default", wanted())
				took := time.Since(began)
				goesOn := `repeating the creation of virtual machine \"web1\"`
				if test.posts > 0 {
					goesOn = `looking for virtual machine \"web1\"`
				}
				if lines := strings.Count(log.String(), goesOn); (lines >= 3) != (test.retries > 0) || lines > 4 {
					t.Errorf("the log has %d lines:\n%s", lines, log.String())
				}
				if !cloudserver.IsAmbiguous(err) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v", err)
				}
				patient := took > 110*time.Second && took < 140*time.Second
				if patient != (test.retries > 0) || test.posts > 0 && posts != test.posts || test.posts == 0 && posts < 10 {
					t.Errorf("%d posts in %s", posts, took)
				}
			})
		})
	}
}

// TestLostCreationDuringAnOutage: while every look-up fails, the log has the last answer every 30 seconds.
func TestLostCreationDuringAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &log), 10*time.Minute)
		defer cancel()
		_, err := newClient(t, serve(cut, answer(503, "")), withRetries(4)).CreateVirtualMachine(ctx, "acme", "default", wanted())
		if !cloudserver.IsAmbiguous(err) {
			t.Errorf("got %v", err)
		}
		lines := regexp.MustCompile(`looking for virtual machine .*, after 1 requests to create it; last answer: GET \S+ answered 503`).FindAllString(log.String(), -1)
		if len(lines) < 9 || len(lines) > 20 {
			t.Errorf("the log has %d lines:\n%s", len(lines), log.String())
		}
	})
}

// TestCreationsThatMeet: ten creations succeed with a service that takes a second for each, and answers 500 to those that
// arrive meanwhile.
func TestCreationsThatMeet(t *testing.T) {
	t.Parallel()
	for range 10 { // the jitter differs
		synctest.Test(t, func(t *testing.T) {
			var busy atomic.Bool
			service := serve(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodGet {
					return answer(404, "")(request)
				}
				if busy.Swap(true) {
					return answer(500, "")(request)
				}
				defer busy.Store(false)
				time.Sleep(time.Second)
				return answer(202, created)(request)
			})
			client := newClient(t, service)
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					if _, err := client.CreateVirtualMachine(t.Context(), "acme", "default", wanted()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		})
	}
}

// TestRetryTaken: what is refused because of a taken name or address is tried again for half a minute, and nothing else.
func TestRetryTaken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps   []step
		tries   int // 0: several
		atLeast time.Duration
		fails   bool
	}{
		"free":          {steps: []step{healthy}, tries: 1},
		"taken, free":   {steps: []step{answer(400, taken), answer(400, "Name has already been taken"), healthy}, tries: 3, atLeast: 2 * time.Second},
		"address":       {steps: []step{answer(400, `{"ips":["192.0.2.1 is already in use"]}`), healthy}, tries: 2, atLeast: time.Second},
		"other refusal": {steps: []step{answer(400, `{"name":["is too short"]}`)}, tries: 1, fails: true},
		"stays taken":   {steps: []step{answer(400, taken)}, atLeast: 20 * time.Second, fails: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			service, began := serve(test.steps...), time.Now()
			client := newClient(t, service)
			err := cloudserver.RetryTaken(t.Context(), func() error {
				return client.UpdateVirtualMachine(t.Context(), machine, cloudserver.VirtualMachineUpdate{Name: new("web1")})
			})
			tries, took := len(service.journal()), time.Since(began)
			if (err != nil) != test.fails || test.tries > 0 && tries != test.tries || took < test.atLeast || took > 30*time.Second {
				t.Errorf("%s: %v after %d tries and %s", name, err, tries, took)
			}
		})
	}
}

// TestRetryTakenBySoftDeleted: a soft-deleted machine keeps its name, so there is one attempt.
func TestRetryTakenBySoftDeleted(t *testing.T) {
	t.Parallel()
	attempts := 0
	kept := &cloudserver.NameTaken{ID: 7, Deleted: true}
	err := cloudserver.RetryTaken(t.Context(), func() error { attempts++; return kept })
	if !errors.Is(err, kept) || attempts != 1 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
}

func valueOr[T any](pointer *T) T {
	if pointer == nil {
		return *new(T)
	}
	return *pointer
}

// After an interrupt during vm_create, the client waits a moment for the answer, and then looks for the machine, so
// that the caller knows what exists.
func TestInterruptedCreate(t *testing.T) {
	t.Parallel()
	late := func(body string) step {
		return func(request *http.Request) (*http.Response, error) {
			written(request)
			if err := cloudserver.Pause(request.Context(), 3*time.Second); err != nil {
				return nil, err
			}
			return answer(202, body)(request)
		}
	}
	for name, test := range map[string]struct {
		steps    []step
		requests []string
		created  bool
		within   time.Duration
	}{
		"the answer comes":       {steps: []step{late(created)}, requests: []string{"POST"}, created: true, within: 3 * time.Second},
		"a bare one comes":       {steps: []step{late("{}"), answer(200, ours)}, requests: []string{"POST", "GET"}, created: true, within: 3200 * time.Millisecond},
		"none, but it exists":    {steps: []step{hang, answer(200, ours)}, requests: []string{"POST", "GET"}, created: true, within: 7200 * time.Millisecond},
		"none, and none exists":  {steps: []step{hang, answer(404, "")}, requests: []string{"POST", "GET"}, within: 7200 * time.Millisecond},
		"none, service is gone":  {steps: []step{hang, hang}, requests: []string{"POST", "GET"}, within: 12 * time.Second},
		"while it is throttled":  {steps: []step{answer(429, "", "Retry-After", "30")}, requests: []string{"POST"}, within: 2 * time.Second},
		"while it is connecting": {steps: []step{connecting}, requests: []string{"POST"}, within: 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(2*time.Second, cancel)
				began := time.Now()
				service := serve(test.steps...)
				vm, err := newClient(t, service).CreateVirtualMachine(ctx, "acme", "default", wanted())
				if took := time.Since(began); took > test.within {
					t.Errorf("took %s, want at most %s", took, test.within)
				}
				if !slices.Equal(service.methods(), test.requests) {
					t.Errorf("requests %v, want %v", service.methods(), test.requests)
				}
				if test.created && (err != nil || vm.ID != 7) || !test.created && err == nil {
					t.Errorf("got %+v, %v; want it created: %v", vm, err, test.created)
				}
			})
		})
	}
}
