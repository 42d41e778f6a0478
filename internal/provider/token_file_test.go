package provider_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestTokenFileOfOthers warns, and goes on. One that is empty may be about to be
// written.
func TestTokenFileOfOthers(t *testing.T) {
	t.Parallel()
	for content, warns := range map[string]bool{"marker": true, "": false} {
		file := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil { //nolint:gosec // what the warning is about
			t.Fatal(err)
		}
		diags := acctest.OpenProcess(t, provider.NewWithTransport("test", nil)()).Configure(t.Context(), object{"endpoint": "https://a.example", "token_file": file})
		if text := acctest.DiagText(acctest.Warnings(diags)); acctest.HasErrors(diags) || strings.Contains(text, "chmod 600 "+file) != warns {
			t.Errorf("%q: got %s", content, acctest.DiagText(diags))
		}
	}
}

// TestUserAgent has the versions, and what the environment adds.
func TestUserAgent(t *testing.T) {
	t.Setenv("TF_APPEND_USER_AGENT", " ci/1.0 (nightly)\n")
	e := acctest.NewEmulator(t, emulator.Options{})
	var agent string
	d := configured(t, transport(func(r *http.Request) (*http.Response, error) {
		agent = r.UserAgent()
		return e.Transport().RoundTrip(r)
	}), object{"endpoint": "https://a.example"})
	d.MustReadData(t.Context(), "cloudserver_definitions", nil)
	if want := regexp.MustCompile(`^terraform-provider-cloudserver/test \(Terraform/[^)]*\) ci/1\.0 \(nightly\)$`); !want.MatchString(agent) {
		t.Errorf("got %q", agent)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }
