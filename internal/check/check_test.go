package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// run checks an emulator in memory and returns the exit status and the report.
func run(t *testing.T, e *emulator.Emulator, change func(*check.Options)) (int, string) {
	t.Helper()
	return runIn(t.Context(), t, e, change)
}

func runIn(ctx context.Context, t *testing.T, e *emulator.Emulator, change func(*check.Options)) (int, string) {
	t.Helper()
	options := check.Options{
		Client:  cloudserver.Config{Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport()},
		Account: emulator.DemoAccount, Group: emulator.DefaultGroup, Wait: 5 * time.Minute,
	}
	if change != nil {
		change(&options)
	}
	var out bytes.Buffer
	status, err := check.Run(ctx, options, &out)
	if err != nil {
		t.Fatal(err)
	}
	return status, out.String()
}

func newWithMachine(t *testing.T, options emulator.Options) *emulator.Emulator {
	e := acctest.NewEmulator(t, options)
	e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: "web1", PowerOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600}}})
	return e
}

// TestHealthyService: nothing is reported as a difference. A check that only reads changes nothing, and
// one that creates a machine leaves nothing behind.
func TestHealthyService(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]emulator.Options{
		"plain": {}, "pending raises": {PendingRaises: true}, "202 after creation": {DescribeAfter: time.Second},
		"IDs win": {IDsWin: true}, "dotted groups": {DottedGroups: true}, "large IDs": {FirstID: 1 << 50},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := newWithMachine(t, options)
				status, report := run(t, e, nil)
				if status != 0 || strings.Contains(report, "missing ") || strings.Contains(report, "differs ") || strings.Contains(report, "skipped ") {
					t.Errorf("status %d:\n%s", status, report)
				}
				for _, request := range e.Journal() {
					if request.Method != http.MethodGet && request.Path != "/session" {
						t.Errorf("%s %s was sent", request.Method, request.Path)
					}
				}
				options.BootTime = 30 * time.Second
				e = acctest.NewEmulator(t, options)
				status, report = run(t, e, func(o *check.Options) { o.Machine = "check1" })
				if status != 0 || !strings.Contains(report, "DELETE …/virtual_machines/{vm}?purge=true") || strings.Contains(report, "missing ") || strings.Contains(report, "differs ") {
					t.Errorf("status %d:\n%s", status, report)
				}
				if left := e.Machines(); len(left) > 0 || !strings.Contains(report, "got:      status 400") { // for a taken name
					t.Errorf("%d machines are left behind:\n%s", len(left), report)
				}
			})
		})
	}
}

// TestTroubledLife: whatever fails, no machine is left behind, and the report says what will not work. A machine is
// found even if the answer to its creation was lost.
func TestTroubledLife(t *testing.T) {
	t.Parallel()
	for part, test := range map[string]struct {
		fault  emulator.Fault
		status int
		says   string
	}{
		"PUT ": {
			fault:  emulator.Fault{Status: http.StatusForbidden},
			status: 1,
			says:   "machines cannot be renamed",
		},
		"/vm_create": {
			fault: emulator.Fault{Times: 1, AfterEffect: true, Status: http.StatusBadGateway},
			says:  "OK",
		},
		"/signal": {
			fault: emulator.Fault{Status: http.StatusNotFound},
			says:  "guests are not asked to shut down",
		},
		"/backup_schedules": {
			fault: emulator.Fault{Status: http.StatusNotFound},
			says:  "cloudserver_backup_schedule does not work",
		},
		"DELETE ": {
			fault:  emulator.Fault{Status: http.StatusOK, Body: "OK", Times: 4},
			status: 1,
			says:   "waiting for this change times out",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
			test.fault.Match = func(r emulator.Request) bool { return strings.Contains(r.Method+" "+r.Path, part) }
			e.Inject(test.fault)
			status, report := run(t, e, func(o *check.Options) { o.Machine = "check1" })
			if status != test.status || len(e.Machines()) != 0 || !strings.Contains(report, test.says) || strings.Contains(report, "machines cannot be created") {
				t.Errorf("%s: status %d, %d machines left:\n%s", part, status, len(e.Machines()), report)
			}
		})
	}
}

