// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestProxyThatRefuses lets a proxy refuse to connect. A process reads the proxy from its environment once, so that the
// driver cannot show it.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusProxyAuthRequired, http.StatusForbidden} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
			t.Cleanup(proxy.Close)
			at, err := url.Parse(proxy.URL)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorkspace(t, nil)
			shown := at.String()
			at.User = url.UserPassword("user", "proxy-secret")
			w.env = append(w.env, "HTTPS_PROXY="+at.String(), "NO_PROXY=", "CLOUDSERVER_ENDPOINT=https://api.example.invalid", "CLOUDSERVER_TOKEN=apikey.x")
			w.write("main.tf", requirement+`
provider "cloudserver" { account = "demo" }
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}
`)
			w.refuses([]string{"Cannot check the plan", "the proxy " + shown + " answered", http.StatusText(status), "Check HTTPS_PROXY"}, "plan")
			if output, _ := w.run("plan"); strings.Contains(output, "proxy-secret") {
				t.Errorf("the output has the proxy's password:\n%s", output)
			}
		})
	}
}
