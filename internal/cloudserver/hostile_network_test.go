package cloudserver_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// raw is a server that writes to its connections whatever it is asked to, after
// it has read a request.
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

// says writes a text, and then another one again and again until the client has
// hung up.
func says(begin, again string) func(net.Conn) {
	return func(connection net.Conn) {
		_, err := io.WriteString(connection, begin)
		for err == nil {
			_, err = io.WriteString(connection, again)
			if len(again) < 64 {
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
}

// TestAnswersInTime: no server that plays with the protocol holds a call for
// longer than an attempt may take.
func TestAnswersInTime(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\n\r\n"
	for name, respond := range map[string]func(net.Conn){
		"byte by byte":          says(ok, " "),
		"switched protocols":    says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", " "),
		"a refusal without end": says("HTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
		"headers without end":   says("HTTP/1.1 200 OK\r\nX: ", "x"),
		"interim answers":       says("", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"),
		"gzip bomb": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"+gzipBomb())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := overNetwork(t, raw(t, respond), func(c *cloudserver.Config) { c.RequestTimeout = 150 * time.Millisecond })
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			if _, err := client.VirtualMachine(ctx, 7); err == nil || time.Since(began) > 5*time.Second {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		})
	}
}

// gzipBomb is 32 MiB of spaces, twice what a client reads.
func gzipBomb() string {
	var bomb bytes.Buffer
	writer := gzip.NewWriter(&bomb)
	block := bytes.Repeat([]byte(" "), 1<<20)
	for range 32 {
		_, _ = writer.Write(block) // to memory
	}
	_ = writer.Close()
	return bomb.String()
}
