// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

type object = map[string]any

// recorder records method, address and credentials of requests. It marks requests with a session that was opened
// through it. The service is also at /v1.
type recorder struct {
	next http.RoundTripper

	mu      sync.Mutex
	session string
	sent    []string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	inner := request.Clone(request.Context())
	inner.URL.Path = strings.TrimPrefix(inner.URL.Path, "/v1")
	response, err := r.next.RoundTrip(inner)
	r.mu.Lock()
	defer r.mu.Unlock()
	token := request.Header.Get("Authorization")
	if r.session != "" && token == "Bearer "+r.session {
		token = "Bearer the session"
	}
	r.sent = append(r.sent, strings.TrimSpace(request.Method+" "+request.URL.String()+" "+token))
	if err == nil && strings.HasSuffix(request.URL.Path, "/session") {
		var body []byte
		if body, err = io.ReadAll(response.Body); err == nil {
			r.session = strings.TrimSpace(string(body))
			response.Body = io.NopCloser(strings.NewReader(r.session))
		}
	}
	return response, err
}

// configured returns a provider that is configured in this way.
func configured(t *testing.T, transport http.RoundTripper, config object) *acctest.Driver {
	t.Helper()
	return acctest.NewDriver(t, acctest.NewServer(t, provider.New("test", provider.WithTransport(transport))()), config)
}

// setEnvironment sets variables of the provider by the rest of their names.
func setEnvironment(t *testing.T, variables object) {
	t.Helper()
	for name, value := range variables {
		t.Setenv("CLOUDSERVER_"+name, value.(string))
	}
}

