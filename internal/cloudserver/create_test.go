package cloudserver_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	created = `{"virtual_machine":{"id":7,"name":"web1","power_on":false},"discs":[{"id":1,"label":"vda","size":25600}],"reimage":{"distribution":"bookworm","root_password":"marker-root"}}`
	ours    = `{"id":7,"name":"web1","cores":2,"memory":4096,"hardware_profile":"virtio2013","discs":[{"id":1,"label":"vda","size":25600,"storage_grade":"sata"}],"last_imaged_with":"bookworm"}`
	theirs  = `{"id":9,"name":"web1","cores":8,"memory":4096}`
	deleted = `{"id":7,"name":"web1","cores":2,"memory":4096,"deleted":true}`
	taken   = `{"name":["has already been taken"]}`

	// As a service may complete a machine in its own way.
	completed = `{"id":7,"name":"web1","memory":2048,"discs":[{"label":"disc-1","size":25600}],"last_imaged_with":"Debian 12"}`
)

func wanted() cloudserver.VirtualMachineCreate {
	cores, memory, profile := int64(2), int64(4096), "virtio2011"
	return cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web1", Settings: cloudserver.Settings{Cores: &cores, Memory: &memory, HardwareProfile: &profile}},
		Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		Reimage:        &cloudserver.Reimage{Distribution: "bookworm", RootPassword: "marker-root"},
		Look:           &cloudserver.Look{},
	}
}

var nobodyLooked = new(cloudserver.Look)

func TestCreateVirtualMachine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps    []step
		look     *cloudserver.Look // nil: it found nobody
		requests string
		fails    string // what the error says; "": success
	}{
		"at once":                         {steps: []step{answer(202, created)}, requests: "POST"},
		"throttled":                       {steps: []step{answer(429, ""), answer(202, created)}, requests: "POST POST"},
		"lost before write":               {steps: []step{unwritten, answer(202, created)}, requests: "POST POST"},
		"lost after write, effect":        {steps: []step{cut, answer(200, ours)}, requests: "POST GET"},
		"lost after write, none":          {steps: []step{cut, answer(404, ""), answer(202, created)}, requests: "POST GET POST"},
		"time-out, effect":                {steps: []step{hang, answer(200, ours)}, requests: "POST GET"},
		"500, effect":                     {steps: []step{answer(500, ""), answer(200, ours)}, requests: "POST GET"},
		"500, none":                       {steps: []step{answer(500, ""), answer(404, ""), answer(202, created)}, requests: "POST GET POST"},
		"503, none":                       {steps: []step{answer(503, ""), answer(404, ""), answer(202, created)}, requests: "POST GET POST"},
		"answer unreadable, effect":       {steps: []step{answer(202, `{"virtual_mach`), answer(200, ours)}, requests: "POST GET"},
		"answered {}, comes late":         {steps: []step{answer(202, "{}"), answer(404, ""), answer(200, ours)}, requests: "POST GET GET"},
		"answered {}, never there":        {steps: []step{answer(202, "{}"), answer(404, "")}, requests: "POST GET GET GET", fails: "the service may still be creating it"},
		"effect comes late":               {steps: []step{cut, answer(404, ""), answer(400, taken), answer(200, ours)}, requests: "POST GET POST GET"},
		"not describable yet":             {steps: []step{cut, answer(202, ""), answer(202, "{}"), answer(200, ours)}, requests: "POST GET GET GET"},
		"look-up stumbles":                {steps: []step{cut, answer(503, ""), answer(200, ours)}, requests: "POST GET GET"},
		"lost, another machine is there":  {steps: []step{cut, answer(200, theirs)}, requests: "POST GET", fails: "by virtual machine 9: POST"},
		"lost, a soft-deleted is there":   {steps: []step{cut, answer(200, deleted)}, requests: "POST GET", fails: "by virtual machine 7, which is soft-deleted"},
		"taken":                           {steps: []step{answer(400, taken)}, requests: "POST", fails: "by another virtual machine: POST"},
		"lost, it was there before":       {steps: []step{cut, answer(200, ours)}, look: &cloudserver.Look{Holder: 7}, requests: "POST GET", fails: "by virtual machine 7: POST"},
		"lost, another was there before":  {steps: []step{cut, answer(200, ours)}, look: &cloudserver.Look{Holder: 6}, requests: "POST GET"},
		"lost, and nobody has looked":     {steps: []step{cut, answer(200, ours)}, look: nobodyLooked, requests: "POST GET", fails: "exists now (ID 7), but it may have existed before"},
		"accepted, and nobody has looked": {steps: []step{answer(202, "{}"), answer(200, completed)}, look: nobodyLooked, requests: "POST GET"},
		"accepted by {}":                  {steps: []step{answer(202, "{}"), answer(200, completed)}, requests: "POST GET"},
		"accepted by nothing":             {steps: []step{answer(202, ""), answer(200, completed)}, requests: "POST GET"},
		"created":                         {steps: []step{answer(201, "{}"), answer(200, completed)}, requests: "POST GET"},
		"accepted, a soft-deleted":        {steps: []step{answer(202, "{}"), answer(200, deleted)}, requests: "POST GET", fails: "by virtual machine 7, which is soft-deleted"},
		"200 accepts nothing":             {steps: []step{answer(200, ""), answer(200, completed)}, requests: "POST GET", fails: "by virtual machine 7: POST"},
		"text accepts nothing":            {steps: []step{answer(202, "accepted"), answer(200, completed)}, requests: "POST GET", fails: "by virtual machine 7: POST"},
		"a page accepts nothing":          {steps: []step{answer(202, "<html></html>"), answer(200, completed)}, requests: "POST GET", fails: "by virtual machine 7: POST"},
		"late, and another machine's":     {steps: []step{cut, answer(404, ""), answer(400, taken), answer(200, theirs)}, requests: "POST GET POST GET", fails: "by virtual machine 9"},
		"late, and cannot be found":       {steps: []step{cut, answer(404, ""), answer(400, taken), answer(404, "")}, requests: "POST GET POST GET", fails: `cannot find out whether virtual machine "web1" exists`},
		"refused":                         {steps: []step{answer(400, `{"cores":["is not a number"]}`)}, requests: "POST", fails: "cores is not a number"},
		"lost, then refused":              {steps: []step{cut, answer(404, ""), answer(403, "go away")}, requests: "POST GET POST", fails: "go away; virtual machine \"web1\" does not exist so far"},
		"no such group":                   {steps: []step{answer(404, "")}, requests: "POST", fails: "404 Not Found"},
		"redirected":                      {steps: []step{answer(302, "", "Location", "https://elsewhere.invalid/")}, requests: "POST", fails: "redirects to https://elsewhere.invalid"},
		"never, and none":                 {steps: []step{cut, answer(404, ""), cut, answer(404, ""), cut, answer(404, "")}, requests: "POST GET POST GET POST GET", fails: "connection reset"},
		"lost, and the look-up fails too": {steps: []step{cut, answer(403, "go away")}, requests: "POST GET", fails: `cannot find out whether virtual machine "web1" exists`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				create := wanted()
				if test.look == nobodyLooked {
					create.Look = nil
				} else if test.look != nil {
					create.Look = test.look
				}
				vm, err := newClient(t, service, withRetries(2)).CreateVirtualMachine(t.Context(), "acme", "default", create)
				if got := strings.Join(service.methods(), " "); got != test.requests {
					t.Errorf("requests %s, want %s", got, test.requests)
				}
				if test.fails != "" {
					if err == nil || !strings.Contains(err.Error(), test.fails) || vm != nil {
						t.Errorf("got %v, %v; want an error that says %q", vm, err, test.fails)
					}
					return
				}
				if err != nil || vm.ID != 7 {
					t.Errorf("got %+v, %v", vm, err)
				}
			})
		})
	}
}

