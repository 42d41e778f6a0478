package cloudserver_test

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// overNetwork makes a client of a server, with the client's own transport.
func overNetwork(t *testing.T, endpoint string, change ...func(*cloudserver.Config)) *cloudserver.Client {
	t.Helper()
	retries := 0
	config := cloudserver.Config{Endpoint: endpoint, Token: "apikey.marker", MaxRetries: &retries}
	for _, apply := range change {
		apply(&config)
	}
	client, err := cloudserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func quietTLS(t *testing.T, handler http.Handler) (*httptest.Server, string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return server, string(authority)
}

func describe(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"id":7,"name":"web1"}`) // a lost answer shows in the client
}

func TestExtraCA(t *testing.T) {
	t.Parallel()
	var protocol atomic.Value
	server, authority := quietTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocol.Store(r.Proto)
		describe(w, r)
	}))
	client := overNetwork(t, server.URL, func(c *cloudserver.Config) { c.CACertificate = authority })
	if _, err := client.VirtualMachine(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	if protocol.Load() != "HTTP/2.0" {
		t.Errorf("spoke %v, want HTTP/2", protocol.Load())
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(describe))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	server.StartTLS()
	t.Cleanup(server.Close)
	if _, err := overNetwork(t, server.URL).VirtualMachine(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "protocol version") {
		t.Errorf("got %v", err)
	}
}

// What the network does to a POST: whether it may have been sent decides.
func TestSentOverNetwork(t *testing.T) {
	t.Parallel()
	hangUp := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	for name, handler := range map[string]http.HandlerFunc{
		"hung up": hangUp,
		"broken off": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			describe(w, r)
		},
	} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		err := overNetwork(t, server.URL, withRetries(3)).Signal(t.Context(), machine, "reset", "")
		var lost *cloudserver.TransportError
		if !errors.As(err, &lost) || !lost.Sent {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		block := bytes.Repeat([]byte(" "), 1<<20)
		for { // endless; the client hangs up
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	_, err := overNetwork(t, server.URL, withRetries(3)).VirtualMachine(t.Context(), 7)
	if err == nil || !strings.Contains(err.Error(), "larger than any of the service's") {
		t.Errorf("got %v", err)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var leaked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) { leaked.Store(true) }))
	t.Cleanup(elsewhere.Close)
	plain := httptest.NewServer(http.HandlerFunc(describe))
	t.Cleanup(plain.Close)
	for name, test := range map[string]struct {
		status int
		to     string
		post   bool
		want   string // of the error; "": followed
	}{
		"within the service": {301, "/elsewhere", false, ""},
		"kept POST":          {307, "/elsewhere", true, ""},
		"POST to GET":        {302, "/elsewhere", true, "it would turn POST into GET"},
		"other host":         {302, elsewhere.URL, false, "another host"},
		"other host, POST":   {307, elsewhere.URL, true, "another host"},
		"in a circle":        {302, "/", false, "too many redirects"},
		"to plain http":      {302, "http", false, "not encrypted"},
	} {
		t.Run(name, func(t *testing.T) {
			var server *httptest.Server
			server, authority := quietTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				to := test.to
				if to == "http" {
					to = "http://" + r.Host + "/"
				}
				if r.URL.Path == "/elsewhere" {
					describe(w, r)
					return
				}
				http.Redirect(w, r, to, test.status)
			}))
			client := overNetwork(t, server.URL, withRetries(3), func(c *cloudserver.Config) { c.CACertificate = authority })
			var err error
			if test.post {
				err = client.Signal(t.Context(), machine, "reset", "")
			} else {
				_, err = client.VirtualMachine(t.Context(), 7)
			}
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if leaked.Load() {
		t.Error("another host was asked")
	}
}

// An answer that is no HTTP is quoted by the library; it may hold a secret.
func TestQuotedAnswerShowsNoSecret(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(connection, "no such key apikey.marker\r\n\r\n")
			_ = connection.Close()
		}
	}()
	_, err = overNetwork(t, "http://"+listener.Addr().String()).VirtualMachine(t.Context(), 7)
	if err == nil || strings.Contains(err.Error(), "marker") {
		t.Errorf("got %v", err)
	}
}
