package cloudserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestExpiredCertificate trusts the issuer, and refuses the certificate all the
// same.
func TestExpiredCertificate(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(describe))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	client := overNetwork(t, server.URL, withRetries(3), func(c *cloudserver.Config) { c.CACertificate = authority })
	_, err = client.VirtualMachine(t.Context(), 7)
	var lost *cloudserver.TransportError
	if !errors.As(err, &lost) || lost.Sent || !strings.Contains(err.Error(), "expired") || !strings.Contains(err.Error(), "certificate of "+server.URL) {
		t.Errorf("got %v", err)
	}
}

// TestProxyOfTheEnvironment runs itself in a process with a proxy: Go reads the
// environment's once, and uses none for loopback. HTTPS goes through the proxy,
// as a CONNECT; plain HTTP never does, since the proxy would see the token.
func TestProxyOfTheEnvironment(t *testing.T) {
	const proxied = "CLIENT_TEST_PROXIED"
	if endpoint := os.Getenv(proxied); endpoint != "" {
		client := overNetwork(t, endpoint, func(c *cloudserver.Config) { c.AllowHTTP = true })
		_, err := client.VirtualMachine(t.Context(), 7)
		t.Log(err)
		return
	}
	for endpoint, test := range map[string]struct{ proxyUser, asked, says string }{
		"https://service.invalid": {"", "CONNECT service.invalid:443", "teapot"},
		"http://service.invalid":  {"", "", "no such host"},
		"https://b.invalid":       {"user:zq-marker@", "CONNECT b.invalid:443", "teapot"},
	} {
		t.Run(endpoint, func(t *testing.T) {
			var asked atomic.Value
			asked.Store("")
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Store(r.Method + " " + r.Host)
				connection, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = fmt.Fprintf(connection, "HTTP/1.1 418 teapot %s\r\n\r\n", r.Header.Get("Proxy-Authorization"))
				_ = connection.Close()
			}))
			t.Cleanup(proxy.Close)
			address := strings.Replace(proxy.URL, "://", "://"+test.proxyUser, 1)
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestProxyOfTheEnvironment$")
			command.Env = append(os.Environ(), proxied+"="+endpoint, "HTTP_PROXY="+address, "http_proxy="+address, "HTTPS_PROXY="+address, "https_proxy="+address, "NO_PROXY=", "no_proxy=")
			output, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(output), test.says) || strings.Contains(string(output), "zq-marker") || strings.Contains(string(output), base64.StdEncoding.EncodeToString([]byte("user:zq-marker"))) {
				t.Errorf("%v\n%s", err, output)
			}
			if asked.Load() != test.asked {
				t.Errorf("the proxy was asked for %q, want %q", asked.Load(), test.asked)
			}
		})
	}
}

// TestPaths asks about names that need escaping, and about names that would lead
// to another object once a proxy has decoded the path.
func TestPaths(t *testing.T) {
	t.Parallel()
	for account, want := range map[string]string{
		"a b": "/base/accounts/a%20b/groups/g/virtual_machines",
		"50%": "/base/accounts/50%25/groups/g/virtual_machines",
		"...": "/base/accounts/.../groups/g/virtual_machines",
	} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err != nil {
			t.Errorf("%q: %v", account, err)
			continue
		}
		if got := service.journal()[0]; got.path != want || got.query != "view=overview" {
			t.Errorf("%q: asked %s?%s, want %s", account, got.path, got.query, want)
		}
	}
	for _, account := range []string{
		"", ".", "..", "a/../b", "//evil.test/", "a%2fb", "%2e%2E", "%252e%252e", "..;x", "a\\b", "a b\r\nX: y", "ä\x00", "%2e.", "a%5cb", " ", "a?x=1", "a#y", "a%3fx", "a%2523y",
	} {
		service := serve(answer(200, "[]"))
		if _, err := newClient(t, service).VirtualMachines(t.Context(), account, "g"); err == nil || len(service.journal()) > 0 {
			t.Errorf("%q: got %v after %d requests, want it refused", account, err, len(service.journal()))
		}
	}
}

// A certificate, and a redirect, contain names that an attacker chooses.
func TestForeignNamesAreHarmless(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	const evil = "\x1b[2J\x1b]0;x\x07 No changes. apikey.marker"
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: evil, Organization: []string{evil + "\u202e\u009b"}}, DNSNames: []string{evil},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(describe))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	trusted := func(c *cloudserver.Config) {
		c.CACertificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	_, untrustedErr := overNetwork(t, server.URL).VirtualMachine(t.Context(), 7)
	_, otherNameErr := overNetwork(t, strings.Replace(server.URL, "127.0.0.1", "localhost", 1), trusted).VirtualMachine(t.Context(), 7)
	redirect := answer(302, "", "Location", "https://evil\u202e\u009b.example")
	_, redirectErr := newClient(t, serve(redirect)).VirtualMachine(t.Context(), 7)
	for name, err := range map[string]error{"untrusted": untrustedErr, "other name": otherNameErr, "redirect": redirectErr} {
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		if text := err.Error(); strings.Contains(text, "marker") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len(text) > 1000 {
			t.Errorf("%s: got %q", name, text)
		}
	}
}
