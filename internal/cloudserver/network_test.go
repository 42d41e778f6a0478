// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// overNetwork returns a client for a server, with the client's own transport and no retries.
func overNetwork(t *testing.T, endpoint string, change ...func(*cloudserver.Config)) *cloudserver.Client {
	t.Helper()
	own := func(c *cloudserver.Config) { c.Endpoint, c.Token, c.MaxRetries = endpoint, "apikey.marker", new(int) }
	return newClient(t, nil, append([]func(*cloudserver.Config){own}, change...)...)
}

func describe(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"id":7,"name":"web1"}`) // a lost answer shows in the client
}

// raw starts a server that reads a request and then writes any bytes to the connection.
func raw(t *testing.T, respond func(connection net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer func() { _ = connection.Close() }()
				if request, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
					_, _ = io.CopyN(io.Discard, request.Body, request.ContentLength)
					respond(connection)
				}
			})
		}
	})
	return "http://" + listener.Addr().String()
}

// says writes begin, and then again repeatedly until the client closes the connection.
func says(begin, again string) func(net.Conn) {
	return func(connection net.Conn) {
		_, err := io.WriteString(connection, begin)
		for err == nil && again != "" {
			_, err = io.WriteString(connection, again)
			if len(again) < 64 {
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
}

// TestBrokenAnswers: whatever a server sends, a call takes no longer than an attempt may take. It is known whether the
// request may have been sent, and quotes in errors of the library show no secret.
func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	const ok, inTime = "HTTP/1.1 200 OK\r\n\r\n", "nothing within 150ms"
	for name, test := range map[string]struct {
		respond func(net.Conn)
		says    string
	}{
		"hung up":               {says("", ""), "EOF"},
		"broken off":            {says("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", ""), "the answer broke off"},
		"no HTTP":               {says("apikey.marker\r\n\r\n", ""), "(hidden)"},
		"byte by byte":          {says(ok, " "), inTime},
		"a refusal without end": {says("HTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), inTime},
		"a body without end":    {says(ok, strings.Repeat(" ", 1<<20)), "larger than any of the service's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := overNetwork(t, raw(t, test.respond), withRetries(3), func(c *cloudserver.Config) {
				if test.says == inTime {
					c.RequestTimeout = 150 * time.Millisecond
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			began := time.Now()
			err := client.Signal(ctx, machine, "reset", "")
			lost, _ := errors.AsType[*cloudserver.TransportError](err)
			isLate := test.says == inTime && time.Since(began) > 5*time.Second
			if lost == nil || !lost.Sent || isLate || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "marker") {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		})
	}
}

// TestDefiniteConnectionFailures: with the default number of retries, they fail within two seconds and name the cause.
func TestDefiniteConnectionFailures(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(describe))
	t.Cleanup(plain.Close)
	secure, _ := serveTLS(t, http.HandlerFunc(describe), nil)
	closed := httptest.NewServer(nil)
	closed.Close()
	for name, test := range map[string]struct{ endpoint, says string }{
		"no such host":        {"https://service.invalid", "no such host"},
		"connection refused":  {closed.URL, "connection refused"},
		"HTTPS to plain HTTP": {strings.Replace(plain.URL, "http:", "https:", 1), "server gave HTTP response to HTTPS client"},
		"plain HTTP to HTTPS": {strings.Replace(secure, "https:", "http:", 1), "answered 400 Bad Request"},
		"unknown authority":   {secure, "set ca_certificate"},
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

func TestRedirects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status   int
		to       string
		call     string
		requests int
		want     string // part of the error; "": the redirect is followed
	}{
		"within the service": {status: 301, to: "/elsewhere", call: "VirtualMachine", requests: 2},
		"same port":          {status: 301, to: "https://service.invalid:443/elsewhere", call: "VirtualMachine", requests: 2},
		"kept POST":          {status: 307, to: "/elsewhere", call: "Signal", requests: 2},
		"POST to GET":        {status: 302, to: "/elsewhere", call: "Signal", requests: 1, want: "redirects to GET https://service.invalid"},
		"other host":         {status: 302, to: "https://elsewhere.invalid/base", call: "VirtualMachine", requests: 1, want: "redirects to GET https://elsewhere.invalid"},
		"other port":         {status: 302, to: "https://service.invalid:8443/base", call: "VirtualMachine", requests: 1, want: "redirects to GET https://service.invalid:8443"},
		"in a circle":        {status: 302, to: "/", call: "VirtualMachine", requests: 6, want: "redirects to GET https://service.invalid"},
		"to plain http":      {status: 302, to: "http://service.invalid/base", call: "VirtualMachine", requests: 1, want: "redirects to GET http://service.invalid"},
	} {
		service := serve(answer(test.status, "", "Location", test.to), healthy)
		if name == "in a circle" {
			service.steps = service.steps[:1]
		}
		err := do(t.Context(), newClient(t, service), test.call)
		if len(service.journal()) != test.requests || test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v after %d requests, want %q", name, err, len(service.journal()), test.want)
		}
		if requests := service.journal(); test.want == "" && (requests[1].path != "/elsewhere" || requests[1].body != requests[0].body) {
			t.Errorf("%s: followed by %+v", name, requests[1])
		}
	}
}
