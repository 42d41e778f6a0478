package provider_test

import (
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestBadProviderBlock: every mistake is told once, at the argument to blame,
// with what to do; and nothing is sent.
func TestBadProviderBlock(t *testing.T) {
	cannot := func(name string) string { return "The provider's " + name + " cannot be used" }
	for name, test := range map[string]struct {
		config, env object
		at, summary string
		says        string
	}{
		"no endpoint": {
			object{"endpoint": nil},
			nil, "endpoint", "The service's address is missing",
			"Set endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, to the base address of the service's HTTP API. To try the provider without an account, start its emulator: ",
		},
		"an empty endpoint":           {object{"endpoint": ""}, nil, "endpoint", "Invalid empty value", "endpoint is empty. Set it to a value"},
		"a host instead of a URL":     {object{"endpoint": "api.example.com"}, nil, "endpoint", cannot("endpoint"), `endpoint must be a URL such as https://api.example.com, not "api.example.com".`},
		"a malformed endpoint":        {object{"endpoint": "https://[::1"}, nil, "endpoint", cannot("endpoint"), "endpoint is not a URL such as https://api.example.com."},
		"another scheme":              {object{"endpoint": "ftp://api.example.com"}, nil, "endpoint", cannot("endpoint"), "must be a URL such as https://api.example.com"},
		"a query":                     {object{"endpoint": "https://api.example.com/?a=b"}, nil, "endpoint", cannot("endpoint"), "must not hold a query or a fragment."},
		"credentials in the endpoint": {object{"endpoint": "https://me:marker-1-marker@api.example.com"}, nil, "endpoint", cannot("endpoint"), "must not hold a user or password; use token, or username and password."},
		"plain http to elsewhere": {
			object{"endpoint": "http://api.example.com"},
			nil, "endpoint", cannot("endpoint"),
			"endpoint is plain http://, which sends credentials unprotected; use https://, or set allow_http = true.",
		},
		"a malformed endpoint of the environment": {object{"endpoint": nil}, object{"ENDPOINT": "api.example.com"}, "endpoint", cannot("endpoint"), "must be a URL such as https://api.example.com"},
		"a malformed auth_endpoint":               {object{"auth_endpoint": "auth"}, nil, "auth_endpoint", cannot("auth_endpoint"), "auth_endpoint must be a URL such as https://api.example.com"},
		"a user without a password": {
			object{"username": "demo"},
			nil, "password", "Half of the credentials are missing",
			"There is a username but no password. Set password in the provider block, or CLOUDSERVER_PASSWORD in the environment; or use token instead of both.",
		},
		"a password without a user": {
			object{"password": "demo"},
			nil, "username", "Half of the credentials are missing",
			"There is a password but no username. Set username in the provider block, or CLOUDSERVER_USERNAME in the environment; or use token instead of both.",
		},
		"half a pair in the environment": {nil, object{"USERNAME": "demo"}, "password", "Half of the credentials are missing", "There is a username but no password."},
		"token and user": {
			object{"token": "one", "username": "demo", "password": "demo"},
			nil, "token", "Two ways to sign in",
			"The provider block has both token and one of username, password and otp. Keep token alone, or take it out.",
		},
		"token and user in the environment": {
			nil,
			object{"TOKEN": "one", "USERNAME": "demo", "PASSWORD": "demo"},
			"", "Two ways to sign in",
			"The environment has both CLOUDSERVER_TOKEN and CLOUDSERVER_USERNAME or CLOUDSERVER_PASSWORD. Unset one of them, or choose in the provider block.",
		},
		"a token with a line break":    {object{"token": "marker-1-marker\n"}, nil, "token", cannot("token"), "token holds a line break, a blank or another character that a token cannot have."},
		"a certificate that is none":   {object{"ca_certificate": "-----BEGIN NOTHING-----"}, nil, "ca_certificate", cannot("ca_certificate"), "ca_certificate holds no certificate in PEM form."},
		"a certificate file not there": {object{"ca_certificate": "/nowhere/ca.pem"}, nil, "ca_certificate", "Cannot read the CA certificate", "ca_certificate is neither PEM text nor the path of a file that can be read: open /nowhere/ca.pem: no such file or directory."},
		"a time-out that is none":      {object{"request_timeout": "soon"}, nil, "request_timeout", "Invalid duration", "a number and a unit, such as 90s"},
		"a time-out of zero":           {object{"request_timeout": "0s"}, nil, "request_timeout", "Invalid duration", `"0s" must be a positive duration`},
		"less than no retries":         {object{"max_retries": -1}, nil, "max_retries", "Invalid Attribute Value", "must be between 0 and 100"},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			config := object{"endpoint": "https://service.example"}
			for name, value := range test.config {
				config[name] = value
			}
			seen := &recorder{}
			diags := open(t, seen).Configure(t.Context(), config)
			expectError(t, diags, test.at, test.summary, test.says)
			if strings.Contains(acctest.DiagText(diags), "marker") {
				t.Error("the message tells a secret")
			}
			if len(seen.sent) > 0 {
				t.Errorf("sent %q", seen.sent)
			}
		})
	}
}

// expectError wants one diagnostic, an error at the attribute.
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

// TestUnreachableHost asks an address where nobody listens.
func TestUnreachableHost(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	d := open(t, nil)
	if diags := d.Configure(t.Context(), object{"endpoint": server.URL, "max_retries": 0}); len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	_, diags := d.ReadData(t.Context(), "cloudserver_definitions", nil)
	expectError(t, diags, "", "Cannot read the service's definitions", "GET /definitions: cannot reach "+server.URL+": ", "connection refused",
		"Check that endpoint in the provider block, or CLOUDSERVER_ENDPOINT in the environment, is the address of the service, and that it can be reached from here.")
}

// TestUntrustedCertificate: the message leads to ca_certificate, and that works
// as text and as a file.
func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	server := tlsEmulator(t)
	certificate := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(certificate), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		ca   any
		says string
	}{
		"not trusted":     {nil, "GET /definitions: the certificate of " + server.URL + " is not trusted: "},
		"trusted as text": {certificate, ""},
		"trusted by file": {file, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, nil)
			if diags := d.Configure(t.Context(), object{"endpoint": server.URL, "ca_certificate": test.ca}); len(diags) > 0 {
				t.Fatal(acctest.DiagText(diags))
			}
			_, diags := d.ReadData(t.Context(), "cloudserver_definitions", nil)
			if test.says == "" && len(diags) > 0 {
				t.Error(acctest.DiagText(diags))
			}
			if test.says != "" {
				expectError(t, diags, "", "Cannot read the service's definitions", test.says, "if it was issued by an authority of your own, set ca_certificate.")
			}
		})
	}
}

// tlsEmulator serves an emulator with a certificate that nobody trusts.
func tlsEmulator(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(emulator.New(emulator.Options{}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail are the point
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}
