package console

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// newAsker returns a function that sends requests to an emulator with one machine, web1, and the emulator.
func newAsker(t *testing.T) (func(call, body string) *httptest.ResponseRecorder, *emulator.Emulator) {
	t.Helper()
	d, err := parseFlags(t, "--quiet", "--boot-time", "0s", "--copy-time", "0s").newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	handler := d.server(t.Context(), io.Discard).Handler
	send := func(call, body string) *httptest.ResponseRecorder {
		method, path, _ := strings.Cut(call, " ")
		r := newRequest(t, method, "http://127.0.0.1"+path, body)
		r.RemoteAddr = "127.0.0.1:5"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	if w := send("POST "+create, web1); w.Code != 202 {
		t.Fatal(w.Code, w.Body)
	}
	return send, d.emulator
}

// TestEventsLeaveAWorldThatLoads: an event after which the world could not be loaded is refused and has no effect.
// After any other the world can be loaded.
func TestEventsLeaveAWorldThatLoads(t *testing.T) {
	t.Parallel()
	send, e := newAsker(t)
	texts := []string{"", "WEB 1", "-x", "x-", strings.Repeat("x", 64), "\u00e9", "a/b", "..", "a.b", "\u0000", "ok1", "web1"}
	loads := func(event string) {
		t.Helper()
		world := send("GET /_emulator/world", "")
		if _, err := emulator.NewFrom(emulator.Options{}, world.Body.Bytes()); err != nil {
			t.Fatalf("after %s the world cannot be loaded: %v", event, err)
		}
	}
	for _, kind := range kindsOfEvents() {
		for _, text := range texts {
			id := e.Machines()[0].ID
			for _, event := range []string{
				fmt.Sprintf(`{"event":%q,"virtual_machine":"%d","name":%q}`, kind.Event, id, text),
				fmt.Sprintf(`{"event":%q,"virtual_machine":"%d","disc":"vda","name":%q,"storage_grade":%[3]q,"storage_pool":%[3]q}`, kind.Event, id, text),
				fmt.Sprintf(`{"event":%q,"virtual_machine":"%d","disc":%q,"size":%d,"storage_grade":"sata"}`, kind.Event, id, text, len(text)),
				fmt.Sprintf(`{"event":%q,"account":%q}`, kind.Event, text),
			} {
				before := send("GET /_emulator/world", "").Body.String()
				w := send("POST /_emulator/staff", event)
				loads(event)
				if after := send("GET /_emulator/world", "").Body.String(); w.Code == 400 && len(after) != len(before) {
					t.Errorf("%s was refused, and something happened:\n%s", event, w.Body)
				}
			}
		}
		_ = send("POST /_emulator/staff", `{"event":"open-account","account":"demo"}`)
		_ = send("POST /_emulator/staff", `{"event":"resume-account","account":"demo"}`)
	}
	id := e.Machines()[0].ID
	for name, status := range map[string]int{"WEB 1": 400, "-x": 400, "fine": 204} {
		if w := send("POST /_emulator/staff", fmt.Sprintf(`{"event":"rename","virtual_machine":"%d","name":%q}`, id, name)); w.Code != status {
			t.Errorf("%q: %d %s", name, w.Code, w.Body)
		}
	}
	for n := range 12 {
		_ = send("POST /_emulator/staff", fmt.Sprintf(`{"event":"attach-disc","virtual_machine":"%d","disc":"more%d"}`, id, n))
		loads("attach-disc")
	}
}

// TestFaultsAreNoPages: a fault's answer is JSON or plain text, and a browser is told not to guess.
func TestFaultsAreNoPages(t *testing.T) {
	t.Parallel()
	send, _ := newAsker(t)
	for fault, want := range map[string]string{
		`GET /accounts 503 times=1 body="<html><script>alert(1)</script>"`:       "text/plain; charset=utf-8",
		`GET /accounts 200 times=1 body="{\"a\":\"<script>alert(1)</script>\"}"`: "application/json",
		`GET /accounts 503 times=1`:                         "text/plain; charset=utf-8",
		`GET /accounts 503 times=1 retry-after=5 body="[]"`: "application/json",
		`GET /accounts garbage times=1`:                     "application/json",
	} {
		if w := send("POST /_emulator/faults", fault); w.Code != 200 {
			t.Fatal(fault, w.Code, w.Body)
		}
		w := send("GET /accounts", "")
		if kind := w.Header().Get("Content-Type"); kind != want || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %q, %q", fault, kind, w.Header())
		}
		if wait := w.Header().Get("Retry-After"); strings.Contains(fault, "retry-after") != (wait == "5") {
			t.Errorf("%s: Retry-After %q", fault, wait)
		}
	}
}

// TestPatternsAreBounded: a fault or a query that would take long is refused.
func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	send, _ := newAsker(t)
	for length, status := range map[int]int{4 << 10: 200, 4<<10 + 1: 400, 60 << 10: 400} {
		match := "GET /" + strings.Repeat("*a", length/2)
		for _, path := range []string{match[:length], match[:length-1] + "*"} {
			w := send("POST /_emulator/faults", path+" 503 times=1")
			if refusedAsLong := strings.Contains(w.Body.String(), "want at most 4096"); refusedAsLong != (status == 400) {
				t.Errorf("%d characters: %d %.200s", length, w.Code, w.Body)
			}
		}
		w := send("GET /_emulator/requests?path="+url.QueryEscape(match)[:length-5], "")
		if w.Code != status {
			t.Errorf("a query of %d characters: %d %.200s", length, w.Code, w.Body)
		}
	}
	_ = send("DELETE /_emulator/faults", "")
	for n := range emulator.MaxFaults + 1 {
		w := send("POST /_emulator/faults", "GET /accounts 503 times=1 skip=1000000")
		if full := w.Code == http.StatusInsufficientStorage; full != (n >= emulator.MaxFaults) || !full && w.Code != 200 {
			t.Fatalf("fault %d: %d %s", n, w.Code, w.Body)
		}
	}
	if w := send("GET /_emulator/world", ""); w.Code != 200 {
		t.Error(w.Code)
	} else if w := send("PUT /_emulator/world", w.Body.String()); w.Code >= 400 && w.Code != 405 && w.Code != 404 {
		t.Errorf("the world with all faults: %d %s", w.Code, w.Body)
	}
}
