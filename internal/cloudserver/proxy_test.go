package cloudserver_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestProxyIsNamed: what the proxy of the environment does is not blamed on the endpoint, and a proxy that refuses the
// service ends the call at once.
func TestProxyIsNamed(t *testing.T) {
	proxy := func(status int) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(server.Close)
		return server.URL
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	const named = "through the proxy http://127.0.0.1:"
	for name, test := range map[string]struct {
		proxy, without, says string
		final                bool // it ends at once
		atProxy              bool
	}{
		"log-in required":   {proxy: proxy(407), says: named, final: true, atProxy: true},
		"forbidden":         {proxy: proxy(403), says: "the proxy refuses to connect to it (the proxy answered 403 Forbidden)", final: true, atProxy: true},
		"without a route":   {proxy: proxy(503), says: "timed out; the last attempt: cannot reach https://service.invalid " + named, atProxy: true},
		"nothing listens":   {proxy: closed.URL, says: "cannot reach the proxy http://127.0.0.1:", final: true, atProxy: true},
		"without a scheme":  {proxy: strings.TrimPrefix(closed.URL, "http://"), says: "(HTTPS_PROXY in the environment): nothing listens at this address", final: true, atProxy: true},
		"not for this host": {proxy: closed.URL, without: "service.invalid", says: "cannot reach https://service.invalid: no such host", final: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HTTPS_PROXY", test.proxy)
			t.Setenv("NO_PROXY", test.without)
			client := overNetwork(t, "https://service.invalid", func(c *cloudserver.Config) { c.MaxRetries = nil })
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			_, err := client.VirtualMachine(ctx, 7)
			lost, _ := errors.AsType[*cloudserver.TransportError](err)
			if lost == nil || !strings.Contains(err.Error(), test.says) || lost.AtProxy != test.atProxy || cloudserver.IsUnreachable(err) != test.final || lost.TimedOut() == test.final {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestInvalidProxy: a variable that the library cannot parse, and would ignore, is an error of the configuration. Its
// value may have a password.
func TestInvalidProxy(t *testing.T) {
	for _, variable := range []string{"HTTPS_PROXY", "https_proxy"} {
		for _, value := range []string{"http://zq:marker@[::1", "ftp://zq-marker:3128", "http://zq-marker:port", "://"} {
			t.Run(variable+value, func(t *testing.T) {
				t.Setenv("HTTPS_PROXY", "")
				t.Setenv(variable, value)
				_, err := cloudserver.New(cloudserver.Config{Endpoint: "https://service.invalid"})
				if err == nil || !strings.HasPrefix(err.Error(), variable+" in the environment is not the URL of a proxy") || strings.Contains(err.Error(), "zq") {
					t.Errorf("got %v", err)
				}
				t.Setenv("NO_PROXY", ".invalid")
				for _, endpoint := range []string{"https://service.invalid", "http://127.0.0.1"} {
					if _, err := cloudserver.New(cloudserver.Config{Endpoint: endpoint}); err != nil {
						t.Errorf("%s uses no proxy, and got %v", endpoint, err)
					}
				}
			})
		}
	}
}

// TestTimedOutSaysWhy: a call that the caller's deadline ends names what its last attempt met.
func TestTimedOutSaysWhy(t *testing.T) {
	t.Parallel()
	client := overNetwork(t, raw(t, says("", "")), func(c *cloudserver.Config) { c.MaxRetries = nil })
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	_, err := client.VirtualMachine(ctx, 7)
	const want = ": EOF; if the service expects HTTPS, use https://"
	if err == nil || !strings.Contains(err.Error(), "timed out; the last attempt: cannot reach http://127.0.0.1:") || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}
