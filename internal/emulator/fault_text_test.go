// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"io"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestParseFault: a fault acts as written, and is shown as written.
func TestParseFault(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]struct {
		status int // of a vm_create; 0 for no answer
		body   string
	}{
		`POST */vm_create 503 retry-after=7 times=2`: {503, "Service Unavailable"},
		`* * 429`: {429, "Too Many Requests"},
		`POST * 400 body="{\"name\": [\"no luck\"]}"`:    {400, "no luck"},
		`POST */vm_create cut after`:                     {0, ""},
		`POST */vm_create garbage`:                       {200, "<html>"},
		`POST */vm_create delay=1ms`:                     {202, `"new1"`},
		`POST */vm_create 500 contains="new1"`:           {500, "Internal Server Error"},
		`POST */vm_create 500 contains="other"`:          {202, `"new1"`},
		`POST */vm_create 500 skip=1`:                    {202, `"new1"`},
		`POST /accounts/demo/groups/private/* 500`:       {202, `"new1"`},
		`GET */virtual_machines 500`:                     {202, `"new1"`},
		`POST /acc* 500`:                                 {500, "Internal Server Error"},
		`POST /accounts/*/vm_create truncate=3 times=10`: {202, ""},
	} {
		fault, err := emulator.ParseFault(written)
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if fault.Name != written {
			t.Errorf("%s is shown as %s", written, fault.Name)
		}
		f := newFixture(t)
		f.Inject(fault)
		status, body := 0, ""
		if answer, err := f.client.Do(f.request(t, create, newMachine)); err == nil {
			content, _ := io.ReadAll(answer.Body) // truncated by one of the faults
			status, body = answer.StatusCode, string(content)
			_ = answer.Body.Close()
		}
		if status != want.status || !strings.Contains(body, want.body) {
			t.Errorf("%s: %d %s, want %d %s", written, status, body, want.status, want.body)
		}
	}
	for written, want := range map[string]string{
		``: "METHOD PATH WHAT", `POST */vm_create`: "METHOD PATH WHAT", `POST * sometimes`: "none of STATUS",
		`PSOT */vm_create 500`: "no call of the service matches PSOT */vm_create", `GET /accouts 503`: "no call of the service",
		`GTE /discs/7* 503`: "no call of the service", `GET http://127.0.0.1/definitions 503`: "no call of the service",
		`GET /definition 503`: "no call of the service", `GET * 503 chance=0.5`: "none of STATUS",
		`POST * 99`: "between 200 and 599", `POST * 500 cut`: "only one of", `POST * times=2`: "set one of",
		`POST * 500 times=x`: "needs a number", `POST * delay=soon`: "not a duration",
		`POST * 500 body="x`: "invalid quotes",
	} {
		if _, err := emulator.ParseFault(written); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", written, err, want)
		}
	}
}
