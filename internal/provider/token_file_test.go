package provider_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestTokenFile reads the file on first use, and again after a 401.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := acctest.NewEmulator(t, emulator.Options{})
		seen := &recorder{next: e.Transport()}
		file := filepath.Join(t.TempDir(), "token")
		write := func(token string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		read := func() string { // by a process of its own: what was refused stays so for a minute
			d := open(t, seen)
			if diags := d.Configure(t.Context(), object{"endpoint": "https://a.example", "token_file": file}); len(diags) > 0 {
				t.Fatalf("a file that does not exist yet: %s", acctest.DiagText(diags))
			}
			_, diags := d.ReadData(t.Context(), "cloudserver_account", object{"name": "demo"})
			return acctest.DiagText(diags)
		}
		if text := read(); !strings.Contains(text, "Cannot read token_file: open "+file+": no such file or directory.") || len(seen.sent) > 0 {
			t.Errorf("without the file: %s\nsent %q", text, seen.sent)
		}
		write("") // somebody is writing it
		begun := open(t, e.Transport())
		if diags := begun.Configure(t.Context(), object{"endpoint": "https://a.example", "token_file": file}); len(diags) > 0 {
			t.Errorf("an empty file: %s", acctest.DiagText(diags))
		}
		write("marker-expired")
		if text := read(); !strings.Contains(text, "does not accept the token in "+file) || !strings.Contains(text, "-login -token-file "+file) || strings.Contains(text, "marker") {
			t.Errorf("with an expired token: %s", text)
		}
		write("apikey.marker")
		if text := read(); !strings.Contains(text, "does not accept the API key in "+file+": it may be past its expiry date") || strings.Contains(text, "session ends") ||
			strings.Contains(text, "-login") || strings.Contains(text, "marker") {
			t.Errorf("with a wrong key: %s", text)
		}
		write(emulator.DemoAPIKey)
		if text := read(); text != "" {
			t.Errorf("with a new token: %s", text)
		}
		if _, diags := begun.ReadData(t.Context(), "cloudserver_account", object{"name": "demo"}); len(diags) > 0 {
			t.Error(acctest.DiagText(diags))
		}
		if sent := strings.Join(seen.sent, "; "); strings.Count(sent, "Bearer marker-expired") != 1 || strings.Count(sent, "Bearer "+emulator.DemoAPIKey) != 1 {
			t.Errorf("sent %s", sent)
		}
	})
}

// TestTokenFileOfOthers warns, and goes on.
func TestTokenFileOfOthers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("marker"), 0o644); err != nil { //nolint:gosec // what the warning is about
		t.Fatal(err)
	}
	diags := open(t, nil).Configure(t.Context(), object{"endpoint": "https://a.example", "token_file": file})
	if len(diags) != 1 || diags[0].Severity != tfprotov6.DiagnosticSeverityWarning || !strings.Contains(diags[0].Detail, "chmod 600 "+file) {
		t.Errorf("got %s", acctest.DiagText(diags))
	}
}

// TestUserAgent has the versions, and what the environment adds.
func TestUserAgent(t *testing.T) {
	t.Setenv("TF_APPEND_USER_AGENT", " ci/1.0 (nightly)\n")
	e := acctest.NewEmulator(t, emulator.Options{})
	var agent string
	d := open(t, transport(func(r *http.Request) (*http.Response, error) {
		agent = r.UserAgent()
		return e.Transport().RoundTrip(r)
	}))
	if diags := d.Configure(t.Context(), object{"endpoint": "https://a.example"}); len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	if _, diags := d.ReadData(t.Context(), "cloudserver_definitions", nil); len(diags) > 0 {
		t.Fatal(acctest.DiagText(diags))
	}
	if want := regexp.MustCompile(`^terraform-provider-cloudserver/test \(Terraform/[^)]*\) ci/1\.0 \(nightly\)$`); !want.MatchString(agent) {
		t.Errorf("got %q", agent)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }
