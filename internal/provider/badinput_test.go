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

// TestBadProviderBlock: every mistake is reported once, at the argument to blame, with what to do, and nothing is sent.
// internal/e2e has the more common mistakes.
func TestBadProviderBlock(t *testing.T) {
	files := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(files, "pipe") // opening it would block for ever
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const example = "must be a URL such as https://api.example.com, not "
	for name, test := range map[string]struct {
		config, env object
		at, summary string
		says        string
	}{
		"an empty endpoint":           {config: object{"endpoint": ""}, at: "endpoint", summary: "Invalid empty value", says: "endpoint is an empty string."},
		"an empty account":            {config: object{"account": ""}, at: "account", summary: "Invalid empty value", says: "account is an empty string."},
		"an empty group":              {config: object{"group": ""}, at: "group", summary: "Invalid empty value", says: "group is an empty string."},
		"loopback and port":           {config: object{"endpoint": "localhost:8787"}, at: "endpoint", summary: "Invalid endpoint", says: example + `"localhost:8787"`},
		"a slash is missing":          {config: object{"endpoint": "https:/api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: example + `"https:/api.example.com"`},
		"a malformed endpoint":        {config: object{"endpoint": "https://[::1"}, at: "endpoint", summary: "Invalid endpoint", says: example},
		"an empty query":              {config: object{"endpoint": "https://api.example.com/?"}, at: "endpoint", summary: "Invalid endpoint", says: "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)."},
		"an empty fragment":           {config: object{"endpoint": "https://api.example.com/#"}, at: "endpoint", summary: "Invalid endpoint", says: "must be a base URL such as https://api.example.com, without a query (?) or a fragment (#)."},
		"credentials without scheme":  {config: object{"endpoint": "me:marker-1-marker@api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "must not contain a user or password"},
		"credentials and a typo":      {config: object{"endpoint": "https:/me:marker-1-marker@api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "must not contain a user or password"},
		"escaped credentials":         {config: object{"endpoint": "https://me:marker-1-marker%40api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "must not contain a user or password"},
		"credentials with a question": {config: object{"endpoint": "https://me:marker-1?marker@api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "must not contain a user or password"},
		"a name below localhost":      {config: object{"endpoint": "http://api.localhost"}, at: "endpoint", summary: "Invalid endpoint", says: "plain http:// sends credentials unprotected"},
		"the scheme twice":            {config: object{"endpoint": "https://https://api.example.com"}, at: "endpoint", summary: "Invalid endpoint", says: "endpoint has the scheme twice; remove https://."},
		"two schemes":                 {config: object{"endpoint": "https://http://localhost:8787"}, at: "endpoint", summary: "Invalid endpoint", says: "has the scheme twice; remove https://."},
		"IPv6 without brackets":       {config: object{"endpoint": "https://2001:db8::1"}, at: "endpoint", summary: "Invalid endpoint", says: "has an IPv6 address without brackets; write https://[address]"},
		"an impossible port":          {config: object{"endpoint": "https://api.example.com:99999"}, at: "endpoint", summary: "Invalid endpoint", says: `has the port "99999"; a port is a number from 1 to 65535.`},
		"port zero":                   {config: object{"endpoint": "https://[::1]:0/v1"}, at: "endpoint", summary: "Invalid endpoint", says: `has the port "0"`},
		"the address of a server":     {config: object{"endpoint": "http://0.0.0.0:8787"}, at: "endpoint", summary: "Invalid endpoint", says: "is 0.0.0.0, on which a server listens, and to which no client can connect; use 127.0.0.1."},
		"a key as user":               {config: object{"username": "apikey.marker-1-marker", "password": "x"}, at: "username", summary: "Invalid username", says: "username is an API key, which needs no password; set token to it, and remove username and password."},
		"a mistyped variable":         {config: object{"endpoint": nil}, env: object{"ENPOINT": "https://api.example.com"}, at: "endpoint", summary: "Missing endpoint", says: "The environment has CLOUDSERVER_ENPOINT, which the provider does not know. This is the provider configuration without an alias, and it has no arguments."},
		"a malformed auth_endpoint":   {config: object{"auth_endpoint": "auth"}, at: "auth_endpoint", summary: "Invalid auth_endpoint", says: "auth_endpoint " + example + `"auth".`},
		"a password without a user": {
			config: object{"password": "demo"},
			at:     "username", summary: "Incomplete credentials",
			says: "There is a password but no username. Set username in the provider block, or CLOUDSERVER_USERNAME in the environment; or use token or token_file instead.",
		},
		"a password with a line break": {
			config: object{"username": "demo"},
			env:    object{"PASSWORD": "marker-1-marker\n"},
			at:     "password", summary: "Invalid password",
			says: "CLOUDSERVER_PASSWORD in the environment contains a line break, as the contents of a file do; remove it.",
		},
		"half a pair in the environment": {env: object{"USERNAME": "demo"}, at: "password", summary: "Incomplete credentials", says: "There is a username but no password."},
		"token and user in the environment": {
			env:     object{"TOKEN": "one", "USERNAME": "demo", "PASSWORD": "demo"},
			summary: "Conflicting credentials",
			says:    "The environment has CLOUDSERVER_TOKEN and CLOUDSERVER_USERNAME. Unset all but one of them, or set one in the provider block.",
		},
		"three in the environment": {
			env:     object{"TOKEN": "one", "TOKEN_FILE": "t", "PASSWORD": "demo"},
			summary: "Conflicting credentials", says: "The environment has CLOUDSERVER_TOKEN and CLOUDSERVER_TOKEN_FILE and CLOUDSERVER_PASSWORD.",
		},
		"a token file with more":      {config: object{"token_file": file("more", "marker-1-marker\nmore")}, at: "token_file", summary: "Invalid token_file", says: "more does not contain a token"},
		"a token file of JSON":        {config: object{"token_file": file("json", "{\n\t\"token\": \"marker-1-marker\"\n}")}, at: "token_file", summary: "Invalid token_file", says: "json contains a token that looks like JSON; write the token alone"},
		"a folder as token file":      {config: object{"token_file": files}, at: "token_file", summary: "Invalid token_file", says: "is not a regular file"},
		"a pipe as token file":        {config: object{"token_file": pipe}, at: "token_file", summary: "Invalid token_file", says: "is not a regular file"},
		"a pipe as certificate":       {config: object{"ca_certificate": pipe}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "is not a regular file"},
		"a device as token file":      {env: object{"TOKEN_FILE": "/dev/zero"}, at: "token_file", summary: "Invalid token_file", says: "/dev/zero is not a regular file"},
		"a large token file":          {config: object{"token_file": file("large", strings.Repeat("marker-1-marker", 1<<17))}, at: "token_file", summary: "Invalid token_file", says: "large is larger than 1 MiB"},
		"a token file at ~":           {config: object{"token_file": "~/.token"}, at: "token_file", summary: "Invalid token_file", says: `token_file is "~/.token", and ~ is not expanded. Set token_file = pathexpand("~/.token").`},
		"a variable with ~":           {env: object{"TOKEN_FILE": "~/.token"}, at: "token_file", summary: "Invalid token_file", says: `CLOUDSERVER_TOKEN_FILE in the environment is "~/.token", and ~ is not expanded. Set the path with $HOME`},
		"a certificate at ~":          {config: object{"ca_certificate": "~/ca.pem"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: `Set ca_certificate = pathexpand("~/ca.pem").`},
		"a group and an account":      {env: object{"ACCOUNT": "demo/default"}, at: "account", summary: "Invalid name", says: "CLOUDSERVER_ACCOUNT in the environment must not contain / or \\, because it becomes part of the path of a request."},
		"a folder as group":           {env: object{"GROUP": ".."}, at: "group", summary: "Invalid name", says: "CLOUDSERVER_GROUP in the environment must be neither"},
		"a wrong variable":            {env: object{"CA_CERTIFICATE": "/nowhere/ca.pem"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "CLOUDSERVER_CA_CERTIFICATE in the environment is neither PEM text nor the path"},
		"a token in quotes":           {config: object{"token": `"marker-1-marker"`}, at: "token", summary: "Invalid token", says: "token is in quotes, which are no part of a token; remove them."},
		"a variable in quotes":        {env: object{"TOKEN": "'marker-1-marker'"}, at: "token", summary: "Invalid token", says: "CLOUDSERVER_TOKEN in the environment is in quotes"},
		"a file with quotes":          {config: object{"token_file": file("quotes", "\"marker-1-marker\"\n")}, at: "token_file", summary: "Invalid token_file", says: "quotes contains a token that is in quotes, which are no part of a token; remove them."},
		"a token with its variable":   {config: object{"token": "CLOUDSERVER_TOKEN=marker-1-marker"}, at: "token", summary: "Invalid token", says: "token begins with the name of a variable and =, which are no part of a token; remove them."},
		"a variable twice":            {env: object{"TOKEN": "TOKEN=marker-1-marker"}, at: "token", summary: "Invalid token", says: "CLOUDSERVER_TOKEN in the environment begins with the name of a variable"},
		"a file with a variable":      {config: object{"token_file": file("assigned", "CLOUDSERVER_TOKEN=marker-1-marker\n")}, at: "token_file", summary: "Invalid token_file", says: "assigned contains a token that begins with the name of a variable and =, which are no part of a token; remove them."},
		"a masked token":              {config: object{"token": "***"}, at: "token", summary: "Invalid token", says: "token consists of asterisks, which stand for a hidden value; set the token itself."},
		"a masked variable":           {env: object{"TOKEN": "********"}, at: "token", summary: "Invalid token", says: "CLOUDSERVER_TOKEN in the environment consists of asterisks"},
		"a file with a masked token":  {config: object{"token_file": file("masked", "***\n")}, at: "token_file", summary: "Invalid token_file", says: "masked contains a token that consists of asterisks, which stand for a hidden value; set the token itself."},
		"not a certificate":           {config: object{"ca_certificate": "-----BEGIN NOTHING-----"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "ca_certificate contains no certificate in PEM form"},
		"a key as certificate":        {config: object{"ca_certificate": "-----BEGIN RSA PRIVATE KEY-----\nbWFya2VyLTEtbWFya2Vy\n-----END RSA PRIVATE KEY-----\n"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "ca_certificate contains no certificate in PEM form"},
		"a broken certificate":        {config: object{"ca_certificate": "-----BEGIN CERTIFICATE-----\nbWFya2VyLTEtbWFya2Vy\n-----END CERTIFICATE-----\n"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "ca_certificate contains no certificate in PEM form"},
		"a device as certificate":     {config: object{"ca_certificate": "/dev/zero"}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "/dev/zero is not a regular file."},
		"an empty certificate file":   {config: object{"ca_certificate": file("ca.pem", "")}, at: "ca_certificate", summary: "Invalid ca_certificate", says: "ca.pem is empty."},
		"a time-out that is none":     {config: object{"request_timeout": "soon"}, at: "request_timeout", summary: "Invalid duration", says: "a number and a unit, such as 90s"},
		"a time-out of zero":          {config: object{"request_timeout": "0s"}, at: "request_timeout", summary: "Invalid duration", says: `"0s" must be a positive duration`},
		"a name that leads elsewhere": {config: object{"account": ".."}, at: "account", summary: "Invalid name", says: "account must be neither \".\" nor \"..\", because it becomes part of the path of a request."},
		"a group with a slash":        {config: object{"group": "a/b"}, at: "group", summary: "Invalid name", says: "group must not contain / or \\"},
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

// TestOwnAuthority: ca_certificate is a certificate, or a file that contains one. The error without it is tested in
// cloudserver.
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
