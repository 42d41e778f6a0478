// SPDX-License-Identifier: MPL-2.0

package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard: web pages of other sites may request nothing, and other machines neither the page nor the control paths.
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
		"loopback address":                 {host: "127.0.0.1:8787", from: "127.0.0.1:5", want: map[string]int{page: 200, control: 200, service: 200}},
		"IPv6 loopback address":            {host: "[::1]:8787", from: "[::1]:5", want: map[string]int{page: 200, control: 200, service: 200}},
		"localhost":                        {host: "LocalHost", from: "127.0.0.1:5", want: map[string]int{page: 200, control: 200, service: 200}},
		"DNS rebinding":                    {host: "evil.example:8787", from: "127.0.0.1:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"a name that looks like localhost": {host: "127.0.0.1.evil.example", from: "127.0.0.1:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"no host":                          {from: "127.0.0.1:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"another site's page":              {host: "127.0.0.1:8787", from: "127.0.0.1:5", header: "Origin", value: "https://evil.example", want: map[string]int{page: 403, control: 403, service: 403}},
		"a page without origin":            {host: "127.0.0.1:8787", from: "127.0.0.1:5", header: "Origin", value: "null", want: map[string]int{page: 403, control: 403, service: 403}},
		"another port's page":              {host: "127.0.0.1:8787", from: "127.0.0.1:5", header: "Origin", value: "http://127.0.0.1:9", want: map[string]int{page: 403, control: 403, service: 403}},
		"its own page":                     {host: "127.0.0.1:8787", from: "127.0.0.1:5", header: "Origin", value: "http://127.0.0.1:8787", want: map[string]int{page: 200, control: 200, service: 200}},
		"an image on another site":         {host: "127.0.0.1:8787", from: "127.0.0.1:5", header: "Sec-Fetch-Site", value: "cross-site", want: map[string]int{page: 403, control: 403, service: 403}},
		"another machine, not allowed":     {host: "192.0.2.7:8787", from: "192.0.2.9:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"another machine, allowed":         {flag: "--allow-remote", host: "192.0.2.7:8787", from: "192.0.2.9:5", want: map[string]int{page: 403, control: 403, service: 200}},
		"another machine, as localhost":    {flag: "--allow-remote", host: "localhost:8787", from: "192.0.2.9:5", want: map[string]int{page: 403, control: 403, service: 200}},
		"a host that is allowed":           {flag: "--allow-remote=emulator,CI.test", host: "ci.test:8787", from: "192.0.2.9:5", want: map[string]int{page: 200, control: 200, service: 200}},
		"a container's published port":     {flag: "--allow-remote=emulator", host: "127.0.0.1:8787", from: "172.17.0.1:5", want: map[string]int{page: 200, control: 200, service: 200}},
		"another site in a container":      {flag: "--allow-remote=emulator", host: "evil.example:8787", from: "172.17.0.1:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"a host that is not":               {flag: "--allow-remote=emulator", host: "evil.example", from: "192.0.2.9:5", want: map[string]int{page: 403, control: 403, service: 403}},
		"another site's page, allowed":     {flag: "--allow-remote", host: "evil.example", from: "127.0.0.1:5", header: "Origin", value: "http://evil.test", want: map[string]int{page: 403, control: 403, service: 403}},
	} {
		var arguments []string
		if c.flag != "" {
			arguments = append(arguments, c.flag)
		}
		d, err := parse(t, arguments...).newServer(t.Context(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		handler := d.http(t.Context(), io.Discard).Handler
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

// TestServicePathsAreNoControlPaths: paths that a router would clean or redirect reach the service.
func TestServicePathsAreNoControlPaths(t *testing.T) {
	t.Parallel()
	d, err := parse(t).newServer(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	handler := d.http(t.Context(), io.Discard).Handler
	for path, want := range map[string]string{
		"/accounts//groups": "page not found", "/accounts/a%2F..%2Fdemo/groups": "no such account", "/_emulatorx": "page not found",
		"/accounts/../_emulator/world": "page not found", "//_emulator/world": "page not found",
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
