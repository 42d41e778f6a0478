package tfkit_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	asked       = "POST /accounts/demo/groups/default/vm_create answered "
	credentials = "Set or correct the credentials: token, token_file, or username and password, in the provider block, or CLOUDSERVER_TOKEN, CLOUDSERVER_TOKEN_FILE, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD, in the environment. " +
		"A session of login ends after an hour, and one that was opened without a validity five minutes after its last use; an API key, or a username and password, lasts for any run."
)

const limit = "A limit of the account is reached: remove what is no longer needed, or ask the service's operator to raise the limit."

// TestAgain: running a command again is advised only if the service has not refused the request.
func TestAgain(t *testing.T) {
	t.Parallel()
	for status, passes := range map[int]bool{400: false, 403: false, 404: false, 409: false, 422: false, 408: true, 429: true, 500: true, 503: true} {
		err := refusal(status, "")
		if got := !strings.Contains(tfkit.Again(err), "Remove the cause"); got != passes {
			t.Errorf("%d: %t", status, got)
		}
		detail := tfkit.Detail(err, "Nothing was created. "+tfkit.Again(err))
		if passes != strings.Contains(detail, "Run the same command again") || strings.Count(detail, "he same command again") != 1 || strings.HasSuffix(detail, " ") {
			t.Errorf("%d: %q", status, detail)
		}
	}
	for _, err := range []error{syscall.ECONNREFUSED, x509.UnknownAuthorityError{}} {
		if got := tfkit.Again(&cloudserver.TransportError{Err: err}); got != "Remove the cause, and run the same command again." {
			t.Errorf("%v: %s", err, got)
		}
	}
	for _, err := range []error{context.Canceled, &cloudserver.TransportError{Err: errors.New("connection reset")}} {
		if got := tfkit.Again(err); got != "Run the same command again." {
			t.Errorf("%v: %s", err, got)
		}
	}
}

// refusal returns an answer of the service. problems alternates attributes and messages.
func refusal(status int, message string, problems ...string) error {
	err := &cloudserver.Error{Method: "POST", Path: "/accounts/demo/groups/default/vm_create", StatusCode: status, Message: message}
	for i := 0; i+1 < len(problems); i += 2 {
		err.Problems = append(err.Problems, cloudserver.Problem{Attribute: problems[i], Index: -1, Message: problems[i+1]})
	}
	return err
}

// rootOf returns the path of an attribute that the test's resource has.
func rootOf(problem cloudserver.Problem) (path.Path, bool) {
	known := map[string]bool{"name": true, "zone_name": true, "ips": true}
	return path.Root(problem.Attribute), known[problem.Attribute]
}

