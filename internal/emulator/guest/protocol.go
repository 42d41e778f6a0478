package guest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// Protocol is the protocol that a guest answers in.
type Protocol int

// The protocols. Greeting sends a line with the hostname and closes the connection.
const (
	Greeting Protocol = iota
	HTTP
	SSH
)

// patience is how long a guest waits for a client.
const patience = 10 * time.Second

// Answer answers a connection as a guest does.
func Answer(connection net.Conn, guest emulator.Guest, protocol Protocol) {
	if connection.SetDeadline(time.Now().Add(patience)) != nil {
		return
	}
	switch protocol {
	case HTTP:
		answerHTTP(connection, guest)
	case SSH:
		showKey(connection, guest)
	default:
		_, _ = io.WriteString(connection, guest.Hostname+"\r\n") // the client may be gone
	}
}

// answerHTTP answers one request with the guest's status, hostname and image.
func answerHTTP(connection net.Conn, guest emulator.Guest) {
	request, err := http.ReadRequest(bufio.NewReader(io.LimitReader(connection, 64<<10)))
	if err != nil {
		return
	}
	body := strings.TrimSpace(fmt.Sprintf("%s %s", guest.Hostname, guest.Image)) + "\n"
	answer := http.Response{
		StatusCode: guest.HTTPStatus, ProtoMajor: 1, ProtoMinor: 1, Request: request, Close: true,
		Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
	_ = answer.Write(connection) // the client may be gone
}