// TestPrecedence: configuration, then environment, then default, as seen in the address and credentials of requests.
func TestPrecedence(t *testing.T) {
	const a, b = "https://a.example", "https://b.example"
	tokenFile := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte("three\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		config, env object
		want        string
	}{
		"endpoint from the configuration": {
			config: object{"endpoint": a},
			env:    object{"ENDPOINT": b},
			want:   "GET " + a + "/definitions",
		},
		"endpoint from the environment": {env: object{"ENDPOINT": b}, want: "GET " + b + "/definitions"},
		"endpoint with a path": {
			config: object{"endpoint": a + "/v1/"},
			want:   "GET " + a + "/v1/definitions",
		},
		"token from the configuration": {
			config: object{"token": "one"},
			env:    object{"TOKEN": "two"},
			want:   "GET " + b + "/definitions Bearer one",
		},
		"token from the environment": {env: object{"TOKEN": "two"}, want: "GET " + b + "/definitions Bearer two"},
		"configured token beats a user": {
			config: object{"token": "one"},
			env:    object{"USERNAME": "demo", "PASSWORD": "demo"},
			want:   "GET " + b + "/definitions Bearer one",
		},
		"configured user beats a token": {
			config: object{"username": "demo", "password": "demo"},
			env:    object{"TOKEN": "two"},
			want:   "POST " + b + "/session; GET " + b + "/definitions Bearer the session",
		},
		"user from the environment": {
			env:  object{"USERNAME": "demo", "PASSWORD": "demo"},
			want: "POST " + b + "/session; GET " + b + "/definitions Bearer the session",
		},
		"half from each": {
			config: object{"username": "demo"},
			env:    object{"PASSWORD": "demo"},
			want:   "POST " + b + "/session; GET " + b + "/definitions Bearer the session",
		},
		"configured password": {
			config: object{"username": "demo", "password": "demo"},
			env:    object{"PASSWORD": "wrong"},
			want:   "POST " + b + "/session; GET " + b + "/definitions Bearer the session",
		},
		"auth_endpoint configured": {
			config: object{"username": "demo", "password": "demo", "auth_endpoint": a},
			env:    object{"AUTH_ENDPOINT": "https://c.example"},
			want:   "POST " + a + "/session; GET " + b + "/definitions Bearer the session",
		},
		"auth_endpoint of the environment": {
			config: object{"username": "demo", "password": "demo"},
			env:    object{"AUTH_ENDPOINT": a},
			want:   "POST " + a + "/session; GET " + b + "/definitions Bearer the session",
		},
		"no credentials at all": {want: "GET " + b + "/definitions"},
		"token file of the environment": {
			env:  object{"TOKEN_FILE": tokenFile},
			want: "GET " + b + "/definitions Bearer three",
		},
		"configured file beats a token": {
			config: object{"token_file": tokenFile},
			env:    object{"TOKEN": "two"},
			want:   "GET " + b + "/definitions Bearer three",
		},
		"configured token beats a file": {
			config: object{"token": "one"},
			env:    object{"TOKEN_FILE": tokenFile},
			want:   "GET " + b + "/definitions Bearer one",
		},
		"configured user beats a file": {
			config: object{"username": "demo", "password": "demo"},
			env:    object{"TOKEN_FILE": tokenFile},
			want:   "POST " + b + "/session; GET " + b + "/definitions Bearer the session",
		},
		"an empty variable is none": {env: object{"TOKEN": ""}, want: "GET " + b + "/definitions"},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, object{"ENDPOINT": b})
			setEnvironment(t, test.env)
			e := emulator.New(emulator.Options{})
			seen := &recorder{next: e.Transport()}
			d := configured(t, seen, test.config)
			if len(seen.sent) > 0 {
				t.Errorf("configuring alone has sent %q", seen.sent)
			}
			d.MustReadData(t.Context(), "cloudserver_definitions", nil)
			if diff := cmp.Diff(test.want, strings.Join(seen.sent, "; ")); diff != "" {
				t.Errorf("requests (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCredentialsOfAnotherService: credentials of the environment belong to the service that the environment names. A
// block with another endpoint and no credentials of its own is refused, and nothing is sent.
func TestCredentialsOfAnotherService(t *testing.T) {
	const a, b = "https://a.example", "https://b.example"
	for name, test := range map[string]struct {
		config, env object
		blamed      string // "": accepted
	}{
		"another host":                  {object{"endpoint": a}, object{"ENDPOINT": b, "TOKEN": "two"}, "endpoint"},
		"another port":                  {object{"endpoint": b + ":8443"}, object{"ENDPOINT": b, "TOKEN": "two"}, "endpoint"},
		"a token file":                  {object{"endpoint": a}, object{"ENDPOINT": b, "TOKEN_FILE": "/dev/null"}, "endpoint"},
		"a user":                        {object{"endpoint": a}, object{"ENDPOINT": b, "USERNAME": "demo", "PASSWORD": "demo"}, "endpoint"},
		"a user, elsewhere":             {object{"auth_endpoint": a}, object{"ENDPOINT": b, "USERNAME": "demo", "PASSWORD": "demo"}, "auth_endpoint"},
		"a user, another auth_endpoint": {object{"auth_endpoint": "https://b.example:8443"}, object{"ENDPOINT": b, "AUTH_ENDPOINT": a, "USERNAME": "demo", "PASSWORD": "demo"}, "auth_endpoint"},
		"a token never leaves that way": {object{"auth_endpoint": a}, object{"ENDPOINT": b, "TOKEN": "two"}, ""},
		"the same host":                 {object{"endpoint": "https://B.example/v1"}, object{"ENDPOINT": b, "TOKEN": "two"}, ""},
		"the port of https":             {object{"endpoint": b + ":443"}, object{"ENDPOINT": b, "TOKEN": "two"}, ""},
		"the port of http":              {object{"endpoint": b + ":80"}, object{"ENDPOINT": b, "TOKEN": "two"}, "endpoint"},
		"credentials of its own":        {object{"endpoint": a, "token": "one"}, object{"ENDPOINT": b, "TOKEN": "two"}, ""},
		"a password":                    {object{"endpoint": a, "username": "demo"}, object{"ENDPOINT": b, "PASSWORD": "two"}, "endpoint"},
		"no service in the environment": {object{"endpoint": a}, object{"TOKEN": "two"}, ""},
		"not known yet":                 {object{"endpoint": acctest.Unknown}, object{"ENDPOINT": b, "TOKEN": "two"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			seen := &recorder{next: emulator.New(emulator.Options{}).Transport()}
			server := acctest.NewServer(t, provider.New("test", provider.WithTransport(seen))())
			text := acctest.DiagText(acctest.OpenDriver(t, server).Configure(t.Context(), test.config))
			if refused := strings.Contains(text, "Credentials of another service"); refused != (test.blamed != "") {
				t.Fatalf("refused: %t\n%s", refused, text)
			}
			if hosts := regexp.MustCompile(`"[ab]\.example(:\d+)?"`).FindAllString(text, -1); test.blamed != "" && len(hosts) != 2 {
				t.Errorf("the hosts are not named:\n%s", text)
			}
			if !strings.Contains(text, test.blamed) || strings.Contains(text, "two") || len(seen.sent) > 0 {
				t.Errorf("blamed is not %q, a secret is shown, or something was sent: %q\n%s", test.blamed, seen.sent, text)
			}
		})
	}
}

// TestMistakes: what cannot be meant is refused before anything is planned, at the argument, with the variable that it
// comes from.
func TestMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		config, env object
		want        []string // "": the configuration is right
	}{
		"account with a slash": {env: object{"ACCOUNT": "demo/"}, want: []string{"error at account: Invalid account", `CLOUDSERVER_ACCOUNT in the environment is "demo/"`, "a name without slashes"}},
		"group with a slash":   {env: object{"GROUP": "demo/web"}, want: []string{"error at group: Invalid group", "CLOUDSERVER_GROUP in the environment"}},
		"token file, home":     {config: object{"token": nil, "token_file": "~/token"}, want: []string{"error at token_file: Invalid token_file", `token_file is "~/token"`, `pathexpand("~/token")`}},
		"token file, home, environment": {
			config: object{"token": nil}, env: object{"TOKEN_FILE": "~/token"},
			want: []string{"error at token_file: Invalid token_file", `CLOUDSERVER_TOKEN_FILE in the environment is "~/token"`, "$HOME/token"},
		},
		"certificate, home":      {config: object{"ca_certificate": "~/ca.pem"}, want: []string{"error at ca_certificate: Invalid ca_certificate", `pathexpand("~/ca.pem")`}},
		"endpoint of a call":     {config: object{"endpoint": "https://a.example/definitions"}, want: []string{"error at endpoint: Invalid endpoint", `"https://a.example"`}},
		"endpoint of an account": {config: object{"endpoint": "https://a.example/v1/accounts/demo/"}, want: []string{"error at endpoint: Invalid endpoint", `"https://a.example/v1"`}},
		"auth_endpoint, session": {config: object{"auth_endpoint": "https://a.example/session"}, want: []string{"error at auth_endpoint: Invalid auth_endpoint", `"https://a.example"`}},
		"endpoint with a path":   {config: object{"endpoint": "https://a.example/v1"}},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			config := object{"endpoint": "https://a.example", "token": "one"}
			maps.Copy(config, test.config)
			server := acctest.NewServer(t, provider.New("test")())
			diags := acctest.OpenDriver(t, server).Configure(t.Context(), config)
			if len(test.want) == 0 {
				if len(diags) > 0 {
					t.Error(acctest.DiagText(diags))
				}
				return
			}
			acctest.ExpectError(t, diags, test.want...)
		})
	}
}

