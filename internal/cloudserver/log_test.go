package cloudserver_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Every kind of call that carries a secret, at TRACE, with services that echo
// what they are sent in every way.
func TestLogShowsNoSecret(t *testing.T) {
	t.Parallel()
	const password, script = "marker-root&<1>", "#!/bin/sh\necho marker-script"
	echo := func(status int, contentType string) step {
		return answer(status, `{"reimage":{"root_password":"`+password+`","firstboot_script":"marker-script"},"note":"for `+password+` and marker-token","virtual_machine":{"id":7,"name":"web1"}}`, "Content-Type", contentType)
	}
	create := wanted()
	create.Reimage = &cloudserver.Reimage{Distribution: "bookworm", RootPassword: password, FirstbootScript: script}
	for name, steps := range map[string][]step{
		"accepted":  {echo(202, "application/json")},
		"refused":   {echo(400, "application/json")},
		"text":      {answer(400, "bad: "+password+" "+script)},
		"HTML":      {answer(400, "<p>"+url.QueryEscape(password)+"</p>", "Content-Type", "text/html")},
		"cut":       {cut, echo(200, "application/json")},
		"cut JSON":  {answer(202, `{"root_password":"`+password), echo(404, "")},
		"throttled": {echo(429, ""), echo(202, "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				ctx := tflogtest.RootLogger(t.Context(), &log)
				client := newClient(t, serve(steps...), withRetries(1), func(c *cloudserver.Config) { c.Token = "marker-token" })
				_, err := client.CreateVirtualMachine(ctx, "acme", "default", create)
				if err != nil {
					log.WriteString(err.Error())
				}
				expectNoMarker(t, log.String())
				if !strings.Contains(log.String(), `"path":"/accounts/acme/groups/default/vm_create"`) {
					t.Errorf("the call is not in the log: %s", log.String())
				}
			})
		})
	}
}

func TestLogShowsNoSession(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(context.Background(), &log)
	service := serve(answer(200, "marker-session"), answer(400, "marker-session is bad"), answer(404, "marker-session"), answer(200, `{"username":"marker-user"}`))
	client := newClient(t, service, withLogin)
	_, callErr := client.VirtualMachine(ctx, 7)
	for _, err := range []error{callErr, client.CheckSession(ctx, "marker-session"), client.CheckSession(ctx, "marker-session")} {
		if err != nil {
			log.WriteString(err.Error())
		}
	}
	expectNoMarker(t, log.String())
	if !strings.Contains(log.String(), `/session/(hidden)`) {
		t.Errorf("the check is not in the log: %s", log.String())
	}
}

func expectNoMarker(t *testing.T, log string) {
	t.Helper()
	for _, form := range []string{"marker", url.QueryEscape("marker-root&<1>"), base64.StdEncoding.EncodeToString([]byte("marker-root&<1>"))} {
		if at := strings.Index(log, form); at >= 0 {
			t.Errorf("the log shows a secret: …%s…", log[max(0, at-200):min(len(log), at+100)])
		}
	}
}

// The log is there to be read: what it does tell.
func TestLogTells(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		service := serve(cut, answer(200, `{"id":7,"name":"web1","cores":2}`))
		if _, err := newClient(t, service).VirtualMachine(ctx, 7); err != nil {
			t.Fatal(err)
		}
		entries, err := tflogtest.MultilineJSONDecode(&log)
		if err != nil || len(entries) != 3 {
			t.Fatalf("%d entries, %v; want a failure, an answer, its bodies", len(entries), err)
		}
		for i, want := range []map[string]any{
			{"@level": "debug", "method": "GET", "path": "/virtual_machines/7?view=overview", "attempt": 1.0, "error": "connection reset by peer"},
			{"@level": "debug", "method": "GET", "status": 200.0, "attempt": 2.0, "duration_ms": 0.0},
			{"@level": "trace", "response": `{"cores":2,"id":7,"name":"web1"}`, "request": ""},
		} {
			for key, value := range want {
				if entries[i][key] != value {
					t.Errorf("entry %d: %s is %v, want %v", i, key, entries[i][key], value)
				}
			}
		}
	})
}
