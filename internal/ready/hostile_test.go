package ready_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// repeats writes first, and then text again and again until the connection is closed.
func repeats(first, text string, pause time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, first)
		for err == nil {
			if pause > 0 {
				time.Sleep(pause)
			}
			_, err = io.WriteString(c, text)
		}
	}
}

// TestHostileMachines: whatever a machine does, an attempt ends in time and in bounded memory, and the machine is not
// ready.
func TestHostileMachines(t *testing.T) {
	t.Parallel()
	packet := func(length uint32) string { return string(binary.BigEndian.AppendUint32(nil, length)) }
	const version = "SSH-2.0-x\r\n"
	for name, serve := range map[string]func(net.Conn){
		"silence":            func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"does not read":      func(c net.Conn) { time.Sleep(time.Minute) },
		"closes at once":     func(net.Conn) {},
		"garbage":            repeats("", strings.Repeat("\x00\xff\x1b[2J", 1000), 0),
		"HTTP, slow bytes":   repeats("", "H", 900*time.Millisecond),
		"HTTP, slow headers": repeats("HTTP/1.1 503 No\r\n", "X: y\r\n", 900*time.Millisecond),
		"HTTP, endless line": repeats("HTTP/1.1 200", strings.Repeat("x", 1<<10), 0),
		"HTTP, headers":      repeats("HTTP/1.1 200 OK\r\n", "X: "+strings.Repeat("y", 1<<10)+"\r\n", 0),
		"HTTP, hints":        repeats("", "HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("y", 1<<10)+"\r\n\r\n", 0),
		"HTTP, huge body":    repeats("HTTP/1.1 503 No\r\n\r\n", strings.Repeat("z", 1<<10), 0),
		"HTTP, compressed":   repeats("HTTP/1.1 503 No\r\nContent-Encoding: gzip\r\n\r\n", strings.Repeat("\x1f\x8b", 1<<10), 0),
		"HTTP, to itself":    answers("HTTP/1.1 302 Found\r\nLocation: /health\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"),
		"SSH, banner":        repeats("", "Authorised use only\r\n", 0),
		"SSH, slow version":  repeats("SSH-2.0-", "x", 900*time.Millisecond),
		"SSH, huge packet":   repeats(version+packet(1<<31), strings.Repeat("k", 1<<10), 0),
		"SSH, large packet":  repeats(version+packet(200<<10), strings.Repeat("k", 1<<10), 0),
		"SSH, ignored":       repeats(version, packet(12)+"\x0a\x02\x00\x00\x00\x00"+"\x00\x00\x00\x00\x00\x00", 0),
		"SSH, stops":         func(c net.Conn) { _, _ = io.WriteString(c, version); _, _ = io.Copy(io.Discard, c) },
		"TLS, huge record":   repeats("\x16\x03\x03\x40\x00\x02\x00\xff\xff", strings.Repeat("c", 1<<10), 0),
	} {
		key := hostKey(t, keys()[ssh.KeyAlgoRSA][0])
		for kind, probe := range map[string]func(*testing.T, *machine) ready.Probe{
			"HTTP":  func(t *testing.T, m *machine) ready.Probe { return probeHTTP(t, m, "") },
			"HTTPS": func(t *testing.T, m *machine) ready.Probe { p := probeHTTP(t, m, ""); p.TLS = true; return p },
			"SSH":   func(_ *testing.T, m *machine) ready.Probe { return ready.SSH{Dial: m.dial, Address: address, Key: key} },
		} {
			inBubble(t, kind+" "+name, serve, func(t *testing.T, m *machine) {
				if saw := try(t, probe(t, m)); saw == "" {
					t.Error("it is ready")
				}
				// A connection buffers some bytes in addition to those that were read.
				if each := m.sent.Load() / m.connections.Load(); each > 300<<10 {
					t.Errorf("it sent %d KiB for each of %d attempts", each>>10, m.connections.Load())
				}
			})
		}
	}
}

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

// TestCheckAddress: a service cannot direct this program to its own computer or network.
func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for address, kind := range map[string]string{
		"192.0.2.10": "", "10.0.0.1": "", "2001:db8::1": "", "fd00::1": "",
		"127.0.0.1": "loopback", "127.77.0.2": "loopback", "::1": "loopback", "::ffff:127.0.0.1": "loopback",
		"169.254.169.254": "link-local", "fe80::1": "link-local", "fe80::1%eth0": "link-local", "::ffff:169.254.169.254": "link-local",
		"224.0.0.1": "multicast", "ff02::1": "multicast", "ff05::2": "multicast", "::ffff:224.0.0.1": "multicast",
		"0.0.0.0": "unspecified", "::": "unspecified", "::ffff:0.0.0.0": "unspecified",
		"2001:db8::1%eth0": "of one network alone",
		"100.100.100.200":  "metadata service", "168.63.129.16": "metadata service", "fd00:ec2::254": "metadata service", "::ffff:100.100.100.200": "metadata service",
		"100.100.100.201": "", "168.63.129.17": "", "fd00:ec2::253": "", "1.0.0.1": "",
		"0.1.2.3": "unspecified", "0.255.255.255": "unspecified", "::ffff:0.1.2.3": "unspecified",
		"::127.0.0.1": "loopback", "::169.254.169.254": "link-local", "::192.0.2.10": "", "::100.100.100.200": "metadata service",
		"64:ff9b::7f00:1": "loopback", "64:ff9b::a9fe:a9fe": "link-local", "64:ff9b::6464:64c8": "metadata service", "64:ff9b::c000:20a": "",
		"2002:7f00:1::1": "loopback", "2002:a9fe:a9fe::": "link-local", "2002:c000:20a::1": "",
	} {
		err := ready.CheckAddress(address, false)
		if (err == nil) != (kind == "") || err != nil && !strings.Contains(err.Error(), kind) {
			t.Errorf("%s: %v", address, err)
		}
		if err := ready.CheckAddress(address, true); err != nil {
			t.Errorf("%s of a service that is here: %v", address, err)
		}
	}
	for _, text := range slices.Collect(strings.SplitSeq("localhost,metadata.internal,127.1,2130706433,0x7f.1,\x1b[2J,192.0.2.10:22,", ",")) {
		for _, here := range []bool{false, true} {
			if err := ready.CheckAddress(text, here); err == nil || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
