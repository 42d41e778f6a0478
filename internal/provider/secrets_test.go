package provider_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The secrets of the test. Each has a marker of letters and digits, which
// survives every escaping; what is around it is what needs escaping.
const (
	password = `pass "zq1marker" & <word>`
	root     = `root "zq3marker" & <word>`
	script   = "#!/bin/sh\necho \"zq4marker\" & '<ü>'\n"
)

const sensitive = `
variable "password" {
  ephemeral = true
}
variable "root_password" {
  ephemeral = true
}
variable "script" {
  ephemeral = true
}
provider "cloudserver" {
  username = "keyed"
  password = var.password
}
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution     = "bookworm"
    root_password    = var.root_password
    firstboot_script = var.script
  }
}
`

// bearers notes every token that is sent to an emulator.
type bearers struct {
	next http.Handler
	mu   sync.Mutex
	seen map[string]bool
}

func (b *bearers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		b.mu.Lock()
		b.seen[token] = true
		b.mu.Unlock()
	}
	b.next.ServeHTTP(w, r)
}

// TestNoSecretLeavesTheProvider applies with every log on, and searches all that was
// printed and written: no log, saved plan or state contains a secret.
func TestNoSecretLeavesTheProvider(t *testing.T) {
	t.Parallel()
	e := acctest.NewEmulator(t, emulator.Options{})
	e.AddUser("keyed", password) // needs no code, so that the same one can be sent by each run
	service := &bearers{next: e, seen: map[string]bool{}}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)

	w := newWorkspace(t, sensitive)
	env := []string{
		"TF_LOG=TRACE", "CLOUDSERVER_ENDPOINT=" + server.URL, "CLOUDSERVER_ACCOUNT=demo",
		"TF_VAR_password=" + password, "TF_VAR_root_password=" + root, "TF_VAR_script=" + script,
	}
	var printed strings.Builder
	for _, args := range [][]string{{"plan", "-out=tfplan"}, {"apply", "tfplan"}, {"plan"}} {
		stdout, stderr := w.run(t, env, args...)
		printed.WriteString(stdout + stderr)
	}
	planJSON, _ := w.run(t, env, "show", "-json", "tfplan")
	state := w.read(t, "terraform.tfstate")
	log := printed.String()

	for _, proof := range []string{"vm_create", "POST", "/session", "provider.terraform-provider-cloudserver"} {
		if !strings.Contains(log, proof) {
			t.Fatalf("the log does not contain %q: it is not the one that this test is about", proof)
		}
	}
	hush := []string{"zq1marker", "zq3marker", "zq4marker"}
	for token := range service.seen {
		hush = append(hush, token)
	}
	if len(hush) < 4 {
		t.Fatal("no session was used")
	}
	expectNone(t, "the log", log, hush...)
	expectNone(t, "the state", state, hush...)
	expectNone(t, "the plan as JSON", planJSON, hush...)
	saved, err := zip.OpenReader(filepath.Join(w.dir, "tfplan"))
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range saved.File {
		content, err := fs.ReadFile(saved, member.Name)
		if err != nil {
			t.Fatal(err)
		}
		expectNone(t, "the saved plan, "+member.Name, string(content), hush...)
	}
	if err := saved.Close(); err != nil || len(saved.File) < 3 {
		t.Errorf("the saved plan has %d members, %v", len(saved.File), err)
	}
	m := machineNamed(t, e, "web1")
	if m.RootPasswordSHA256 != sum(root) || m.FirstbootScriptSHA256 != sum(script) {
		t.Error("the machine was not created with the secrets of the configuration")
	}
}

// expectNone looks for secrets as they are, in base64 at every alignment, and in
// hexadecimal. It never repeats one.
func expectNone(t *testing.T, what, text string, secrets ...string) {
	t.Helper()
	for i, secret := range secrets {
		for _, form := range disguises(secret) {
			if strings.Contains(text, form) {
				t.Errorf("secret %d is in %s, as %d characters", i+1, what, len(form))
			}
		}
	}
}

// disguises are the forms in which a text may be part of another.
func disguises(text string) []string {
	forms := []string{text, hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text)))}
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			encoded := encoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + text))
			forms = append(forms, encoded[(shift*8+5)/6:(shift+len(text))*8/6])
		}
	}
	return forms
}

func TestDisguisesAreSeenThrough(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"the zq1marker", base64.StdEncoding.EncodeToString([]byte("it is zq1marker!")), base64.URLEncoding.EncodeToString([]byte("zq1marker")), "7a71316d61726b6572"} {
		found := false
		for _, form := range disguises("zq1marker") {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("the secret in %q is not seen", text)
		}
	}
}

func machineNamed(t *testing.T, e *emulator.Emulator, name string) emulator.Machine {
	t.Helper()
	for _, m := range e.Machines() {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no machine %s", name)
	return emulator.Machine{}
}

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}
