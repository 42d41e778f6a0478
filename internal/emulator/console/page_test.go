package console

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPage checks what the page shows, that it escapes hostile values, and that it shows no secret.
func TestPage(t *testing.T) {
	t.Parallel()
	seed := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(seed, []byte(`{"accounts":[{"name":"demo","groups":[{"name":"default","virtual_machines":[
		{"name":"web1","power_on":true,"last_imaged_with":"<img src=x onerror=alert(1)>","zone_name":"\u202etxt.exe","discs":[{"label":"\"><script>alert(1)</script>","size":25600}]},
		{"name":"old1","deleted":true}]}]}],"users":[{"name":"hidden","password":"correct horse"}],"api_keys":[{"key":"apikey.demo","user":"hidden"}],
		"events":[{"number":7,"time":"2026-11-20T12:00:00Z","id":5,"hostname":"<img src=y>.x","text":"<script>alert(2)</script>\u202e","by":"<b>","call":"PUT /<script>"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	endpoint, _, _ := start(t, "--seed", seed, "--boot-time", "1h", "--fault", `GET /accounts/<b> 503 body="</script>"`)
	for _, path := range []string{"/accounts", "/accounts/<script>", "/accounts/apikey.demo", "/session/abc", "/%73ession/apikey.x", "/accounts?session=abc"} {
		get(t, newRequest(t, "GET", endpoint+path, ""))
	}
	get(t, newRequest(t, "POST", endpoint+create, strings.Replace(web1, "web1", "web2", 1)))
	get(t, newRequest(t, "PUT", endpoint+machines+"/web2", `{"power_on":true}`))

	r := newRequest(t, "GET", endpoint+"/", "")
	r.Header.Set("Accept", "text/html,*/*")
	answer, page := get(t, r)
	if answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%v", answer.Header)
	}
	for _, want := range []string{
		"web1", "web2", "old1", `<span class="badge on">on</span>`, `<span class="badge deleted">deleted</span>`, "installing noble", "25 GiB", "<progress",
		"&lt;img src=x onerror=alert(1)&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", "no such account", `http-equiv="refresh"`, "198.51.100.2",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	for _, bad := range []string{"<img", "<script>alert", "correct horse", "session/abc", "\u202e", "src=\"", "href=\"http", "tricky", "style=", "onerror=\""} {
		if strings.Contains(page, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
	if n := len(regexp.MustCompile(`<script`).FindAllString(page, -1)); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	if answer, _ := get(t, newRequest(t, http.MethodPost, endpoint+"/", "{}")); answer.StatusCode != http.StatusNotFound && answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST / answered %d", answer.StatusCode)
	}
}

// TestVisible checks how unprintable characters are shown.
func TestVisible(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"web1": "web1", "a\x1b[2Jb": "a\ufffd[2Jb", "\u202eabc": "\ufffdabc", "Grüße": "Grüße", "a\u200bb": "a\ufffdb", "a\u0085b": "a\ufffdb"} {
		if got := visible(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