// TestCreationThatNobodyCanSee: the answer to the creation is lost, and so is the look-up of its name. The report says
// nothing about the service, and names the machine that may exist.
func TestCreationThatNobodyCanSee(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
		created := false
		e.Inject(emulator.Fault{Status: http.StatusForbidden, AfterEffect: true, Match: func(r emulator.Request) bool {
			lost := strings.HasSuffix(r.Path, "/vm_create")
			created = created || lost
			return created && !lost && strings.Contains(r.Path, "check1")
		}})
		e.Inject(emulator.Fault{Times: 1, AfterEffect: true, Status: http.StatusBadGateway, Match: func(r emulator.Request) bool {
			return strings.HasSuffix(r.Path, "/vm_create")
		}})
		status, report := run(t, e, func(o *check.Options) { o.Machine = "check1" })
		if status != 1 || strings.Contains(report, "machines cannot be created") || !strings.Contains(report, "could not be found out") ||
			!strings.Contains(report, `if there is a machine "check1" in the group`) {
			t.Errorf("status %d:\n%s", status, report)
		}
	})
}

// TestLostAnswersOfALife: a write may have been carried out although its answer is lost, so the report does not claim
// that the service cannot do it.
func TestLostAnswersOfALife(t *testing.T) {
	t.Parallel()
	for part, verdict := range map[string]string{"/discs": "discs cannot be added", "/backup_schedules": "cloudserver_backup_schedule does not work"} {
		for name, fault := range map[string]emulator.Fault{"502": {Status: http.StatusBadGateway}, "cut": {Cut: true}, "500": {Status: http.StatusInternalServerError}} {
			synctest.Test(t, func(t *testing.T) {
				e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
				lost := false
				fault.AfterEffect, fault.Match = true, func(r emulator.Request) bool {
					hit := r.Method == http.MethodPost && strings.HasSuffix(r.Path, part)
					lost = lost || hit
					return hit
				}
				e.Inject(fault)
				e.Inject(emulator.Fault{Status: http.StatusForbidden, Match: func(r emulator.Request) bool { // a schedule is looked for there
					return lost && r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/discs/")
				}})
				_, report := run(t, e, func(o *check.Options) { o.Machine = "check1" })
				refused := name == "500" // by the service itself
				if strings.Contains(report, verdict) != refused || strings.Contains(report, "could not be found out") == refused || len(e.Machines()) != 0 {
					t.Errorf("%s, %s: %d machines are left:\n%s", part, name, len(e.Machines()), report)
				}
			})
		}
	}
}

// TestThrottledLife: a request that destroys is repeated if the service has certainly not carried it out.
func TestThrottledLife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
		refused := map[string]bool{}
		e.Inject(emulator.Fault{Status: http.StatusTooManyRequests, Match: func(r emulator.Request) bool {
			first := r.Method == http.MethodDelete && !refused[r.Path+r.Query]
			refused[r.Path+r.Query] = refused[r.Path+r.Query] || first
			return first
		}})
		if status, report := run(t, e, func(o *check.Options) { o.Machine = "check1" }); status != 0 || len(refused) < 3 {
			t.Errorf("status %d, refused %v:\n%s", status, refused, report)
		}
	})
}

