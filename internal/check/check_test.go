// SPDX-License-Identifier: MPL-2.0

package check_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// run checks an emulator in memory and returns the exit status and what was printed.
func run(ctx context.Context, t *testing.T, e *emulator.Emulator, account, group string) (int, string) {
	t.Helper()
	var out strings.Builder
	err := check.Run(ctx, func() (cloudserver.Config, string, string, error) {
		config := cloudserver.Config{Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport()}
		return config, account, group, nil
	}, &out)
	if err == nil {
		return 0, out.String()
	}
	return cmd.ExitStatus(err), out.String() + err.Error()
}

func newWithMachine() *emulator.Emulator {
	e := emulator.New(emulator.Options{})
	disc := emulator.Disc{Label: "vda", Size: 25600}
	web1 := emulator.Machine{Name: "web1", PowerOn: true, Discs: []emulator.Disc{disc}}
	e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, web1)
	return e
}

// TestCheck: the emulator has everything, and each call has a line. Nothing is sent that changes anything.
func TestCheck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newWithMachine()
		status, report := run(t.Context(), t, e, "", emulator.DefaultGroup)
		const verdict = "\nThis is the service that the provider needs.\n"
		if status != 0 || strings.Count(report, "OK ") != 11 || !strings.HasSuffix(report, verdict) {
			t.Errorf("status %d\n%s", status, report)
		}
		for _, request := range e.Journal() {
			if request.Method != http.MethodGet {
				t.Errorf("%s %s was sent", request.Method, request.Path)
			}
		}
	})
}

// TestEmptyGroup: what cannot be read is skipped.
func TestEmptyGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		status, report := run(t.Context(), t, emulator.New(emulator.Options{}), "", emulator.DefaultGroup)
		if status != 0 || !strings.Contains(report, "skipped  GET /virtual_machines/{id}") {
			t.Errorf("status %d\n%s", status, report)
		}
	})
}

// TestBroken breaks an answer. Its line says what was expected, what the service answered, and what will not work.
func TestBroken(t *testing.T) {
	t.Parallel()
	const (
		machines = "/accounts/demo/groups/default/virtual_machines"
		machine  = `{"id":1,"name":"web1","group_id":2,"power_on":true,"network_interfaces":[],
			"discs":[{"id":3,"label":"vda"}]}`
	)
	for name, test := range map[string]struct {
		path, body string // of the requests whose answer is broken
		status     int
		exit       int
		want       string
	}{
		"a page":         {"/accounts", "<html></html>", 200, 2, "failed   GET /accounts answered 200, but "},
		"no credentials": {"/accounts", "no valid session", 401, 2, "failed   the service at "},
		"no permission":  {"/accounts", "no", 403, 2, "403"},
		"another path":   {"/accounts", "page not found", 404, 2, "is CLOUDSERVER_ENDPOINT the base URL of the API?"},
		"another server": {"/accounts", "<html></html>", 404, 2, "is CLOUDSERVER_ENDPOINT the base URL of the API?"},
		"expired":        {"/virtual_machines/1004", "no valid session", 401, 2, "check again later"},
		"no account":     {"/accounts", "[]", 200, 2, "these credentials see no account"},
		"no definitions": {"/definitions", "", 404, 1, "; plans are not checked\n"},
		"sets without data": {
			"/definitions", `[{"id":"distributions"}]`, 200, 1, "got it without data; plans are not checked\n",
		},
		"no groups":       {"/accounts/demo/groups", "no", 404, 1, "cloudserver_group does not work\n"},
		"not implemented": {"/accounts/demo/groups", "not yet", 501, 1, "cloudserver_group does not work\n"},
		"busy":            {"/definitions", "maintenance", 503, 2, "check again later"},
		"broken":          {"/definitions", "internal error", 500, 2, "check again later"},
		"discs without size": {
			machines, "[" + machine + "]", 200, 1, "got it without discs.size; the size of discs is not refreshed\n",
		},
		"every ID exists": {
			"/virtual_machines/4503599627370496", `{"id":4503599627370496,"name":"x"}`, 200, 1,
			"expected status 404, got a machine; machines that are gone are not noticed\n",
		},
		"no machine by ID":    {"/virtual_machines/1004", "no", 404, 1, "cloudserver_vm does not work\n"},
		"text of the service": {"/virtual_machines/1004", "a\x1b[2Jb\u202ec", 403, 1, "cloudserver_vm does not work\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := newWithMachine()
				e.Inject(emulator.Fault{
					Header: http.Header{"Content-Type": {http.DetectContentType([]byte(test.body))}},
					Match:  func(r emulator.Request) bool { path, _, _ := strings.Cut(r.Path, "?"); return path == test.path },
					Status: test.status, Body: test.body,
				})
				exit, report := run(t.Context(), t, e, "", emulator.DefaultGroup)
				if exit != test.exit || !strings.Contains(report, test.want) || strings.ContainsAny(report, "\x1b\u202e") {
					t.Errorf("exit status %d, want %d and %q in:\n%s", exit, test.exit, test.want, report)
				}
			})
		})
	}
}

// TestMistakes: a name that does not exist is a mistake of the user, and not of the service.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][2]string{
		`there is no account "dmeo"; these credentials see: demo`:                        {"dmeo", "default"},
		`there is no group "defualt" in the account "demo", which has: default, private`: {"demo", "defualt"},
	} {
		synctest.Test(t, func(t *testing.T) {
			exit, report := run(t.Context(), t, newWithMachine(), names[0], names[1])
			if exit != 2 || !strings.Contains(report, want) {
				t.Errorf("exit status %d, want %q in\n%s", exit, want, report)
			}
		})
	}
}

// TestNoDefaultGroup: an account need not have the group "default". Another group is read in its place, if there is one.
func TestNoDefaultGroup(t *testing.T) {
	t.Parallel()
	for groups, want := range map[string]string{
		`[]`: "skipped  GET /accounts/demo/groups/{group} and /virtual_machines: the account has no group",
		`[{"id":1003,"name":"private","account_id":1001}]`: "OK       GET /accounts/demo/groups/private",
	} {
		synctest.Test(t, func(t *testing.T) {
			e := newWithMachine()
			e.Inject(emulator.Fault{
				Match:  func(r emulator.Request) bool { return r.Path == "/accounts/demo/groups" },
				Status: 200, Body: groups,
			})
			status, report := run(t.Context(), t, e, "", emulator.DefaultGroup)
			const note = `note     the account "demo" has no group "default": set group in the provider block, or CLOUDSERVER_GROUP`
			if status != 0 || !strings.Contains(report, note) || !strings.Contains(report, want) {
				t.Errorf("status %d, want %q in\n%s", status, want, report)
			}
		})
	}
}

// TestInterrupt: an interrupted check says nothing about the service.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		exit, report := run(ctx, t, newWithMachine(), "", emulator.DefaultGroup)
		if exit != cmd.ExitInterrupted || strings.Contains(report, "missing") {
			t.Errorf("exit status %d\n%s", exit, report)
		}
	})
}
