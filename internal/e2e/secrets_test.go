package e2e_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// secrets are the secrets to look for, by where they are configured. Each contains something that JSON, URLs and HTML
// encode differently.
var secrets = map[string]string{
	"password":         `marker-1 "user" & <password>/+é`,
	"root_password":    `marker-3 "root" & <password>/+é`,
	"firstboot_script": "#!/bin/sh\n# marker-5 \"script\" & <é>\n",
	"token":            `apikey.marker-7&<token>/+`,
}

var marker = regexp.MustCompile(`marker-\d`)

// writeOnly are in no state either.
var writeOnly = []string{"root_password", "firstboot_script", "password", "token"}

// forms returns the forms in which a secret, or a part of it within another text, may be written.
func forms(secret string) []string {
	quoted, unescaped := &bytes.Buffer{}, &bytes.Buffer{}
	for i, written := range []*bytes.Buffer{quoted, unescaped} {
		encoder := json.NewEncoder(written)
		encoder.SetEscapeHTML(i == 0)
		_ = encoder.Encode(secret) // a text can be encoded
	}
	part := marker.FindString(secret)
	found := []string{
		secret,
		strings.TrimSpace(secret),
		part,
		hex.EncodeToString([]byte(part)),
		strings.Trim(quoted.String(), "\"\n"),
		strings.Trim(unescaped.String(), "\"\n"),
		url.QueryEscape(secret),
		url.PathEscape(secret),
	}
	for shift := range 3 { // at every alignment
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			encoded := encoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + part))
			found = append(found, encoded[(shift*8+5)/6:(shift+len(part))*8/6])
		}
	}
	return found
}

func TestFormsOfASecretAreSeen(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"the marker-1", base64.StdEncoding.EncodeToString([]byte("it is marker-1!")), base64.URLEncoding.EncodeToString([]byte("of marker-1")), "6d61726b65722d31"} {
		if !slices.ContainsFunc(forms("marker-1"), func(form string) bool { return strings.Contains(text, form) }) {
			t.Errorf("the secret in %q is not seen", text)
		}
	}
}

// sensitiveConfig is a workspace with a secret wherever one can be configured.
type sensitiveConfig struct {
	*workspace
	echo     *echo
	byToken  bool // signs in by token, not by password
	leaks    int
	searched int
}

func newSensitiveConfig(t *testing.T, logs string) *sensitiveConfig {
	t.Helper()
	service := acctest.NewEmulator(t, emulator.Options{})
	service.AddUser("operator", secrets["password"])
	service.AddAPIKey(secrets["token"], "operator")
	s := &sensitiveConfig{echo: &echo{service: service, tokens: map[string]bool{}}}
	server := httptest.NewServer(s.echo)
	t.Cleanup(server.Close)
	s.workspace = newWorkspace(t, &acctest.Emulator{Emulator: service, URL: server.URL})
	s.env = append(s.env, "TF_LOG="+logs, "TF_LOG_PATH="+s.path("log"))
	return s
}

// configure writes the configuration, with the secrets as sensitive and ephemeral variables, as users do: the CLI
// itself quotes lines of a configuration that has errors, and saves variables in a plan.
func (s *sensitiveConfig) configure(distribution string, cores int) {
	s.t.Helper()
	provider := object{"endpoint": s.service.URL, "account": emulator.DemoAccount, "username": "operator", "password": "${var.password}"}
	if s.byToken {
		provider = object{"endpoint": s.service.URL, "account": emulator.DemoAccount, "token": "${var.token}"}
	}
	variables := object{}
	for name := range secrets {
		variables[name] = object{"type": "string", "sensitive": true, "ephemeral": true}
	}
	s.writeJSON("terraform.tfvars.json", secrets)
	s.writeJSON("main.tf.json", object{
		"variable":  variables,
		"terraform": object{"required_providers": object{"cloudserver": object{"source": "registry.terraform.io/cloudserver/cloudserver"}}},
		"provider":  object{"cloudserver": provider},
		"data":      object{"cloudserver_definitions": object{"all": object{}}},
		"resource": object{"cloudserver_vm": object{"web": object{
			"name": "web1", "cores": cores, "memory": 2048, "allow_stopping_for_update": true,
			"disc": objects{{"label": "vda", "size": 25600}},
			"reimage": object{
				"distribution": distribution, "on_change": "reimage", "root_password": "${var.root_password}", "firstboot_script": "${var.firstboot_script}",
			},
		}}},
	})
}