// TestBroken breaks the service in many ways; the report names each.
func TestBroken(t *testing.T) {
	t.Parallel()
	page := "<html><body>Please sign in <input type=password></body></html>"
	for name, test := range map[string]struct {
		path, body string // of the requests whose answer is broken
		status     int
		exit       int
		want       string
	}{
		"no definitions":         {path: "/definitions", status: 404, exit: 2, want: "CLOUDSERVER_ENDPOINT is probably not the base address"},
		"a page":                 {path: "/definitions", body: "<html></html>", status: 200, exit: 2, want: "check that CLOUDSERVER_ENDPOINT is the base address"},
		"a log-in page":          {path: "/definitions", body: page, status: 200, exit: 2, want: "a log-in page"},
		"no credentials":         {path: "/accounts", body: "no valid session", status: 401, exit: 2, want: "does not accept the credentials (401)"},
		"no permission":          {path: "/accounts", body: "no", status: 403, exit: 2, want: "lack permission"},
		"no account":             {path: "/accounts", body: "[]", status: 200, exit: 2, want: "These credentials can see no account"},
		"no distributions":       {path: "/definitions", body: `[{"id":"zone_names","data":[]}]`, status: 200, want: "an unknown distribution is found at apply only"},
		"definitions as objects": {path: "/definitions", body: `[{"id":"distributions"}]`, status: 200, exit: 1, want: "set, without data"},
		"no groups":              {path: "/accounts/demo/groups", body: "[]", status: 500, exit: 1, want: "machines cannot be moved"},
		"groups without ids":     {path: "/accounts/demo/groups", body: `[{"name":"default"}]`, status: 200, exit: 1, want: "group, without id"},
		"machines without power": {path: "/accounts/demo/groups/default/virtual_machines", body: `[{"id":1,"name":"web1","group_id":2,"discs":[],"network_interfaces":[]}]`, status: 200, exit: 1, want: "no wait for a machine ends"},
		"every id exists":        {path: "/virtual_machines/4503599627370496", body: `{"id":4503599627370496,"name":"x"}`, status: 200, exit: 1, want: "machines that are gone are not noticed"},
		"machines not by id":     {path: "/virtual_machines/1004", body: "no", status: 404, exit: 1, want: "machines cannot be managed"},
		"discs as text":          {path: "/discs/1005", body: `{"id":1005,"label":"vda","size":"big","storage_grade":"sata","storage_pool":"p","virtual_machine_id":1}`, status: 200, want: "size is string, not number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := newWithMachine(t, emulator.Options{})
				e.Inject(emulator.Fault{
					Match:  func(r emulator.Request) bool { path, _, _ := strings.Cut(r.Path, "?"); return path == test.path },
					Status: test.status, Body: test.body,
				})
				exit, report := run(t, e, nil)
				if exit != test.exit || !strings.Contains(report, test.want) {
					t.Errorf("exit status %d, want %d and %q in:\n%s", exit, test.exit, test.want, report)
				}
				if strings.Contains(report, " endpoint ") {
					t.Errorf("the report names an argument of the provider block:\n%s", report)
				}
			})
		})
	}
}

// TestRefusedLogin: a wrong password is not blamed on the endpoint.
func TestRefusedLogin(t *testing.T) {
	t.Parallel()
	exit, report := run(t, newWithMachine(t, emulator.Options{}), func(o *check.Options) {
		o.Client.Token, o.Client.Username, o.Client.Password = "", "demo", "wrong"
	})
	if exit != 2 || !strings.Contains(report, "\nNo session could be opened: ") || strings.Contains(report, "cannot be reached") {
		t.Errorf("exit status %d:\n%s", exit, report)
	}
}

