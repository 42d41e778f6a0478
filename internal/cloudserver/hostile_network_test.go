package cloudserver_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// attemptTime is the time-out of a request, and callTime that of a whole call, in
// the tests over sockets.
const (
	attemptTime = 150 * time.Millisecond
	callTime    = 300 * time.Millisecond
)

// raw is a server that writes to its connections whatever it is asked to, after
// it has read a request.
func raw(t *testing.T, respond func(connection net.Conn, end <-chan struct{})) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan struct{})
	var all sync.WaitGroup
	t.Cleanup(func() {
		close(end)
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
					respond(connection, end)
				}
			})
		}
	})
	return "http://" + listener.Addr().String()
}

// bodies over sockets. Each is preceded by a status line and headers.
func slowBodies() map[string]func(net.Conn, <-chan struct{}) {
	until := func(end <-chan struct{}, every time.Duration, write func() error) {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				if write() != nil {
					return
				}
			}
		}
	}
	return map[string]func(net.Conn, <-chan struct{}){
		"silence": func(_ net.Conn, end <-chan struct{}) {
			select {
			case <-end:
			case <-time.After(2 * time.Second):
			}
		},
		"byte by byte": func(connection net.Conn, end <-chan struct{}) {
			until(end, 10*time.Millisecond, func() error { _, err := connection.Write([]byte(" ")); return err })
		},
		"without end": func(connection net.Conn, end <-chan struct{}) {
			block := []byte(strings.Repeat(" ", 4096))
			until(end, time.Millisecond, func() error { _, err := connection.Write(block); return err })
		},
		"reset": func(connection net.Conn, _ <-chan struct{}) {
			_, _ = connection.Write([]byte(`{"id":7`))
			if tcp, ok := connection.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
		},
	}
}

func networkClient(t *testing.T, endpoint string) *cloudserver.Client {
	t.Helper()
	return overNetwork(t, endpoint, func(c *cloudserver.Config) { c.RequestTimeout = attemptTime })
}

// inTime makes a call and reports whether it ended in time. Work on a creation
// goes on for a while after the end of the context.
func inTime(t *testing.T, what string, client *cloudserver.Client, call caller, extra time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), callTime)
	defer cancel()
	began := time.Now()
	_ = call(ctx, client)
	if took := time.Since(began); took > callTime+time.Second+extra {
		t.Errorf("%s: the call took %v", what, took)
	}
}

// TestEveryStatusInTime answers with each status from 100 to 599, and bodies that
// do not end.
func TestEveryStatusInTime(t *testing.T) {
	t.Parallel()
	for name, body := range slowBodies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			places := make(chan struct{}, 32) // how many calls go on at once
			var all sync.WaitGroup
			every := 1
			if name == "without end" {
				every = 9 // the client reads each of them up to its limit
			}
			for status := 100; status <= 599; status += every {
				places <- struct{}{}
				all.Go(func() {
					defer func() { <-places }()
					url := raw(t, func(connection net.Conn, end <-chan struct{}) {
						_, _ = fmt.Fprintf(connection, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\n\r\n", status)
						body(connection, end)
					})
					call := func(ctx context.Context, c *cloudserver.Client) error { return result(c.VirtualMachine(ctx, 7)) }
					inTime(t, fmt.Sprintf("%d, %s", status, name), networkClient(t, url), call, 0)
				})
			}
			all.Wait()
		})
	}
}

// TestEveryCallInTime makes every call to servers that play with the protocol.
func TestEveryCallInTime(t *testing.T) {
	t.Parallel()
	slow := slowBodies()
	ways := map[string]func(net.Conn, <-chan struct{}){
		"switched protocols": func(connection net.Conn, end <-chan struct{}) {
			_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
			slow["without end"](connection, end)
		},
		"a refusal without end": func(connection net.Conn, end <-chan struct{}) {
			_, _ = io.WriteString(connection, "HTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n")
			slow["byte by byte"](connection, end)
		},
		"headers without end": func(connection net.Conn, end <-chan struct{}) {
			_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nX: ")
			slow["without end"](connection, end)
		},
		"many interim answers": func(connection net.Conn, end <-chan struct{}) {
			for range 1000 {
				_, _ = io.WriteString(connection, "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n")
			}
			slow["silence"](connection, end)
		},
		"not HTTP": func(connection net.Conn, _ <-chan struct{}) { _, _ = io.WriteString(connection, "220 smtp ready\r\n") },
		"TLS alert": func(connection net.Conn, _ <-chan struct{}) {
			_, _ = connection.Write([]byte("\x15\x03\x01\x00\x02\x02\x16"))
		},
		"hung up": func(net.Conn, <-chan struct{}) {},
		"gzip bomb": func(connection net.Conn, _ <-chan struct{}) {
			_, _ = fmt.Fprintf(connection, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(gzipBomb()))
			_, _ = connection.Write(gzipBomb())
		},
	}
	for name, respond := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := raw(t, respond)
			var all sync.WaitGroup
			for method, call := range hostileCalls() {
				all.Go(func() {
					extra := time.Duration(0)
					if strings.HasPrefix(method, "Create") {
						extra = longestCreation
					}
					inTime(t, method+", "+name, networkClient(t, url), call, extra)
				})
			}
			all.Wait()
		})
	}
}

// gzipBomb is 256 MiB of spaces.
var gzipBomb = sync.OnceValue(func() []byte {
	var bomb bytes.Buffer
	writer := gzip.NewWriter(&bomb)
	block := bytes.Repeat([]byte(" "), 1<<20)
	for range 256 {
		_, _ = writer.Write(block) // to memory
	}
	_ = writer.Close()
	return bomb.Bytes()
})
