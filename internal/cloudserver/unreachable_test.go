package cloudserver_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestDefiniteConnectionFailures fails within two seconds with the default number
// of retries, and says why.
func TestDefiniteConnectionFailures(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(describe))
	t.Cleanup(plain.Close)
	secure, _ := quietTLS(t, http.HandlerFunc(describe))
	closed := httptest.NewServer(nil)
	closed.Close()
	alert := raw(t, func(connection net.Conn) {
		_, _ = connection.Write([]byte("\x15\x03\x01\x00\x02\x02\x16")) // lost: shows in the client
	})
	for name, test := range map[string]struct{ endpoint, says string }{
		"no such host":        {"https://service.invalid", "no such host"},
		"connection refused":  {closed.URL, "nothing listens at this address"},
		"HTTPS to plain HTTP": {strings.Replace(plain.URL, "http:", "https:", 1), "it speaks plain HTTP, not HTTPS"},
		"plain HTTP to HTTPS": {strings.Replace(secure.URL, "https:", "http:", 1), "set endpoint to an https:// address"},
		"TLS alert":           {alert, "it expects HTTPS"},
		"unknown authority":   {secure.URL, "set ca_certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, change := range map[string]func(*cloudserver.Config){
				"token": func(*cloudserver.Config) {},
				"login": func(c *cloudserver.Config) { c.Token, c.Username, c.Password = "", "demo", "demo" },
			} {
				began := time.Now()
				client := overNetwork(t, test.endpoint, change, func(c *cloudserver.Config) { c.MaxRetries = nil })
				_, err := client.VirtualMachine(t.Context(), 7)
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("%s: it took %v", kind, took)
				}
				if err == nil || cloudserver.IsUnauthorized(err) || cloudserver.IsForbidden(err) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("%s: got %v, want %q", kind, err, test.says)
				}
			}
		})
	}
}

// TestOutage: a refused connection means a wrong address the first time, and an
// outage that may pass once the service has answered.
func TestOutage(t *testing.T) {
	t.Parallel()
	refused := func(request *http.Request) (*http.Response, error) {
		_, _ = unwritten(request)
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	account := answer(http.StatusOK, `{"id":7,"name":"acme"}`)
	for name, test := range map[string]struct {
		steps []step
		calls int // requests in all
		fails bool
	}{
		"at first":        {[]step{refused}, 1, true},
		"after an answer": {[]step{account, refused, refused, account}, 4, false},
		"for good":        {[]step{account, refused}, 2 + cloudserver.DefaultMaxRetries, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			service := serve(test.steps...)
			client := newClient(t, service, func(c *cloudserver.Config) { c.MaxRetries = nil })
			_, err := client.AccountAlone(t.Context(), "acme")
			if len(test.steps) > 1 {
				_, err = client.AccountAlone(t.Context(), "acme")
			}
			if (err != nil) != test.fails || len(service.journal()) != test.calls {
				t.Errorf("%s: got %v after %d requests, want %d", name, err, len(service.journal()), test.calls)
			}
		})
	}
}
