// SPDX-License-Identifier: MPL-2.0

package ready_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// probeHTTP returns a probe of /health that accepts these statuses; "" stands for the default.
func probeHTTP(t *testing.T, m *machine, accepts string) ready.HTTP {
	t.Helper()
	target, err := ready.ParseTarget("/health")
	if err != nil {
		t.Fatal(err)
	}
	p := ready.HTTP{Dial: m.dial, Address: address, Target: target, Accepts: ready.Success}
	if accepts != "" {
		if p.Accepts, err = ready.ParseStatuses(accepts); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// TestHTTP: the status decides, and redirects are not followed.
func TestHTTP(t *testing.T) {
	t.Parallel()
	const asked = "GET http://" + address + "/health"
	const broken = asked + ": net/http: HTTP/1.x transport connection broken: "
	for name, test := range map[string]struct{ answer, accepts, saw string }{
		"200":      {answer: "HTTP/1.1 200 OK\r\n\r\n"},
		"204":      {answer: "HTTP/1.1 204 No Content\r\n\r\n"},
		"HTTP/1.0": {answer: "HTTP/1.0 200 OK\r\n\r\nfine"},
		"503": {
			answer: "HTTP/1.1 503 Out to Lunch\r\n\r\n",
			saw:    asked + " answered 503 Service Unavailable",
		},
		"503 is listed": {answer: "HTTP/1.1 503 Service Unavailable\r\n\r\n", accepts: "200,500-599"},
		"a redirect": {
			answer: "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n",
			saw:    asked + " answered 302 Found",
		},
		"it is listed": {answer: "HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n", accepts: "200-299,302"},
		"an early hint": {
			answer: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 No\r\n\r\n",
			saw:    asked + " answered 500 Internal Server Error",
		},
		"a switch": {
			answer: "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
			saw:    asked + " answered 101 Switching Protocols",
		},
		"a strange one":   {answer: "HTTP/1.1 599 \x1b[31m\r\n\r\n", saw: asked + " answered 599"},
		"not HTTP":        {answer: "SSH-2.0-OpenSSH_10.0\r\n", saw: broken + "malformed HTTP"},
		"nothing":         {saw: asked + ": it closed the connection"},
		"a TLS alert":     {answer: "\x15\x03\x01\x00\x02\x02\x16", saw: broken + "malformed HTTP response \"\\x15\\x03\\x01\\x00\\x02\\x02\\x16\""},
		"it wants HTTPS":  {answer: "HTTP/1.1 400 Bad Request\r\n\r\n", saw: asked + " answered 400 Bad Request"},
		"steers terminal": {answer: "\x1b]0;x\x07\u202e HTTP\r\n\r\n", saw: broken + "malformed HTTP"},
		"huge headers":    {answer: "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 1<<20) + "\r\n\r\n", saw: broken + "net/http: server response headers exceeded"},
	} {
		inBubble(t, name, answers(test.answer), func(t *testing.T, m *machine) {
			saw := try(t, probeHTTP(t, m, test.accepts))
			if (saw == "") != (test.saw == "") || !strings.HasPrefix(saw, test.saw) {
				t.Errorf("saw %q, want %q", saw, test.saw)
			}
			if n := m.connections.Load(); saw == "" && n != 1 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// TestHTTPRequest checks the request that the machine gets. The proxy of the environment is not used.
func TestHTTPRequest(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://203.0.113.1:3128")
	t.Setenv("ALL_PROXY", "http://203.0.113.1:3128")
	for host, want := range map[string]string{"": address, "www.example.com": "www.example.com"} {
		var got *http.Request
		m := &machine{serve: func(c net.Conn) {
			got, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, "HTTP/1.1 503 No\r\n\r\n")
		}}
		p := probeHTTP(t, m, "")
		p.Host = host
		p.Target, _ = ready.ParseTarget("/a%2Fb//c?deep=1&key=value")
		err := p.Try(t.Context())
		if got == nil || got.Method != http.MethodGet || got.RequestURI != "/a%2Fb//c?deep=1&key=value" || got.Host != want || len(got.Cookies()) > 0 ||
			got.Header.Get("Authorization") != "" || got.Header.Get("User-Agent") != "terraform-provider-cloudserver (ready)" {
			t.Errorf("got %+v", got)
		}
		if err == nil || strings.Contains(err.Error(), "value") {
			t.Errorf("the query is shown: %v", err)
		}
	}
}

// TestHTTPS: the certificate must be for the host that is dialled, and issued by a trusted authority.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	authority, leaf := certificates(t)
	secure := func(c net.Conn) {
		s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{leaf}})
		_, _ = s.Read(make([]byte, 4<<10))
		_, _ = io.WriteString(s, "HTTP/1.1 200 OK\r\n\r\n")
		_ = s.Close()
	}
	for name, test := range map[string]struct {
		serve   func(net.Conn)
		trusted bool
		host    string // header
		to      string
		saw     string
	}{
		"trusted":          {serve: secure, trusted: true, host: "other.example.com", to: address},
		"unknown issuer":   {serve: secure, to: address, saw: "signed by unknown authority; set ready.ca_certificate to the certificate of its authority"},
		"for another host": {serve: secure, trusted: true, host: "192.0.2.10", to: "web1.example.com:8080", saw: "to match web1.example.com"},
		"plain HTTP":       {serve: answers("HTTP/1.1 200 OK\r\n\r\n"), trusted: true, to: address, saw: "GET https://" + address + "/health: tls: first record does not look like a TLS handshake"},
	} {
		inBubble(t, name, test.serve, func(t *testing.T, m *machine) {
			time.Sleep(time.Until(leaf.Leaf.NotBefore) + time.Hour) // simulated time begins in 2000
			p := probeHTTP(t, m, "")
			p.TLS, p.Host, p.Address, p.Roots = true, test.host, test.to, x509.NewCertPool()
			if test.trusted {
				p.Roots.AddCert(authority)
			}
			if test.to != address {
				p.Dial = dialInstead(m)
			}
			if saw := try(t, p); (saw == "") != (test.saw == "") || !strings.Contains(saw, test.saw) {
				t.Errorf("saw %q, want %q", saw, test.saw)
			}
		})
	}
}

// certificates returns an authority, and a certificate that it issued for the machine's address.
func certificates(t *testing.T) (*x509.Certificate, tls.Certificate) {
	t.Helper()
	sign := func(template, by *x509.Certificate, key, byKey *ecdsa.PrivateKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, byKey)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	from := time.Now()
	caKey, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: from.Add(48 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	ca = sign(ca, ca, caKey, caKey)
	leaf := sign(&x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: from, NotAfter: from.Add(48 * time.Hour), IPAddresses: []net.IP{net.ParseIP("192.0.2.10")}}, ca, key, caKey)
	return ca, tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

// TestParseTarget: only what may stand in a request line is accepted.
func TestParseTarget(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"/": true, "/health": true, "/a/b?c=d&e=%20": true, "//a": true, "/a%2Fb": true, "/?": true,
		"": false, "health": false, "http://x/": false, "/a b": false, "/a#b": false, "/a\r\nX: y": false, "/ä": false, "/%zz": false,
	} {
		if _, err := ready.ParseTarget(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestParseStatuses checks which lists of statuses are accepted.
func TestParseStatuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"200": "200", "200-299": "200-299", "200, 204 ,301-302": "200,204,301-302", "200-599": "200-599",
		"": "", "2xx": "", "299-200": "", "100-200": "", "600": "", "200-": "", "-200": "", "0200": "", "200,,204": "", "+20": "", "all": "",
	} {
		got, err := ready.ParseStatuses(text)
		if got.String() != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
