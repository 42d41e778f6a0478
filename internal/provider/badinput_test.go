package provider_test

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestBadProviderBlock reports every mistake once, at the argument to blame, with
// what to do, and sends nothing. The commoner ones are in the catalogue of
// mistakes (internal/e2e).
func TestBadProviderBlock(t *testing.T) {
	files := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(files, "pipe") // to open it would block for ever
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const example = "must be a URL such as https://api.example.com, not "
	for name, test := range map[string]struct {
		config, env object
		at, summary string
		says        string
	}{
		"an empty endpoint":           {object{"endpoint": ""}, nil, "endpoint", "Invalid Attribute Value Length", "endpoint string length must be at least 1"},
		"an empty account":            {object{"account": ""}, nil, "account", "Invalid Attribute Value Length", "account string length must be at least 1"},
		"an empty group":              {object{"group": ""}, nil, "group", "Invalid Attribute Value Length", "group string length must be at least 1"},
		"loopback and port":           {object{"endpoint": "localhost:8787"}, nil, "endpoint", "Invalid endpoint", example + `"localhost:8787"`},
		"a slash is missing":          {object{"endpoint": "https:/api.example.com"}, nil, "endpoint", "Invalid endpoint", example + `"https:/api.example.com"`},
		"a malformed endpoint":        {object{"endpoint": "https://[::1"}, nil, "endpoint", "Invalid endpoint", example},
		"an empty query":              {object{"endpoint": "https://api.example.com/?"}, nil, "endpoint", "Invalid endpoint", "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)."},
		"an empty fragment":           {object{"endpoint": "https://api.example.com/#"}, nil, "endpoint", "Invalid endpoint", "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)."},
		"credentials without scheme":  {object{"endpoint": "me:marker-1-marker@api.example.com"}, nil, "endpoint", "Invalid endpoint", "must not contain a user or password"},
		"credentials and a typo":      {object{"endpoint": "https:/me:marker-1-marker@api.example.com"}, nil, "endpoint", "Invalid endpoint", "must not contain a user or password"},
		"escaped credentials":         {object{"endpoint": "https://me:marker-1-marker%40api.example.com"}, nil, "endpoint", "Invalid endpoint", "must not contain a user or password"},
		"credentials with a question": {object{"endpoint": "https://me:marker-1?marker@api.example.com"}, nil, "endpoint", "Invalid endpoint", "must not contain a user or password"},
		"a name below localhost":      {object{"endpoint": "http://api.localhost"}, nil, "endpoint", "Invalid endpoint", "plain http:// sends credentials unprotected"},
		"a malformed auth_endpoint":   {object{"auth_endpoint": "auth"}, nil, "auth_endpoint", "Invalid auth_endpoint", "auth_endpoint " + example + `"auth".`},
		"a password without a user": {
			object{"password": "demo"},
			nil, "username", "Incomplete credentials",
			"There is a password but no username. Set username in the provider block, or CLOUDSERVER_USERNAME in the environment; or use token or token_file instead.",
		},
		"a password with a line break": {
			object{"username": "demo"},
			object{"PASSWORD": "marker-1-marker\n"},
			"password", "Invalid password",
			"CLOUDSERVER_PASSWORD in the environment contains a line break, as the contents of a file do; remove it.",
		},
		"half a pair in the environment": {nil, object{"USERNAME": "demo"}, "password", "Incomplete credentials", "There is a username but no password."},
		"token and user in the environment": {
			nil,
			object{"TOKEN": "one", "USERNAME": "demo", "PASSWORD": "demo"},
			"", "Conflicting credentials",
			"The environment has CLOUDSERVER_TOKEN and CLOUDSERVER_USERNAME. Unset all but one of them, or set one in the provider block.",
		},
		"three in the environment": {
			nil,
			object{"TOKEN": "one", "TOKEN_FILE": "t", "PASSWORD": "demo"},
			"", "Conflicting credentials", "The environment has CLOUDSERVER_TOKEN and CLOUDSERVER_TOKEN_FILE and CLOUDSERVER_PASSWORD.",
		},
		"a token file with more":      {object{"token_file": file("more", "marker-1-marker\nmore")}, nil, "token_file", "Invalid token_file", "more does not contain a token"},
		"a folder as token file":      {object{"token_file": files}, nil, "token_file", "Invalid token_file", "is not a regular file"},
		"a pipe as token file":        {object{"token_file": pipe}, nil, "token_file", "Invalid token_file", "is not a regular file"},
		"a pipe as certificate":       {object{"ca_certificate": pipe}, nil, "ca_certificate", "Invalid ca_certificate", "is not a regular file"},
		"a device as token file":      {nil, object{"TOKEN_FILE": "/dev/zero"}, "token_file", "Invalid token_file", "/dev/zero is not a regular file"},
		"a large token file":          {object{"token_file": file("large", strings.Repeat("marker-1-marker", 1<<17))}, nil, "token_file", "Invalid token_file", "large is larger than 1 MiB"},
		"a token file at ~":           {object{"token_file": "~/.token"}, nil, "token_file", "Invalid token_file", `token_file is "~/.token", and ~ is not expanded. Set token_file = pathexpand("~/.token").`},
		"a variable with ~":           {nil, object{"TOKEN_FILE": "~/.token"}, "token_file", "Invalid token_file", `CLOUDSERVER_TOKEN_FILE in the environment is "~/.token", and ~ is not expanded. Set the path with $HOME`},
		"a certificate at ~":          {object{"ca_certificate": "~/ca.pem"}, nil, "ca_certificate", "Invalid ca_certificate", `Set ca_certificate = pathexpand("~/ca.pem").`},
		"a wrong variable":            {nil, object{"CA_CERTIFICATE": "/nowhere/ca.pem"}, "ca_certificate", "Invalid ca_certificate", "CLOUDSERVER_CA_CERTIFICATE in the environment is neither PEM text nor the path"},
		"a token in quotes":           {object{"token": `"marker-1-marker"`}, nil, "token", "Invalid token", "token is in quotes, which are no part of a token; remove them."},
		"a variable in quotes":        {nil, object{"TOKEN": "'marker-1-marker'"}, "token", "Invalid token", "CLOUDSERVER_TOKEN in the environment is in quotes"},
		"a file with quotes":          {object{"token_file": file("quotes", "\"marker-1-marker\"\n")}, nil, "token_file", "Invalid token_file", "quotes contains a token in quotes: remove them."},
		"not a certificate":           {object{"ca_certificate": "-----BEGIN NOTHING-----"}, nil, "ca_certificate", "Invalid ca_certificate", "ca_certificate contains no certificate in PEM form"},
		"a key as certificate":        {object{"ca_certificate": "-----BEGIN RSA PRIVATE KEY-----\nbWFya2VyLTEtbWFya2Vy\n-----END RSA PRIVATE KEY-----\n"}, nil, "ca_certificate", "Invalid ca_certificate", "ca_certificate contains no certificate in PEM form"},
		"a broken certificate":        {object{"ca_certificate": "-----BEGIN CERTIFICATE-----\nbWFya2VyLTEtbWFya2Vy\n-----END CERTIFICATE-----\n"}, nil, "ca_certificate", "Invalid ca_certificate", "ca_certificate contains no certificate in PEM form"},
		"a device as certificate":     {object{"ca_certificate": "/dev/zero"}, nil, "ca_certificate", "Invalid ca_certificate", "/dev/zero is not a regular file."},
		"an empty certificate file":   {object{"ca_certificate": file("ca.pem", "")}, nil, "ca_certificate", "Invalid ca_certificate", "ca.pem is empty."},
		"a time-out that is none":     {object{"request_timeout": "soon"}, nil, "request_timeout", "Invalid duration", "a number and a unit, such as 90s"},
		"a time-out of zero":          {object{"request_timeout": "0s"}, nil, "request_timeout", "Invalid duration", `"0s" must be a positive duration`},
		"a name that leads elsewhere": {object{"account": ".."}, nil, "account", "Invalid name", "account must be neither \".\" nor \"..\", because it becomes part of the path of a request."},
		"a group with a slash":        {object{"group": "a/b"}, nil, "group", "Invalid name", "group must not contain / or \\"},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			config := object{"endpoint": "https://service.example"}
			for name, value := range test.config {
				config[name] = value
			}
			seen := &recorder{}
			diags := acctest.OpenProcess(t, provider.NewWithTransport("test", seen)()).Configure(t.Context(), config)
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

// TestOwnAuthority: ca_certificate is a certificate, or a file that contains one. What
// is said without it is tested in cloudserver.
func TestOwnAuthority(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(acctest.NewEmulator(t, emulator.Options{}))
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