func TestNameTaken(t *testing.T) {
	t.Parallel()
	service := serve(cut, answer(404, ""), answer(400, taken), answer(200, deleted))
	_, err := newClient(t, service).CreateVirtualMachine(t.Context(), "acme", "default", wanted())
	var refused *cloudserver.NameTaken
	if !errors.As(err, &refused) {
		t.Fatalf("got %v", err)
	}
	if refused.Account != "acme" || refused.Group != "default" || refused.Name != "web1" || refused.ID != 7 || !refused.Deleted {
		t.Errorf("got %+v", refused)
	}
	var answered *cloudserver.Error
	if !errors.As(err, &answered) || !answered.Has("name", "already been taken") {
		t.Errorf("the refusal itself is lost: %v", err)
	}
	lookUp := service.journal()[3]
	if lookUp.path != "/base/accounts/acme/groups/default/virtual_machines/web1" || lookUp.query != "include_deleted=true&view=overview" {
		t.Errorf("looked up by %s?%s", lookUp.path, lookUp.query)
	}
}

// What tells two machines of one name apart, and what does not.
func TestAdoption(t *testing.T) {
	t.Parallel()
	zone := "york"
	for name, test := range map[string]struct {
		found  string
		change func(*cloudserver.VirtualMachineCreate)
		ours   bool
	}{
		"bare":                {found: `{"id":7,"name":"web1"}`, ours: true},
		"no discs yet":        {found: `{"id":7,"name":"web1","discs":[]}`, ours: true},
		"other cores":         {found: `{"id":7,"name":"web1","cores":1}`},
		"other memory":        {found: `{"id":7,"name":"web1","memory":1}`},
		"other disc size":     {found: `{"id":7,"name":"web1","discs":[{"label":"vda","size":1}]}`},
		"other disc label":    {found: `{"id":7,"name":"web1","discs":[{"label":"sda","size":25600}]}`},
		"normalised label":    {found: `{"id":7,"name":"web1","discs":[{"label":" VDA","size":25600}]}`, ours: true},
		"other disc grade":    {found: `{"id":7,"name":"web1","discs":[{"label":"vda","size":25600,"storage_grade":"ssd"}]}`},
		"other image":         {found: `{"id":7,"name":"web1","last_imaged_with":"trixie"}`},
		"soft-deleted":        {found: `{"id":7,"name":"web1","deleted":true}`},
		"power on its way":    {found: `{"id":7,"name":"web1","power_on":false}`, ours: true},
		"other zone":          {found: `{"id":7,"name":"web1","zone_name":"manchester"}`, change: func(c *cloudserver.VirtualMachineCreate) { c.VirtualMachine.ZoneName = &zone }},
		"zone left open":      {found: `{"id":7,"name":"web1","zone_name":"manchester"}`, ours: true},
		"discs left open":     {found: `{"id":7,"name":"web1","discs":[{"label":"x","size":1}]}`, change: func(c *cloudserver.VirtualMachineCreate) { c.Discs = nil }, ours: true},
		"image was left open": {found: `{"id":7,"name":"web1","last_imaged_with":"trixie"}`, change: func(c *cloudserver.VirtualMachineCreate) { c.Reimage = nil }, ours: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				create := wanted()
				if test.change != nil {
					test.change(&create)
				}
				vm, err := newClient(t, serve(cut, answer(200, test.found))).CreateVirtualMachine(t.Context(), "acme", "default", create)
				var refused *cloudserver.NameTaken
				if test.ours && err != nil || !test.ours && !errors.As(err, &refused) {
					t.Errorf("got %+v, %v; want it taken for ours: %v", vm, err, test.ours)
				}
			})
		})
	}
}

