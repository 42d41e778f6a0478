// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestNewRefusesBadConfiguration: the error names the argument, and shows no secret.
func TestNewRefusesBadConfiguration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config cloudserver.Config
		field  string
		holds  string
	}{
		"no endpoint": {config: cloudserver.Config{}, field: "endpoint", holds: "required"},
		"no scheme": {
			config: cloudserver.Config{Endpoint: "api.example.com"},
			field:  "endpoint",
			holds:  "https://api.example.com",
		},
		"other scheme": {
			config: cloudserver.Config{Endpoint: "ftp://api.example.com"},
			field:  "endpoint",
			holds:  "must be a URL",
		},
		"plain http": {
			config: cloudserver.Config{Endpoint: "http://api.example.com"},
			field:  "endpoint",
			holds:  "allow_http",
		},
		"plain http for log-ins": {
			config: cloudserver.Config{Endpoint: "https://a.example", AuthEndpoint: "http://a.example"},
			field:  "auth_endpoint",
			holds:  "allow_http",
		},
		"session for a day": {
			config: cloudserver.Config{Endpoint: testEndpoint, SessionValidity: 24 * time.Hour},
			field:  "session_validity",
			holds:  "between one minute and one hour, not 24h",
		},
		"broken token": {
			config: cloudserver.Config{Endpoint: testEndpoint, Token: "secret\nX: y"},
			field:  "token",
			holds:  "line break",
		},
	} {
		_, err := cloudserver.New(test.config)
		at, _ := errors.AsType[*cloudserver.ConfigError](err)
		if at == nil || at.Field != test.field || !strings.Contains(at.Error(), test.holds) || strings.Contains(at.Error(), "secret") {
			t.Errorf("%s: got %v, want %q at %s", name, err, test.holds, test.field)
		}
	}
}

func TestNewAcceptsPlainHTTP(t *testing.T) {
	t.Parallel()
	for endpoint, allow := range map[string]bool{
		"http://127.0.0.1:8787": false, "http://[::1]:8787/": false, "http://localhost": false, "http://LOCALHOST:8787": false, "http://api.example.com": true,
	} {
		client, err := cloudserver.New(cloudserver.Config{Endpoint: endpoint, AllowHTTP: allow})
		if err != nil {
			t.Errorf("%s: %v", endpoint, err)
			continue
		}
		if client.Endpoint() != endpoint {
			t.Errorf("endpoint %q became %q", endpoint, client.Endpoint())
		}
	}
}

func TestPrintsShowNoSecret(t *testing.T) {
	t.Parallel()
	config := cloudserver.Config{Endpoint: testEndpoint, Token: "marker", Password: "marker"}
	reimage := cloudserver.Reimage{Distribution: "bookworm", RootPassword: "marker", FirstbootScript: "marker"}
	for _, format := range []string{"%v", "%+v", "%s"} {
		for _, value := range []any{config, reimage, &reimage, cloudserver.VirtualMachineCreate{Reimage: &reimage}} {
			if text := fmt.Sprintf(format, value); strings.Contains(text, "marker") {
				t.Errorf("%s of %T shows a secret: %s", format, value, text)
			}
		}
	}
}

// TestPaths: every element is escaped, and one that could lead to another object is refused.
func TestPaths(t *testing.T) {
	t.Parallel()
	for account, want := range map[string]string{"a b": "a%20b", "50%": "50%25", "...": "...", "x?y#z": "x%3Fy%23z", "é": "%C3%A9"} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err != nil {
			t.Errorf("%q: %v", account, err)
		} else if got := service.journal()[0].path; got != "/base/accounts/"+want+"/groups/g/virtual_machines" {
			t.Errorf("%q: asked %s", account, got)
		}
	}
	for _, account := range []string{"", " ", ".", "..", "a/b"} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err == nil || len(service.journal()) > 0 {
			t.Errorf("%q: got %v after %d requests, want it refused", account, err, len(service.journal()))
		}
	}
}

func TestParseID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"7": 7, "07": 0, "0": 0, "-7": 0, "x": 0, "": 0, "9223372036854775808": 0} {
		if got, err := cloudserver.ParseID(text); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
}