func (s *sensitiveConfig) writeJSON(name string, value any) {
	s.t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(name, string(text))
}

// search looks for secrets, and counts what it finds without repeating it.
func (s *sensitiveConfig) search(where, text string, names ...string) {
	s.t.Helper()
	s.searched += len(text)
	for _, name := range names {
		for n, form := range forms(secrets[name]) {
			if strings.Contains(text, form) {
				s.leaks++
				s.t.Errorf("%s holds %s in form %d", where, name, n)
			}
		}
	}
	s.echo.mu.Lock()
	defer s.echo.mu.Unlock()
	for token := range s.echo.tokens {
		if strings.Contains(text, token) {
			s.leaks++
			s.t.Errorf("%s holds a token", where)
		}
	}
}

// searchPlan looks into the members of a saved plan.
func (s *sensitiveConfig) searchPlan(name string) {
	s.t.Helper()
	saved, err := zip.OpenReader(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = saved.Close() }()
	for _, member := range saved.File {
		content, err := fs.ReadFile(saved, member.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		s.search("the saved plan, "+member.Name, string(content), writeOnly...)
	}
	if len(saved.File) < 3 {
		s.t.Errorf("the saved plan has %d members", len(saved.File))
	}
}

// read is a file as text, "" if there is none.
func (s *sensitiveConfig) read(name string) string {
	text, _ := os.ReadFile(s.path(name))
	return string(text)
}

var apply, destroy = command("apply"), command("destroy")

// TestSecrets performs all operations with secrets wherever they can be configured, has the service refuse and echo
// requests, and searches everything that is printed, logged at TRACE as text and as JSON, or stored.
func TestSecrets(t *testing.T) {
	steps := []struct {
		image   string
		cores   int
		refused string
		run     []string
	}{
		{image: "bookworm", cores: 2, refused: "POST /session", run: apply},
		{image: "bookworm", cores: 2, refused: "POST /vm_create", run: apply},
		{image: "bookworm", cores: 2, run: []string{"plan", "-no-color", "-out=tfplan"}},
		{image: "bookworm", cores: 2, run: []string{"show", "-json", "tfplan"}},
		{image: "bookworm", cores: 2, run: []string{"apply", "-no-color", "tfplan"}},
		{image: "bookworm", cores: 4, refused: "PUT ", run: apply},
		{image: "trixie", cores: 4, refused: "POST /reimage", run: apply},
		{image: "trixie", cores: 4, run: apply},
		{image: "trixie", cores: 4, run: []string{"plan", "-no-color", "-detailed-exitcode"}},
		{image: "trixie", cores: 4, refused: "GET /definitions", run: []string{"plan", "-no-color"}},
		{image: "trixie", cores: 4, run: []string{"state", "rm", "cloudserver_vm.web"}},
		{image: "trixie", cores: 4, run: []string{"import", "-no-color", "cloudserver_vm.web", "demo/default/web1"}},
		{image: "trixie", cores: 4, refused: "DELETE ", run: destroy},
		{image: "trixie", cores: 4, run: destroy},
	}
	for _, name := range []string{"text", "token", "JSON"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSensitiveConfig(t, map[string]string{"text": "TRACE", "JSON": "JSON", "token": "TRACE"}[name])
			s.byToken = name == "token"
			hidden := false
			for _, step := range steps {
				if s.byToken && step.refused == "POST /session" {
					continue
				}
				s.configure(step.image, step.cores)
				s.echo.refuse(step.refused)
				output, err := s.run(step.run...)
				if (err != nil) != (step.refused != "") {
					t.Fatalf("%v, refused %q: %v\n%s", step.run, step.refused, err, output)
				}
				hidden = hidden || strings.Contains(output, "(hidden)")
				all := slices.Sorted(maps.Keys(secrets))
				s.search(fmt.Sprintf("the output of %v", step.run), output, all...)
				s.search("the log", s.read("log"), all...)
				s.search("the state", s.read("terraform.tfstate"), writeOnly...)
				if step.run[len(step.run)-1] == "-out=tfplan" {
					s.searchPlan("tfplan")
				}
				for _, m := range s.service.Machines() {
					if sum := sha256.Sum256([]byte(secrets["root_password"])); m.RootPasswordSHA256 != hex.EncodeToString(sum[:]) {
						t.Error("the machine was not created with the secrets of the configuration")
					}
				}
			}
			if log := s.read("log"); !strings.Contains(log, "Bodies of the call") || !hidden {
				t.Error("the log has nothing of the provider's, or no message had anything to hide")
			}
		})
	}
}