// An interrupt in the middle of vm_create waits a moment for the answer, and
// searches for the machine if none comes: what exists must be known.
func TestInterruptedCreate(t *testing.T) {
	t.Parallel()
	slow := func(after time.Duration, then step) step {
		return func(request *http.Request) (*http.Response, error) {
			written(request)
			timer := time.NewTimer(after)
			defer timer.Stop()
			select {
			case <-timer.C:
				return then(request)
			case <-request.Context().Done():
				return nil, context.Cause(request.Context())
			}
		}
	}
	for name, test := range map[string]struct {
		steps    []step
		requests []string
		created  bool
		within   time.Duration
	}{
		"the answer comes":       {[]step{slow(3*time.Second, answer(202, created))}, []string{"POST"}, true, 3 * time.Second},
		"none, but it exists":    {[]step{hang, answer(200, ours)}, []string{"POST", "GET"}, true, 7 * time.Second},
		"none, and none exists":  {[]step{hang, answer(404, "")}, []string{"POST", "GET"}, false, 7 * time.Second},
		"none, service is gone":  {[]step{hang, hang}, []string{"POST", "GET"}, false, 12 * time.Second},
		"while it is throttled":  {[]step{answer(429, "", "Retry-After", "30")}, []string{"POST"}, false, 2 * time.Second},
		"while it is connecting": {[]step{connecting}, []string{"POST"}, false, 2 * time.Second},
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

// TestCreateGroup: what the creation of a group has of its own; the rest is that of
// machines.
func TestCreateGroup(t *testing.T) {
	t.Parallel()
	const group, groups, none = `{"id":4,"name":"db"}`, `[{"id":3,"name":"4"},{"id":4,"name":"db"}]`, "[]"
	for name, test := range map[string]struct {
		look     *cloudserver.Look
		steps    []step
		requests string
		fails    string // part of the error; "": success
	}{
		"at once":                 {nil, []step{answer(201, group)}, "POST", ""},
		"lost, effect":            {&cloudserver.Look{}, []step{cut, answer(200, groups)}, "POST GET", ""},
		"lost, none":              {&cloudserver.Look{}, []step{cut, answer(200, none), answer(201, group)}, "POST GET POST", ""},
		"lost, but it was there":  {&cloudserver.Look{Holder: 4}, []step{cut, answer(200, groups)}, "POST GET", "by group 4: POST"},
		"lost, and nobody knows":  {nil, []step{cut, answer(200, groups)}, "POST GET", `group "db" exists now (ID 4), but it may have existed before`},
		"lost, no look-up":        {nil, []step{cut, answer(403, "")}, "POST GET", `cannot find out whether group "db" exists`},
		"taken":                   {nil, []step{answer(400, taken)}, "POST", "by another group: POST"},
		"answered {}, comes late": {nil, []step{answer(201, "{}"), answer(200, none), answer(200, groups)}, "POST GET GET", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := serve(test.steps...)
				created, err := newClient(t, service, withRetries(1)).CreateGroup(t.Context(), "acme", "db", test.look)
				if got := strings.Join(service.methods(), " "); got != test.requests {
					t.Errorf("requests %s, want %s", got, test.requests)
				}
				if test.fails == "" && (err != nil || created.ID != 4) || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %+v, %v; want an error that says %q", created, err, test.fails)
				}
			})
		})
	}
}