// TestInterrupted: after an interrupt the report has no verdict on the service, and no machine is left.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, path string // of the request that the interrupt hits
		after        bool   // the service has carried it out
		machine      string
	}{
		"at the first read": {method: http.MethodGet, path: "/definitions"},
		"at a later read":   {method: http.MethodGet, path: "/accounts/demo/groups"},
		"while it boots":    {method: http.MethodGet, path: "/virtual_machines/", machine: "check1"},
		"at the name":       {method: http.MethodGet, path: "/accounts/demo/groups/default/virtual_machines/check1", machine: "check1"},
		"at the creation":   {method: http.MethodPost, path: "/accounts/demo/groups/default/vm_create", after: true, machine: "check1"},
		"at the last purge": {method: http.MethodDelete, path: "/accounts/demo/groups/", after: true, machine: "check1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Minute})
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				e.Inject(emulator.Fault{Match: func(r emulator.Request) bool {
					hit := r.Method == test.method && strings.HasPrefix(r.Path, test.path) && !strings.Contains(r.Path, "4503599627370496")
					if !hit || test.method == http.MethodDelete && !strings.Contains(r.Query, "purge") {
						return false
					}
					interrupt()
					return true
				}, Times: 1, AfterEffect: test.after, Delay: time.Second, Status: http.StatusBadGateway})
				status, report := runIn(ctx, t, e, func(o *check.Options) { o.Machine = test.machine })
				if status != 130 || !strings.Contains(report, "\nThe check was interrupted") || !strings.Contains(report, "interrupted\n") {
					t.Errorf("status %d:\n%s", status, report)
				}
				if left := e.Machines(); len(left) > 0 || strings.Contains(report, "missing ") || strings.Contains(report, "left behind") {
					t.Errorf("%d machines are left:\n%s", len(left), report)
				}
			})
		})
	}
}

// TestWordsOfTheService: no control sequence of an answer reaches the terminal, and no secret is repeated.
func TestWordsOfTheService(t *testing.T) {
	t.Parallel()
	for _, asJSON := range []bool{false, true} {
		e := newWithMachine(t, emulator.Options{})
		e.Inject(emulator.Fault{
			Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/virtual_machines") },
			Status: http.StatusOK, Body: `[{"id":1,"name":"\u001b[31m` + emulator.DemoAPIKey + `","group_id":2}]`,
		})
		_, report := run(t, e, func(o *check.Options) { o.JSON = asJSON })
		if !strings.Contains(report, "(hidden)") || strings.Contains(report, emulator.DemoAPIKey) || strings.Contains(report, "\x1b") || strings.Contains(report, `\u001b`) {
			t.Errorf("the report repeats the answer:\n%q", report)
		}
	}
}

// TestTakenName: an existing machine is left alone, and the report says nothing about creations.
func TestTakenName(t *testing.T) {
	t.Parallel()
	e := newWithMachine(t, emulator.Options{})
	exit, report := run(t, e, func(o *check.Options) { o.Machine = "web1" })
	if exit != 2 || !strings.Contains(report, `The name "web1" is taken in the group "default"`) || strings.Contains(report, "machines cannot be created") || len(e.Machines()) != 1 {
		t.Errorf("exit status %d:\n%s", exit, report)
	}
}

// TestNameThatIsNotKnownToBeFree: the listing does not show which names are taken, and the answer to the creation is lost.
// Somebody's machine of the name is left alone. If the name itself cannot be read, nothing is created.
func TestNameThatIsNotKnownToBeFree(t *testing.T) {
	t.Parallel()
	refused := emulator.Fault{Status: http.StatusForbidden}
	for name, test := range map[string]struct {
		listing emulator.Fault
		read    *emulator.Fault // of the name
		says    string
	}{
		"the listing is refused":     {listing: refused, says: `The name "check1" is taken in the group "default"`},
		"the listing is empty":       {listing: emulator.Fault{Status: http.StatusOK, Body: "[]"}, says: `The name "check1" is taken in the group "default"`},
		"the name cannot be read":    {listing: refused, read: &refused, says: `Whether the name "check1" is free in the group "default" is not known: `},
		"a machine is being created": {listing: refused, read: &emulator.Fault{Status: http.StatusAccepted, Times: 1}, says: "is not known: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
				id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
					Name: "check1", Cores: 1, Memory: 1024, PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 1024}},
				})
				test.listing.Match = func(r emulator.Request) bool {
					return strings.HasSuffix(r.Path, "/virtual_machines") && strings.Contains(r.Query, "include_deleted")
				}
				e.Inject(test.listing)
				if test.read != nil {
					read := *test.read
					read.Match = func(r emulator.Request) bool {
						return strings.HasSuffix(r.Path, "/virtual_machines/check1") && strings.Contains(r.Query, "include_deleted")
					}
					e.Inject(read)
				}
				e.Inject(emulator.Fault{Status: http.StatusBadGateway, Times: 1, Match: func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/vm_create") }})
				exit, report := run(t, e, func(o *check.Options) { o.Machine = "check1" })
				if _, lives := e.Machine(id); !lives || len(e.Machines()) != 1 || exit != 2 || !strings.Contains(report, test.says) {
					t.Errorf("exit status %d, the machine lives: %t:\n%s", exit, lives, report)
				}
				for _, r := range e.Journal() {
					if r.Method != http.MethodGet {
						t.Errorf("sent %s %s", r.Method, r.Path)
					}
				}
			})
		})
	}
}

