// SPDX-License-Identifier: MPL-2.0

package ready_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// TestWait: the error has what was waited for, how long, how many attempts, and what was seen last.
func TestWait(t *testing.T) {
	t.Parallel()
	inBubble(t, "times out", nil, func(t *testing.T, m *machine) {
		m.off.Store(true)
		err := ready.Wait(t.Context(), ready.TCP{Dial: m.dial, Address: address}, 2*time.Minute)
		if want := "waited 2m0s for a TCP connection to " + address + ": timed out; last seen: connection refused (attempt 120)"; fmt.Sprint(err) != want {
			t.Errorf("got %q, want %q", err, want)
		}
	})
	inBubble(t, "accepts", func(net.Conn) {}, func(t *testing.T, m *machine) {
		m.off.Store(true)
		time.AfterFunc(59500*time.Millisecond, func() { m.off.Store(false) })
		began := time.Now()
		if err := ready.Wait(t.Context(), ready.TCP{Dial: m.dial, Address: address}, 2*time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
	inBubble(t, "says nothing", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, func(t *testing.T, m *machine) {
		err := ready.Wait(t.Context(), probeHTTP(t, m, ""), time.Minute)
		if want := "for GET http://" + address + "/health to answer 200-299: timed out; last seen: GET http://" + address + "/health: no answer, the attempt timed out (attempt "; !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("got %q, want %q", err, want)
		}
	})
	inBubble(t, "recovers", nil, func(t *testing.T, m *machine) {
		began := time.Now()
		m.serve = func(c net.Conn) {
			if time.Since(began) < 90*time.Second {
				answers("HTTP/1.1 503 No\r\n\r\n")(c)
				return
			}
			answers("HTTP/1.1 200 OK\r\n\r\n")(c)
		}
		if err := ready.Wait(t.Context(), probeHTTP(t, m, ""), time.Hour); err != nil || time.Since(began) > 92*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// A service cannot direct this program to its own computer.
func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"192.0.2.10": true, "10.0.0.1": true, "2001:db8::1": true, "fd00::1": true, "::ffff:192.0.2.1": true,
		"127.0.0.1": false, "::1": false, "::ffff:127.0.0.1": false, "169.254.169.254": false, "fe80::1": false,
		"224.0.0.1": false, "0.0.0.0": false, "::": false,
	} {
		if err := ready.CheckAddress(address, false); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if err := ready.CheckAddress(address, true); err != nil {
			t.Errorf("%s of a service that is here: %v", address, err)
		}
	}
	for _, text := range []string{"", "localhost", "127.1", "\x1b[2J", "192.0.2.10:22"} {
		if err := ready.CheckAddress(text, true); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
