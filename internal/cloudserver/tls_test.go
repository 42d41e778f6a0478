package cloudserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

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

// issue returns the configuration of a server with a self-signed certificate.
func issue(t *testing.T, template *x509.Certificate) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.IsCA, template.BasicConstraintsValid = big.NewInt(1), true, true
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// TestTLS: which servers are accepted although their issuer is trusted.
func TestTLS(t *testing.T) {
	t.Parallel()
	expired := &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour)}
	for name, test := range map[string]struct {
		config *tls.Config
		says   string // "": accepted
	}{
		"an authority of one's own": {nil, ""},
		"old TLS":                   {&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, "protocol version"},
		"expired":                   {issue(t, expired), "expired"},
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

// Certificates and redirects contain names that an attacker chooses.
func TestForeignNamesAreHarmless(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[2J\x1b]0;x\x07 No changes. apikey.marker"
	endpoint, authority := serveTLS(t, http.HandlerFunc(describe), issue(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: evil, Organization: []string{evil + "\u202e\u009b"}}, DNSNames: []string{evil},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}))
	_, untrustedErr := overNetwork(t, endpoint).VirtualMachine(t.Context(), 7)
	_, otherNameErr := overNetwork(t, strings.Replace(endpoint, "127.0.0.1", "localhost", 1), trusting(authority)).VirtualMachine(t.Context(), 7)
	_, redirectErr := newClient(t, serve(answer(302, "", "Location", "https://evil\u202e\u009b.example"))).VirtualMachine(t.Context(), 7)
	for name, err := range map[string]error{"untrusted": untrustedErr, "other name": otherNameErr, "redirect": redirectErr} {
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		if text := err.Error(); strings.Contains(text, "marker") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len(text) > 1000 {
			t.Errorf("%s: got %q", name, text)
		}
	}
}
