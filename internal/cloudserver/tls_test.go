// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// serveTLS starts a server, and returns its address and the authority of its certificate.
func serveTLS(t *testing.T, handler http.Handler, config *tls.Config) (endpoint, authority string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = config == nil
	server.TLS = config
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
}

func trusting(authority string) func(*cloudserver.Config) {
	return func(c *cloudserver.Config) { c.CACertificate = authority }
}

// TestTLS: which servers are accepted although their issuer is trusted.
func TestTLS(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config *tls.Config
		says   string // "": accepted
	}{
		"an authority of one's own": {nil, ""},
		"old TLS":                   {&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, "protocol version"},
	} {
		var protocol atomic.Value
		endpoint, authority := serveTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			protocol.Store(r.Proto)
			describe(w, r)
		}), test.config)
		_, err := overNetwork(t, endpoint, withRetries(3), trusting(authority)).VirtualMachine(t.Context(), 7)
		lost, _ := errors.AsType[*cloudserver.TransportError](err)
		if test.says == "" && (err != nil || protocol.Load() != "HTTP/2.0") || test.says != "" && (lost == nil || lost.Sent || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), endpoint)) {
			t.Errorf("%s: spoke %v, %v", name, protocol.Load(), err)
		}
	}
}
