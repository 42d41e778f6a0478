package console

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestChance: a fault with a chance acts now and then, in the same sequence for the same seed, and its actions are
// counted.
func TestChance(t *testing.T) {
	t.Parallel()
	acts := func(written string) (acted string) {
		fault, err := parseFault(written)
		if err != nil {
			t.Fatal(err)
		}
		e := emulator.New(emulator.Options{})
		e.Inject(fault)
		client := &http.Client{Transport: e.Transport()}
		for range 200 {
			answer, err := client.Do(newRequest(t, "GET", "http://emulator/definitions", ""))
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			acted += string("01"[answer.StatusCode/503])
		}
		if f := e.Faults()[0]; f.Asked != 200 || f.Acted != strings.Count(acted, "1") || !strings.Contains(f.Name, "seed=") {
			t.Errorf("%+v, acted as %s", f, acted)
		}
		return acted
	}
	first := acts("GET /definitions 503 chance=0.3 seed=5")
	if n := strings.Count(first, "1"); n < 30 || n > 90 {
		t.Errorf("acted %d times of 200", n)
	}
	if first != acts("GET /definitions 503 chance=0.3 seed=5") || first == acts("GET /definitions 503 chance=0.3") {
		t.Error("a seed is not what makes a run the same")
	}
}

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
		`POST */vm_create delay=1ms`:                     {202, `"web1"`},
		`POST */vm_create 500 contains="web1"`:           {500, "Internal Server Error"},
		`POST */vm_create 500 contains="other"`:          {202, `"web1"`},
		`POST */vm_create 500 skip=1`:                    {202, `"web1"`},
		`POST */vm_create 500 chance=1e-09 seed=7`:       {202, `"web1"`},
		`POST */vm_create 500 chance=1 seed=7`:           {500, "Internal Server Error"},
		`POST /accounts/demo/groups/private/* 500`:       {202, `"web1"`},
		`GET */virtual_machines 500`:                     {202, `"web1"`},
		`POST /acc* 500`:                                 {500, "Internal Server Error"},
		`POST /accounts/*/vm_create truncate=3 times=10`: {202, ""},
	} {
		fault, err := parseFault(written)
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if fault.Name != written {
			t.Errorf("%s is shown as %s", written, fault.Name)
		}
		f := emulator.New(emulator.Options{})
		f.Inject(fault)
		status, body := 0, ""
		if answer, err := (&http.Client{Transport: f.Transport()}).Do(newRequest(t, "POST", "http://emulator"+create, web1)); err == nil {
			content, _ := io.ReadAll(answer.Body) // truncated by one of the faults
			status, body = answer.StatusCode, string(content)
			_ = answer.Body.Close()
		}
		if status != want.status || !strings.Contains(body, want.body) {
			t.Errorf("%s: %d %s, want %d %s", written, status, body, want.status, want.body)
		}
		for _, armed := range f.Faults() {
			if !f.RemoveFaults(armed.ID) || f.RemoveFaults(armed.ID) {
				t.Errorf("%s: not removed once", written)
			}
		}
	}
	for written, want := range map[string]string{
		``: "METHOD PATH WHAT", `POST */vm_create`: "METHOD PATH WHAT", `POST * sometimes`: "none of STATUS",
		`PSOT */vm_create 500`: "the nearest is POST /accounts/{account}/groups/{group}/vm_create", `PUT */reimage* 500`: "/reimage",
		`GET /accouts 503`: "the nearest is GET /accounts", `GTE /discs/7* 503`: "the nearest is GET /discs/{disc_id}",
		`GET /definition 503`: "the nearest is GET /definitions", `GET http://127.0.0.1/definitions 503`: "no call of the service",
		`POST * 500 chance=2`: "not between 0 and 1", `POST * 500 chance=often`: "needs a number",
		`POST * 99`: "between 200 and 599", `POST * 500 cut`: "only one of", `POST * times=2`: "set one of",
		`POST * 500 times=x`: "needs a number", `POST * 500 times=-1`: "negative", `POST * delay=soon`: "not a duration", `POST * 500 body="x`: "invalid quotes",
	} {
		if _, err := parseFault(written); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", written, err, want)
		}
	}
}
