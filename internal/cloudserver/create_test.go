package cloudserver_test

import (
	"cmp"
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

	// A service may normalise and complete a machine.
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

// TestCreations checks the requests of a creation after each answer, and its result for each machine that it may find.
func TestCreations(t *testing.T) {
	t.Parallel()
	held := func(id int64) func(*cloudserver.VirtualMachineCreate) {
		return func(c *cloudserver.VirtualMachineCreate) { c.Look.Holder = id }
	}
	nobodyLooked := func(c *cloudserver.VirtualMachineCreate) { c.Look = nil }
	inYork := func(c *cloudserver.VirtualMachineCreate) { c.VirtualMachine.ZoneName = new("york") }
	noDiscs := func(c *cloudserver.VirtualMachineCreate) { c.Discs = nil }
	noImage := func(c *cloudserver.VirtualMachineCreate) { c.Reimage = nil }
	finds := func(machine string) []step { return []step{cut, answer(200, `{"id":7,"name":"web1"`+machine+"}")} }
	const isTheirs, groups = "by virtual machine 7: POST", `[{"id":3,"name":"7"},{"id":7,"name":"db"}]`
	for name, test := range map[string]struct {
		steps    []step
		change   func(*cloudserver.VirtualMachineCreate) // of the wanted machine; nil: none
		requests string                                  // "": POST GET
		group    bool                                    // create a group instead of a machine
		fails    string                                  // part of the error; "": success
	}{
		"at once":                          {steps: []step{answer(202, created)}, requests: "POST"},
		"throttled":                        {steps: []step{answer(429, ""), answer(202, created)}, requests: "POST POST"},
		"lost before write":                {steps: []step{unwritten, answer(202, created)}, requests: "POST POST"},
		"lost after write, effect":         {steps: []step{cut, answer(200, ours)}},
		"lost after write, none":           {steps: []step{cut, answer(404, ""), answer(202, created)}, requests: "POST GET POST"},
		"time-out, effect":                 {steps: []step{hang, answer(200, ours)}},
		"500, effect":                      {steps: []step{answer(500, ""), answer(200, ours)}},
		"answer unreadable, effect":        {steps: []step{answer(202, `{"virtual_mach`), answer(200, ours)}},
		"answered {}, comes late":          {steps: []step{answer(202, "{}"), answer(404, ""), answer(200, ours)}, requests: "POST GET GET"},
		"answered {}, never there":         {steps: []step{answer(202, "{}"), answer(404, "")}, requests: "POST GET GET GET", fails: "the service may still be creating it"},
		"effect comes late":                {steps: []step{cut, answer(404, ""), answer(400, taken), answer(200, ours)}, requests: "POST GET POST GET"},
		"not describable yet":              {steps: []step{cut, answer(202, ""), answer(202, "{}"), answer(200, ours)}, requests: "POST GET GET GET"},
		"look-up is refused once":          {steps: []step{cut, answer(503, ""), answer(200, ours)}, requests: "POST GET GET"},
		"lost, another machine is there":   {steps: []step{cut, answer(200, theirs)}, fails: "by virtual machine 9: POST"},
		"lost, a soft-deleted is there":    {steps: []step{cut, answer(200, deleted)}, fails: "by virtual machine 7, which is soft-deleted"},
		"taken":                            {steps: []step{answer(400, taken)}, requests: "POST", fails: "by another virtual machine: POST"},
		"lost, it was there before":        {steps: []step{cut, answer(200, ours)}, change: held(7), fails: "by virtual machine 7: POST"},
		"lost, another was there before":   {steps: []step{cut, answer(200, ours)}, change: held(6)},
		"lost, and nobody has looked":      {steps: []step{cut, answer(200, ours)}, change: nobodyLooked, fails: "exists now (ID 7), but it may have existed before"},
		"accepted, and nobody has looked":  {steps: []step{answer(202, "{}"), answer(200, completed)}, change: nobodyLooked},
		"accepted by {}":                   {steps: []step{answer(202, "{}"), answer(200, completed)}},
		"accepted by nothing":              {steps: []step{answer(202, ""), answer(200, completed)}},
		"created":                          {steps: []step{answer(201, "{}"), answer(200, completed)}},
		"accepted, a soft-deleted":         {steps: []step{answer(202, "{}"), answer(200, deleted)}, fails: "by virtual machine 7, which is soft-deleted"},
		"200 accepts nothing":              {steps: []step{answer(200, ""), answer(200, completed)}, fails: "by virtual machine 7: POST"},
		"text accepts nothing":             {steps: []step{answer(202, "accepted"), answer(200, completed)}, fails: "by virtual machine 7: POST"},
		"another machine's answer":         {steps: []step{answer(202, `{"virtual_machine":{"id":9,"name":"web2"}}`), answer(200, ours)}},
		"another's answer, and none":       {steps: []step{answer(202, `{"virtual_machine":{"id":9,"name":"web2"}}`), answer(404, ""), answer(202, created)}, requests: "POST GET POST"},
		"another's answer accepts nothing": {steps: []step{answer(202, `{"virtual_machine":{"id":9,"name":"web2"}}`), answer(200, completed)}, fails: "it is an answer for another virtual machine"},
		"the name in capitals":             {steps: []step{answer(202, `{"virtual_machine":{"id":7,"name":"WEB1"}}`)}, requests: "POST"},
		"an answer without a name":         {steps: []step{answer(202, `{"virtual_machine":{"id":7}}`)}, requests: "POST"},
		"a page accepts nothing":           {steps: []step{answer(202, "<html></html>"), answer(200, completed)}, fails: "by virtual machine 7: POST"},
		"late, and another machine's":      {steps: []step{cut, answer(404, ""), answer(400, taken), answer(200, theirs)}, requests: "POST GET POST GET", fails: "by virtual machine 9"},
		"late, and cannot be found":        {steps: []step{cut, answer(404, ""), answer(400, taken), answer(404, "")}, requests: "POST GET POST" + strings.Repeat(" GET", 24), fails: `cannot find out whether virtual machine "web1" exists`},
		"late, and found later":            {steps: []step{cut, answer(404, ""), answer(400, taken), answer(404, ""), answer(404, ""), answer(200, ours)}, requests: "POST GET POST GET GET GET"},
		"refused":                          {steps: []step{answer(400, `{"cores":["is not a number"]}`)}, requests: "POST", fails: "cores is not a number"},
		"lost, then refused":               {steps: []step{cut, answer(404, ""), answer(403, "go away")}, requests: "POST GET POST", fails: "go away; virtual machine \"web1\" does not exist so far"},
		"no such group":                    {steps: []step{answer(404, "")}, requests: "POST", fails: "404 Not Found"},
		"redirected":                       {steps: []step{answer(302, "", "Location", "https://elsewhere.invalid/")}, requests: "POST", fails: "redirects to https://elsewhere.invalid"},
		"never, and none":                  {steps: []step{cut, answer(404, ""), cut, answer(404, ""), cut, answer(404, "")}, requests: "POST GET POST GET POST GET", fails: "connection reset"},
		"lost, and the look-up fails too":  {steps: []step{cut, answer(403, "go away")}, fails: `cannot find out whether virtual machine "web1" exists`},

		// A group is looked up in the list, because a path takes a name of digits for an ID.
		"group, lost, effect":            {group: true, steps: []step{cut, answer(200, groups)}},
		"group, lost, it was there":      {group: true, steps: []step{cut, answer(200, groups)}, change: held(7), fails: "by group 7: POST"},
		"group, lost, nobody has looked": {group: true, steps: []step{cut, answer(200, groups)}, change: nobodyLooked, fails: `group "db" exists now (ID 7), but it may have existed before`},
		"group, taken":                   {group: true, steps: []step{answer(400, taken)}, requests: "POST", fails: "by another group: POST"},
		"group, another's answer":        {group: true, steps: []step{answer(201, `{"id":3,"name":"7"}`), answer(200, groups)}},
		"group, accepted, comes late":    {group: true, steps: []step{answer(201, "{}"), answer(200, "[]"), answer(200, groups)}, requests: "POST GET GET"},

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
				client := newClient(t, service, withRetries(2))
				var vm *cloudserver.VirtualMachine
				var group *cloudserver.Group
				var err error
				if test.group {
					group, err = client.CreateGroup(t.Context(), "acme", "db", create.Look)
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

func valueOr[T any](pointer *T) T {
	if pointer == nil {
		return *new(T)
	}
	return *pointer
}

func TestNameTaken(t *testing.T) {
	t.Parallel()
	service := serve(cut, answer(404, ""), answer(400, taken), answer(200, deleted))
	_, err := newClient(t, service).CreateVirtualMachine(t.Context(), "acme", "default", wanted())
	refused, _ := errors.AsType[*cloudserver.NameTaken](err)
	if refused == nil || !cloudserver.IsNameTaken(refused.Err) {
		t.Fatalf("got %v", err)
	}
	want := cloudserver.NameTaken{Kind: "virtual machine", Account: "acme", Group: "default", Name: "web1", ID: 7, Deleted: true, Err: refused.Err}
	if *refused != want {
		t.Errorf("got %+v", refused)
	}
	lookUp := service.journal()[3]
	if lookUp.path != "/base/accounts/acme/groups/default/virtual_machines/web1" || lookUp.query != "include_deleted=true&view=overview" {
		t.Errorf("looked up by %s?%s", lookUp.path, lookUp.query)
	}
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