// TestEndpointWithAnotherPath: a service that answers 404 to everything is a wrong endpoint, and not a wrong account.
func TestEndpointWithAnotherPath(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	d := e.NewDriver(t, object{"endpoint": e.URL + "/v2"})
	for typeName, config := range map[string]object{
		"cloudserver_vm":    {"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}},
		"cloudserver_group": {"name": "production"},
	} {
		text := acctest.DiagText(d.Plan(t.Context(), typeName, nil, config).Errors())
		if !strings.Contains(text, "Check that endpoint is the base URL") {
			t.Errorf("%s:\n%s", typeName, text)
		}
	}
}

// TestPrecedenceOfLocations: the location of a machine whose configuration has none.
func TestPrecedenceOfLocations(t *testing.T) {
	for name, test := range map[string]struct {
		config, env object
		want        string
	}{
		"configured": {
			config: object{"account": "one", "group": "web"},
			env:    object{"ACCOUNT": "two", "GROUP": "db"},
			want:   "one/web",
		},
		"of the environment": {env: object{"ACCOUNT": "two", "GROUP": "db"}, want: "two/db"},
		"default group":      {env: object{"ACCOUNT": "two"}, want: "two/default"},
	} {
		t.Run(name, func(t *testing.T) {
			setEnvironment(t, test.env)
			config := object{"endpoint": "https://a.example", "token": emulator.DemoAPIKey, "plan_checks": false}
			for name, value := range test.config {
				config[name] = value
			}
			d := configured(t, emulator.New(emulator.Options{}).Transport(), config)
			plan := d.Plan(t.Context(), "cloudserver_vm", nil, object{"name": "web1", "disc": []any{object{"label": "vda", "size": 25600}}})
			if got := plan.Get("account").(string) + "/" + plan.Get("group").(string); got != test.want {
				t.Errorf("planned in %s, want %s\n%s", got, test.want, acctest.DiagText(plan.Diagnostics))
			}
		})
	}
}

// TestUnknownProviderValues: one warning says that nothing is read. A plan goes as far as it can without the service, and
// sends nothing. Defaults may be unknown without a warning.
func TestUnknownProviderValues(t *testing.T) {
	t.Parallel()
	for name, warns := range map[string]bool{
		"endpoint": true, "token": true, "token_file": true, "username": true, "password": true, "auth_endpoint": true,
		"session_validity": true, "ca_certificate": true, "allow_http": true, "request_timeout": true, "max_retries": true,
		"account": false, "group": false, "max_unavailable": false, "plan_checks": false, "deletion_protection": false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, e := acctest.Drive(t, emulator.Options{}, nil)
			settings := e.ProviderConfig(object{name: acctest.Unknown})
			switch name {
			case "username":
				settings["token"], settings["password"] = nil, "demo"
			case "password":
				settings["token"], settings["username"] = nil, "demo"
			case "token_file":
				settings["token"] = nil
			}
			d := acctest.OpenDriver(t, acctest.NewServer(t, provider.New("test", provider.WithTransport(e.Transport()))()))
			diags := d.Configure(t.Context(), settings)
			if warned := len(diags) == 1 && strings.Contains(diags[0].Detail, "known only after apply: "+name+"."); warned != warns || acctest.HasErrors(diags) {
				t.Errorf("configured with\n%s", acctest.DiagText(diags))
			}
			plan := d.Plan(t.Context(), "cloudserver_vm", nil, object{"name": "web1", "disc": []any{object{"label": "vda", "size": 25600}}})
			if plan.Action != acctest.ActionCreate || len(plan.Diagnostics) > 0 {
				t.Errorf("plan: %s\n%s", plan.Action, acctest.DiagText(plan.Diagnostics))
			}
			for _, attribute := range []string{"account", "group"} {
				if want := attribute == name; want != (plan.Get(attribute) == acctest.Unknown) {
					t.Errorf("%s is planned as %v", attribute, plan.Get(attribute))
				}
			}
			if sent := e.AllCalls(); warns && len(sent) > 0 {
				t.Errorf("sent %q", sent)
			}
		})
	}
}

// TestValidateIsOffline: a configuration is validated without a provider block, and nothing is sent.
func TestValidateIsOffline(t *testing.T) {
	t.Parallel()
	seen := &recorder{}
	d := acctest.OpenDriver(t, acctest.NewServer(t, provider.New("test", provider.WithTransport(seen))()))
	for typeName, config := range map[string]object{
		"cloudserver_vm":              {"name": "web1", "disc": []object{{"label": "vda", "size": 25600}}},
		"cloudserver_group":           {"name": "production"},
		"cloudserver_rdns":            {"address": "2001:db8:1::10", "hostname": "www.example.com"},
		"cloudserver_backup_schedule": {"virtual_machine_id": "1", "disc_id": "1", "start_at": "2030-01-31 04:00:00 UTC", "interval_seconds": 604800},
	} {
		if diags := d.Validate(typeName, config); len(diags) > 0 || len(seen.sent) > 0 {
			t.Errorf("%s: sent %q\n%s", typeName, seen.sent, acctest.DiagText(diags))
		}
	}
}
