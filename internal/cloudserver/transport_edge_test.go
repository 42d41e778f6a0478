package cloudserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
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
// environment's once, and takes none for loopback.
func TestProxyOfTheEnvironment(t *testing.T) {
	const proxied = "CLIENT_TEST_PROXIED"
	if os.Getenv(proxied) != "" {
		client := overNetwork(t, "http://service.invalid", func(c *cloudserver.Config) { c.AllowHTTP = true })
		if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
			t.Error(err)
		}
		return
	}
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		describe(w, r)
	}))
	t.Cleanup(proxy.Close)
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyOfTheEnvironment$")
	command.Env = append(os.Environ(), proxied+"=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	if want := "http://service.invalid/virtual_machines/7?view=overview"; asked.Load() != want {
		t.Errorf("the proxy was asked for %v, want %s", asked.Load(), want)
	}
}

// TestPathsAreEscaped asks about names that would lead elsewhere.
func TestPathsAreEscaped(t *testing.T) {
	t.Parallel()
	for account, want := range map[string]string{
		"a/../b":       "/base/accounts/a%2F..%2Fb/groups/g/virtual_machines",
		"..":           "/base/accounts/%2E%2E/groups/g/virtual_machines",
		".":            "/base/accounts/%2E/groups/g/virtual_machines",
		"a?x=1#y":      "/base/accounts/a%3Fx=1%23y/groups/g/virtual_machines",
		"a%2fb":        "/base/accounts/a%252fb/groups/g/virtual_machines",
		"a b\r\nX: y":  "/base/accounts/a%20b%0D%0AX:%20y/groups/g/virtual_machines",
		"ä\x00":        "/base/accounts/%C3%A4%00/groups/g/virtual_machines",
		"//evil.test/": "/base/accounts/%2F%2Fevil.test%2F/groups/g/virtual_machines",
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
}
