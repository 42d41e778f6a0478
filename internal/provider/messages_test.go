// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestBadProviderBlock: a mistake in the provider block or the environment is reported once, at the argument to blame, and
// nothing is sent.
func TestBadProviderBlock(t *testing.T) {
	for name, test := range map[string]struct {
		config, env object
		at, summary string
		says        string // one phrase
	}{
		"no endpoint":            {config: object{"endpoint": nil}, at: "endpoint", summary: "Missing endpoint", says: "which is absent or empty"},
		"an empty endpoint":      {config: object{"endpoint": ""}, at: "endpoint", summary: "Invalid text", says: "set it to null"},
		"no scheme":              {config: object{"endpoint": "api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "https://api.example.com"},
		"a variable of that":     {env: object{"ENDPOINT": "api.example.com"}, config: object{"endpoint": nil}, at: "endpoint", summary: "Invalid endpoint", says: "CLOUDSERVER_ENDPOINT in the environment"},
		"credentials in a URL":   {config: object{"endpoint": "https://me:marker@api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "must not contain a user or password"},
		"a query":                {config: object{"endpoint": "https://api.example.com/?a=b"}, at: "endpoint", summary: "Invalid endpoint", says: "without a query"},
		"plain HTTP":             {config: object{"endpoint": "http://api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "allow_http = true"},
		"plain HTTP to a login":  {config: object{"auth_endpoint": "auth"}, at: "auth_endpoint", summary: "Invalid auth_endpoint", says: `"auth"`},
		"a token and a user":     {config: object{"token": "marker", "username": "demo", "password": "demo"}, at: "token", summary: "Invalid Attribute Combination", says: "[token,username]"},
		"a token and a file":     {config: object{"token": "marker", "token_file": "/run/token"}, at: "token", summary: "Invalid Attribute Combination", says: "[token,token_file]"},
		"two in the environment": {env: object{"TOKEN": "marker", "USERNAME": "demo", "PASSWORD": "demo"}, summary: "Conflicting credentials", says: "CLOUDSERVER_TOKEN"},
		"no password":            {config: object{"username": "demo"}, at: "password", summary: "Incomplete credentials", says: "CLOUDSERVER_PASSWORD"},
		"no username":            {config: object{"password": "marker"}, at: "username", summary: "Incomplete credentials", says: "CLOUDSERVER_USERNAME"},
		"no certificate":         {config: object{"ca_certificate": "-----BEGIN NOTHING-----"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "PEM"},
		"no file of one":         {config: object{"ca_certificate": "/nowhere/ca.pem"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "/nowhere/ca.pem"},
		"no duration":            {config: object{"request_timeout": "30"}, at: "request_timeout", summary: "Invalid duration", says: "90s"},
		"no machine at a time":   {config: object{"max_unavailable": 0}, at: "max_unavailable", summary: "Invalid Attribute Value", says: "at least 1"},
		"an account as a path":   {config: object{"account": "demo/default"}, at: "account", summary: "Invalid name", says: "/"},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			config := object{"endpoint": "https://service.example"}
			maps.Copy(config, test.config)
			seen := &recorder{}
			diags := acctest.OpenDriver(t, acctest.NewServer(t, provider.New("test", provider.WithTransport(seen))())).Configure(t.Context(), config)
			expectError(t, diags, test.at, test.summary, test.says)
			if strings.Contains(acctest.DiagText(diags), "marker") {
				t.Error("the message contains a secret")
			}
			if len(seen.sent) > 0 {
				t.Errorf("sent %q", seen.sent)
			}
		})
	}
}

// TestFractions: a number with a fraction is refused by what to write instead, in each block that has whole numbers.
func TestFractions(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for name, test := range map[string]struct {
		resource string
		config   object
		at, says string
	}{
		"written":    {resource: "cloudserver_vm", config: object{"name": "web1", "memory": 1000.5}, at: "memory", says: "memory has to be a whole number of megabytes, and 1000.5 has a fraction"},
		"of no unit": {resource: "cloudserver_vm", config: object{"name": "web1", "cores": 1.5}, at: "cores", says: "cores has to be a whole number, and 1.5 has a fraction"},
		"calculated": {resource: "cloudserver_vm", config: object{"name": "web1", "memory": 100000.0 / 3}, at: "memory", says: "floor(100000 / 3)"},
		"in a list":  {resource: "cloudserver_vm", config: object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600.5}}}, at: "disc", says: "size in the block disc has to be a whole number of megabytes, and 25600.5 has a fraction"},
		"in a block": {resource: "cloudserver_vm", config: object{"name": "web1", "ready": object{"port": 22.5}}, at: "ready", says: "port in the block ready"},
		"small":      {resource: "cloudserver_backup_schedule", config: object{"virtual_machine_id": "5", "disc_id": "7", "start_at": "2027-01-01T00:00:00Z", "interval_seconds": 1e-9}, at: "interval_seconds", says: "1e-09 has a fraction"},
	} {
		t.Run(name, func(t *testing.T) {
			expectError(t, d.Validate(test.resource, test.config), test.at, "Invalid number", test.says)
		})
	}
	t.Run("in the provider block", func(t *testing.T) {
		server := acctest.NewServer(t, provider.New("test")())
		expectError(t, acctest.OpenDriver(t, server).Configure(t.Context(), object{"max_retries": 1.5}), "max_retries", "Invalid number", "1.5")
	})
}

// TestServiceThatCannotBeUsed: the plan of a machine says why the service cannot be asked. Where a problem may pass, that
// is a warning.
func TestServiceThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings object
		fault    emulator.Fault
		severity string
		says     []string
	}{
		"no credentials":       {settings: object{"token": nil}, severity: "error", says: []string{"No credentials are configured", "401 Unauthorized"}},
		"a wrong token":        {settings: object{"token": "apikey.wrong"}, severity: "error", says: []string{"token in the provider block", "401 Unauthorized"}},
		"a wrong password":     {settings: object{"token": nil, "username": "demo", "password": "wrong"}, severity: "error", says: []string{"refuses the username or the password", "Bad login credentials"}},
		"a second factor":      {settings: object{"token": nil, "username": "careful", "password": "careful"}, severity: "error", says: []string{"second factor", "login"}},
		"no permission":        {fault: emulator.Fault{Status: http.StatusForbidden, Body: "not permitted"}, severity: "error", says: []string{"403 Forbidden", "not permitted"}},
		"another site's page":  {fault: emulator.Fault{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html><title>Log in</title></html>"}, severity: "error", says: []string{"a page for a browser", "endpoint"}},
		"down for a moment":    {settings: object{"max_retries": 0}, fault: emulator.Fault{Status: http.StatusServiceUnavailable, Body: "back soon"}, severity: "warning", says: []string{"503 Service Unavailable", "back soon"}},
		"no account":           {settings: object{"account": nil}, severity: "error", says: []string{"error at account", "CLOUDSERVER_ACCOUNT"}},
		"an invisible account": {settings: object{"account": "dmeo"}, severity: "error", says: []string{"error at account", `Did you mean "demo"?`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, e := acctest.Drive(t, emulator.Options{}, nil)
				e.AddUser(emulator.User{Name: "careful", Password: "careful", SecondFactor: true, Codes: []string{"123456"}})
				if test.fault.Status != 0 {
					e.Inject(test.fault)
				}
				config := object{"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}}
				diags := e.NewDriver(t, test.settings).Plan(t.Context(), "cloudserver_vm", nil, config).Diagnostics
				text := acctest.DiagText(diags)
				if len(diags) != 1 || !strings.HasPrefix(text, test.severity) {
					t.Errorf("want one %s, got\n%s", test.severity, text)
				}
				for _, phrase := range test.says {
					if !strings.Contains(text, phrase) {
						t.Errorf("want %q in\n%s", phrase, text)
					}
				}
				time.Sleep(time.Hour) // abandoned requests end
			})
		})
	}
}

// expectError expects one diagnostic, an error at the attribute.
func expectError(t *testing.T, diags []*tfprotov6.Diagnostic, at, summary string, says ...string) {
	t.Helper()
	head, text := "error: ", acctest.DiagText(diags)
	if at != "" {
		head = "error at " + at + ": "
	}
	if len(diags) != 1 || !strings.HasPrefix(text, head+summary+"\n") {
		t.Errorf("want one %s%s\ngot\n%s", head, summary, text)
	}
	for _, phrase := range says {
		if !strings.Contains(text, phrase) {
			t.Errorf("want %q in\n%s", phrase, text)
		}
	}
}

// TestOwnAuthority: ca_certificate is a certificate, or a file that contains one. The error without it is tested in
// cloudserver.
func TestOwnAuthority(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(emulator.New(emulator.Options{}))
	t.Cleanup(server.Close)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, authority := range []string{string(certificate), file} {
		d := configured(t, nil, object{"endpoint": server.URL, "ca_certificate": authority})
		d.MustReadData(t.Context(), "cloudserver_definitions", nil)
	}
}
