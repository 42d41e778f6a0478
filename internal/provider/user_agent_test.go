// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestUserAgent: it has the versions and what the environment adds, without characters that a header cannot contain: no
// run fails because of it, and no header can be injected.
func TestUserAgent(t *testing.T) {
	for extra, want := range map[string]string{
		" ci/1.0 (nightly)\n":                     ` ci/1\.0 \(nightly\)`,
		"ci/1.0\r\nX-Evil: 1\n\n(nightly)\tx\x7f": ` ci/1\.0 X-Evil: 1 \(nightly\) x`,
		"\n": "",
	} {
		t.Setenv("TF_APPEND_USER_AGENT", extra)
		var sent http.Header
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header
			_, _ = io.WriteString(w, "[]")
		}))
		t.Cleanup(server.Close)
		d := acctest.OpenDriver(t, acctest.NewServer(t, provider.New("test")()))
		if diags := d.Configure(t.Context(), object{"endpoint": server.URL}); acctest.HasErrors(diags) {
			t.Fatal(acctest.DiagText(diags))
		}
		d.MustReadData(t.Context(), "cloudserver_definitions", nil)
		if agent := sent.Get("User-Agent"); !regexp.MustCompile(`^terraform-provider-cloudserver/test \(Terraform/[^)]*\)`+want+`$`).MatchString(agent) || sent.Get("X-Evil") != "" {
			t.Errorf("%q: got %q", extra, agent)
		}
	}
}