// TestAddError has the full text for every kind of failure.
func TestAddError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want []string // "path: detail"
	}{
		"at an attribute": {
			refusal(400, "", "name", "is invalid"),
			[]string{"name: " + asked + "400 Bad Request: name is invalid.\n\nChoose another name: lower-case letters, digits and dashes, at least three characters and beginning with a letter, such as web1 or db-2, are usually valid. Nothing was created."},
		},
		"at many": {
			refusal(400, "", "name", "is invalid", "zone_name", "is not included in the list", "colour", "is unknown"),
			[]string{
				"name: " + asked + "400 Bad Request: name is invalid.\n\nChoose another name: lower-case letters, digits and dashes, at least three characters and beginning with a letter, such as web1 or db-2, are usually valid. Nothing was created.",
				"zone_name: " + asked + "400 Bad Request: zone_name is not included in the list.\n\nThe data source cloudserver_definitions lists what the service offers. Nothing was created.",
				": " + asked + "400 Bad Request: colour is unknown.\n\nNothing was created.",
			},
		},
		"at addresses": {
			refusal(400, "", "ips", "192.0.2.10 is already in use"),
			[]string{"ips: " + asked + "400 Bad Request: ips 192.0.2.10 is already in use.\n\nAddresses can be chosen in a group on a private VLAN only, and there among those that no other machine holds. " +
				"Choose others, or leave them out to have them allocated. Nothing was created."},
		},
		"at nothing that is known": {
			refusal(400, "colour is unknown", "colour", "is unknown"),
			[]string{": " + asked + "400 Bad Request: colour is unknown.\n\nNothing was created."},
		},
		"words alone":          {refusal(400, "Sorry!"), []string{": " + asked + "400 Bad Request: Sorry!\n\nNothing was created."}},
		"a status nobody uses": {refusal(499, ""), []string{": " + asked + "499.\n\nNothing was created."}},
		"no session":           {refusal(401, "no valid session"), []string{": " + asked + "401 Unauthorized: no valid session.\n\n" + credentials + " Nothing was created."}},
		"a cause in front": {
			fmt.Errorf("no credentials are configured: %w", refusal(401, "no valid session", "", "no valid session")),
			[]string{": No credentials are configured: " + asked + "401 Unauthorized: no valid session.\n\n" + credentials + " Nothing was created."},
		},
		"no right":         {refusal(403, "read only"), []string{": " + asked + "403 Forbidden: read only.\n\nIf these credentials lack permission, use others or request access. Nothing was created."}},
		"no right, unsaid": {refusal(403, ""), []string{": " + asked + "403 Forbidden.\n\nThese credentials lack permission: use others or request access. Nothing was created."}},
		"a quota":          {refusal(403, "You have used up your quota of cores"), []string{": " + asked + "403 Forbidden: You have used up your quota of cores.\n\n" + limit + " Nothing was created."}},
		"a limit":          {refusal(403, "Account limit exceeded"), []string{": " + asked + "403 Forbidden: Account limit exceeded.\n\n" + limit + " Nothing was created."}},
		"a suspended account": {
			refusal(403, "the account is suspended"),
			[]string{": " + asked + "403 Forbidden: the account is suspended.\n\nNothing in a suspended account can be changed: ask the service's operator to reactivate it. Nothing was created."},
		},
		"a proxy": {
			&cloudserver.Error{Method: "POST", Path: "/accounts/demo/groups/default/vm_create", StatusCode: 403, Message: "Blocked", Page: true},
			[]string{": " + asked + "403 Forbidden: Blocked.\n\nThe answer is a page for a browser, so it comes from a proxy or from another server than the service. " +
				"Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the base URL of the service's HTTP API. Nothing was created."},
		},
		"busy": {
			refusal(503, ""),
			[]string{": " + asked + "503 Service Unavailable.\n\nThe service is busy. Run the same command again later. Nothing was created."},
		},
		"no room to start": {
			&cloudserver.Error{Method: "PUT", Path: "/accounts/demo/groups/default/virtual_machines/7", StatusCode: 503, Message: "no head has room for this virtual machine"},
			[]string{": PUT /accounts/demo/groups/default/virtual_machines/7 answered 503 Service Unavailable: no head has room for this virtual machine.\n\nThe service is busy. Run the same command again later, or raise max_retries in the provider block to wait longer. Nothing was created."},
		},
		"no room": {
			refusal(503, "No head has room for this virtual machine"),
			[]string{": " + asked + "503 Service Unavailable: No head has room for this virtual machine.\n\nThe service has no capacity for this machine: configure a smaller one or another zone_name, or run the same command again later. Nothing was created."},
		},
		"failed": {
			refusal(500, ""),
			[]string{": " + asked + "500 Internal Server Error.\n\nThe service, or a proxy in front of it, has failed. Run the same command again later, and ask the service's operator if it continues. If cdrom_url is configured, check it: the service answers this way when it cannot use one. Nothing was created."},
		},
		"out of reach": {
			&cloudserver.TransportError{Method: "GET", Path: "/definitions", Endpoint: "https://a.example", Err: errors.New("connection refused")},
			[]string{": GET /definitions: cannot reach https://a.example: connection refused.\n\n" +
				"Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service, and that it can be reached from here. Nothing was created."},
		},
		"interrupted": {fmt.Errorf("waiting for a session: %w", context.Canceled), []string{": Waiting for a session: context canceled.\n\nNothing was created."}},
		"an address in front": {
			errors.New("https://a.example answered something else than a session"),
			[]string{": https://a.example answered something else than a session.\n\nNothing was created."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diags diag.Diagnostics
			tfkit.AddError(&diags, "Cannot create", test.err, rootOf, "Nothing was created.")
			var got []string
			for _, d := range diags {
				at := ""
				if withPath, ok := d.(diag.DiagnosticWithPath); ok {
					at = withPath.Path().String()
				}
				if d.Severity() != diag.SeverityError || d.Summary() != "Cannot create" {
					t.Errorf("%s: %s", d.Severity(), d.Summary())
				}
				got = append(got, at+": "+d.Detail())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("diagnostics (-want +got)\n%s", diff)
			}
		})
	}
}

// A refusal with thousands of problems does not flood the terminal.
func TestDiagnosticsOfOneErrorAreBounded(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]int{1: 1, 19: 19, 20: 20, 21: 20, 5000: 20} {
		var problems []string
		for i := range count {
			problems = append(problems, "name", fmt.Sprintf("is invalid for reason %d", i))
		}
		var diags diag.Diagnostics
		tfkit.AddError(&diags, "Cannot do it", refusal(400, "", problems...), rootOf, "")
		if len(diags) != want {
			t.Errorf("%d problems became %d diagnostics, want %d", count, len(diags), want)
		}
		if last := diags[len(diags)-1].Detail(); count > want && last != fmt.Sprintf("The service names these problems and %d more.", count-want+1) {
			t.Errorf("the last of %d says %q", count, last)
		}
	}
}

// TestWithAction: where the CLI has no actions, messages show the command that does the same.
func TestWithAction(t *testing.T) {
	t.Parallel()
	arguments := []string{"virtual_machine_id=1004", "name=it's"}
	for want, data := range map[string]*tfkit.ProviderData{
		`with the action cloudserver_vm_purge (virtual_machine_id = "1004", name = "it's")`:          {},
		`with terraform-provider-cloudserver invoke vm_purge virtual_machine_id=1004 'name=it'\''s'`: {NoActions: true},
	} {
		if got := data.WithAction("vm_purge", arguments...); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	if got := new(tfkit.ProviderData).WithAction("vm_purge"); got != "with the action cloudserver_vm_purge" {
		t.Errorf("without arguments: %s", got)
	}
}