// TestMistakes: a name that does not exist, or cannot, is a mistake of the user and not of the service.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*check.Options)
		says   string // "": no mistake
	}{
		"an account with a typo":      {func(o *check.Options) { o.Account = "dmeo" }, `There is no account "dmeo"; these credentials see: acme, demo. Did you mean demo? Correct CLOUDSERVER_ACCOUNT.`},
		"an account of somebody else": {func(o *check.Options) { o.Account = "nobody" }, `There is no account "nobody"; these credentials see: acme, demo. Correct`},
		"a group with a typo":         {func(o *check.Options) { o.Group = "defualt" }, `There is no group "defualt" in the account "demo"; its groups: default, private. Did you mean default? Correct CLOUDSERVER_GROUP.`},
		"a typo, to create a machine": {func(o *check.Options) { o.Group, o.Machine = "defualt", "new1" }, `There is no group "defualt"`},
		"a name with a blank":         {func(o *check.Options) { o.Machine = "WEB 1" }, `The service does not accept the name "WEB 1" (name `},
		"a name of digits":            {func(o *check.Options) { o.Machine = "1234" }, `The name "1234" may be taken for an ID: give --machine a name with a letter.`},
		"no account is configured":    {func(o *check.Options) { o.Account = "" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWithMachine(t, emulator.Options{})
			e.AddAccount("acme", false)
			e.AddGroup("acme", emulator.DefaultGroup, false)
			exit, report := run(t, e, test.change)
			if test.says == "" {
				if exit != 0 {
					t.Errorf("exit status %d:\n%s", exit, report)
				}
				return
			}
			if exit != 2 || !strings.Contains(report, "\n"+test.says) || strings.Contains(report, "not the service that") || strings.Contains(report, "missing ") {
				t.Errorf("exit status %d, want 2 and %q:\n%s", exit, test.says, report)
			}
			if len(e.Machines()) != 1 {
				t.Errorf("%d machines are left", len(e.Machines()))
			}
		})
	}
}

// TestCounts: a count of one is in the singular.
func TestCounts(t *testing.T) {
	t.Parallel()
	_, report := run(t, newWithMachine(t, emulator.Options{}), nil)
	for _, want := range []string{"1 virtual machine; 1 disc; 1 network interface\n", "got:      1 reverse DNS name\n"} {
		if !strings.Contains(report, want) {
			t.Errorf("want %q in:\n%s", want, report)
		}
	}
	if strings.Contains(report, " 1 virtual machines") {
		t.Errorf("one machine in the plural:\n%s", report)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	_, text := run(t, newWithMachine(t, emulator.Options{}), func(o *check.Options) { o.JSON = true })
	var report struct {
		Status  *int         `json:"exit_status"`
		Summary string       `json:"summary"`
		Lines   []check.Line `json:"lines"`
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil || report.Status == nil || *report.Status != 0 || len(report.Lines) < 12 || report.Lines[0].Call != "GET /definitions" {
		t.Errorf("%v: %s", err, text)
	}
}
