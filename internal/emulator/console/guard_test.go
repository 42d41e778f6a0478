package console

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard checks who may ask what: no web page of another site, and for the page and the control paths no other machine.
func TestGuard(t *testing.T) {
	t.Parallel()
	const (
		page    = "/"
		control = "/_emulator/world"
		service = "/definitions"
	)
	for name, c := range map[string]struct {
		flag          string
		host, from    string
		header, value string
		want          map[string]int
	}{
		"loopback address":                 {"", "127.0.0.1:8787", "127.0.0.1:5", "", "", map[string]int{page: 200, control: 200, service: 200}},
		"IPv6 loopback address":            {"", "[::1]:8787", "[::1]:5", "", "", map[string]int{page: 200, control: 200, service: 200}},
		"localhost":                        {"", "LocalHost", "127.0.0.1:5", "", "", map[string]int{page: 200, control: 200, service: 200}},
		"DNS rebinding":                    {"", "evil.example:8787", "127.0.0.1:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"a name that looks like localhost": {"", "127.0.0.1.evil.example", "127.0.0.1:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"no host":                          {"", "", "127.0.0.1:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"another site's page":              {"", "127.0.0.1:8787", "127.0.0.1:5", "Origin", "https://evil.example", map[string]int{page: 403, control: 403, service: 403}},
		"a page without origin":            {"", "127.0.0.1:8787", "127.0.0.1:5", "Origin", "null", map[string]int{page: 403, control: 403, service: 403}},
		"another port's page":              {"", "127.0.0.1:8787", "127.0.0.1:5", "Origin", "http://127.0.0.1:9", map[string]int{page: 403, control: 403, service: 403}},
		"its own page":                     {"", "127.0.0.1:8787", "127.0.0.1:5", "Origin", "http://127.0.0.1:8787", map[string]int{page: 200, control: 200, service: 200}},
		"an image on another site":         {"", "127.0.0.1:8787", "127.0.0.1:5", "Sec-Fetch-Site", "cross-site", map[string]int{page: 403, control: 403, service: 403}},
		"another machine, not allowed":     {"", "192.0.2.7:8787", "192.0.2.9:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"another machine, allowed":         {"-emulator-allow-remote", "192.0.2.7:8787", "192.0.2.9:5", "", "", map[string]int{page: 403, control: 403, service: 200}},
		"another machine, as localhost":    {"-emulator-allow-remote", "localhost:8787", "192.0.2.9:5", "", "", map[string]int{page: 403, control: 403, service: 200}},
		"a host that is allowed":           {"-emulator-allow-remote=emulator,CI.test", "ci.test:8787", "192.0.2.9:5", "", "", map[string]int{page: 200, control: 200, service: 200}},
		"a container's published port":     {"-emulator-allow-remote=emulator", "127.0.0.1:8787", "172.17.0.1:5", "", "", map[string]int{page: 200, control: 200, service: 200}},
		"another site in a container":      {"-emulator-allow-remote=emulator", "evil.example:8787", "172.17.0.1:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"a host that is not":               {"-emulator-allow-remote=emulator", "evil.example", "192.0.2.9:5", "", "", map[string]int{page: 403, control: 403, service: 403}},
		"another site's page, allowed":     {"-emulator-allow-remote", "evil.example", "127.0.0.1:5", "Origin", "http://evil.test", map[string]int{page: 403, control: 403, service: 403}},
	} {
		arguments := []string{"-quiet"}
		if c.flag != "" {
			arguments = append(arguments, c.flag)
		}
		d, err := command(t, arguments...).newDesk(t.Context(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		handler := d.server(t.Context(), io.Discard).Handler
		for path, want := range c.want {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			r.Host, r.RemoteAddr = c.host, c.from
			if c.header != "" {
				r.Header.Set(c.header, c.value)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != want || w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: GET %s answered %d %s, want %d", name, path, w.Code, strings.TrimSpace(w.Body.String()), want)
			}
		}
	}
}

// TestServicePathsAreNotTheConsoles checks that paths which a router would clean or redirect reach the service.
func TestServicePathsAreNotTheConsoles(t *testing.T) {
	t.Parallel()
	d, err := command(t, "-quiet").newDesk(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	handler := d.server(t.Context(), io.Discard).Handler
	for path, want := range map[string]string{
		"/accounts//groups": "no such account", "/accounts/a%2F..%2Fdemo/groups": "no such account", "/_emulatorx": "no such path",
		"/accounts/../_emulator/world": "no such path", "//_emulator/world": "no such path",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, nil)
		r.RemoteAddr = "127.0.0.1:5"
		r.Header.Set("Authorization", "Bearer apikey.demo")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("GET %s answered %d %s", path, w.Code, w.Body)
		}
	}
}
