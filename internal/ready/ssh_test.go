package ready_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// keys are host keys, two of each type.
var keys = sync.OnceValue(func() map[string][2]ssh.Signer {
	all := map[string][2]ssh.Signer{}
	for i := range 2 {
		_, ed, _ := ed25519.GenerateKey(rand.Reader)
		short, _ := rsa.GenerateKey(rand.Reader, 2048)
		for _, key := range []crypto.Signer{ed, short, onCurve(elliptic.P256()), onCurve(elliptic.P384()), onCurve(elliptic.P521())} {
			signer, _ := ssh.NewSignerFromSigner(key)
			pair := all[signer.PublicKey().Type()]
			pair[i] = signer
			all[signer.PublicKey().Type()] = pair
		}
	}
	return all
})

func onCurve(curve elliptic.Curve) *ecdsa.PrivateKey {
	key, _ := ecdsa.GenerateKey(curve, rand.Reader)
	return key
}

// hostKey returns a public key in the format in which users write it.
func hostKey(t *testing.T, signer ssh.Signer) ready.HostKey {
	t.Helper()
	key, err := ready.ParseHostKey(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey()))) + " root@web1\n")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// logins counts the attempts to log in.
type logins struct{ atomic.Int64 }

// sshServer returns a server with some host keys.
func sshServer(l *logins, keys ...ssh.Signer) func(net.Conn) {
	config := &ssh.ServerConfig{NoClientAuth: true, NoClientAuthCallback: func(ssh.ConnMetadata) (*ssh.Permissions, error) {
		l.Add(1)
		return nil, io.EOF
	}}
	for _, key := range keys {
		config.AddHostKey(key)
	}
	return func(c net.Conn) { _, _, _, _ = ssh.NewServerConn(c, config) }
}

// impostor has a machine's public key, but another private key.
type impostor struct {
	ssh.Signer
	own ssh.Signer
}

func (i impostor) SignWithAlgorithm(random io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	return i.own.(ssh.AlgorithmSigner).SignWithAlgorithm(random, data, algorithm)
}

func (i impostor) Sign(random io.Reader, data []byte) (*ssh.Signature, error) {
	return i.own.Sign(random, data)
}

// TestSSHHostKey: a server has keys of all types, and the configured one is found. Any other key is not accepted.
func TestSSHHostKey(t *testing.T) {
	t.Parallel()
	var mine, others []ssh.Signer
	for _, pair := range keys() {
		mine, others = append(mine, pair[0]), append(others, pair[1])
	}
	for name, pair := range keys() {
		l := &logins{}
		inBubble(t, name, sshServer(l, mine...), func(t *testing.T, m *machine) {
			if saw := try(t, ready.SSH{Dial: m.dial, Address: address, Key: hostKey(t, pair[0])}); saw != "" || m.connections.Load() != 1 {
				t.Errorf("saw %q", saw)
			}
		})
		inBubble(t, name+" of another machine", sshServer(l, others...), func(t *testing.T, m *machine) {
			saw := try(t, ready.SSH{Dial: m.dial, Address: address, Key: hostKey(t, pair[0])})
			if want := "the server showed the key " + name + " " + ssh.FingerprintSHA256(pair[1].PublicKey()); !strings.HasPrefix(saw, want) {
				t.Errorf("saw %q, want %q", saw, want)
			}
			if l.Load() > 0 {
				t.Error("it tries to log in")
			}
		})
		inBubble(t, name+" of an impostor", sshServer(l, impostor{pair[0], pair[1]}), func(t *testing.T, m *machine) {
			if saw := try(t, ready.SSH{Dial: m.dial, Address: address, Key: hostKey(t, pair[0])}); !strings.HasPrefix(saw, "the handshake failed: ") {
				t.Errorf("saw %q", saw)
			}
		})
	}
}

// TestSSHKeyNegotiation: an RSA key signs with SHA-2, and the error for a server without a key of the type names the
// types it has.
func TestSSHKeyNegotiation(t *testing.T) {
	t.Parallel()
	l, all := &logins{}, keys()
	rsaKey, ed := all[ssh.KeyAlgoRSA][0], all[ssh.KeyAlgoED25519][0]
	signsWith := func(algorithm string) ssh.Signer {
		signer, err := ssh.NewSignerWithAlgorithms(rsaKey.(ssh.AlgorithmSigner), []string{algorithm})
		if err != nil {
			t.Fatal(err)
		}
		return signer
	}
	for name, test := range map[string]struct {
		key    ssh.Signer // configured
		server ssh.Signer
		saw    string
	}{
		"SHA-512": {key: rsaKey, server: signsWith(ssh.KeyAlgoRSASHA512)},
		"SHA-256": {key: rsaKey, server: signsWith(ssh.KeyAlgoRSASHA256)},
		"SHA-1": {
			key:    rsaKey,
			server: signsWith(ssh.KeyAlgoRSA),
			saw:    "the server has no key of this type, but of ssh-rsa",
		},
		"no RSA": {key: rsaKey, server: ed, saw: "the server has no key of this type, but of ssh-ed25519"},
		"no Ed25519": {
			key:    ed,
			server: rsaKey,
			saw:    "the server has no key of this type, but of rsa-sha2-256, rsa-sha2-512",
		},
		"another curve": {
			key:    all[ssh.KeyAlgoECDSA256][0],
			server: all[ssh.KeyAlgoECDSA384][0],
			saw:    "the server has no key of this type, but of ecdsa-sha2-nistp384",
		},
	} {
		inBubble(t, name, sshServer(l, test.server), func(t *testing.T, m *machine) {
			saw := try(t, ready.SSH{Dial: m.dial, Address: address, Key: hostKey(t, test.key)})
			if (saw == "") != (test.saw == "") || !strings.HasPrefix(saw, test.saw) {
				t.Errorf("saw %q, want %q", saw, test.saw)
			}
		})
	}
}

// TestSSHIsAskedSeldom: at most one handshake in five seconds, but a refused connection is tried again each second.
func TestSSHIsAskedSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pair := keys()[ssh.KeyAlgoED25519]
		var shown atomic.Pointer[ssh.Signer]
		shown.Store(&pair[1])
		var last time.Time
		m := &machine{serve: func(c net.Conn) {
			if time.Since(last) < 5*time.Second {
				t.Errorf("asked after %s", time.Since(last))
			}
			last = time.Now()
			sshServer(&logins{}, *shown.Load())(c)
		}}
		m.off.Store(true)
		time.AfterFunc(30*time.Second, func() { m.off.Store(false) })
		time.AfterFunc(60*time.Second, func() { shown.Store(&pair[0]) })
		began := time.Now()
		err := ready.Wait(t.Context(), ready.SSH{Dial: m.dial, Address: address, Key: hostKey(t, pair[0])}, time.Hour)
		if n := m.connections.Load(); err != nil || n < 6 || n > 8 {
			t.Errorf("%d handshakes, %v", n, err)
		}
		if took := time.Since(began); took > 66*time.Second {
			t.Errorf("took %s", took)
		}
		m.all.Wait()
	})
}

// TestParseHostKey: one public key is accepted, with the whitespace and comment that a file has.
func TestParseHostKey(t *testing.T) {
	t.Parallel()
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(keys()[ssh.KeyAlgoED25519][0].PublicKey())))
	for text, says := range map[string]string{
		line: "", " " + line + "\n": "", line + " root@web1": "",
		"":                        "must be one public key",
		"ssh-ed25519 AAAA":        "must be one public key",
		"ssh-ed25519":             "must be one public key",
		line + "\n" + line:        "must be one public key",
		"# comment\n" + line:      "must be one public key",
		"web1 " + line:            "must be one public key",
		"@cert-authority " + line: "must be one public key",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----": "it is a private key",
		"ssh-dss AAAAB3NzaC1kc3MAAACBAP":                                    "must be one public key",
		strings.TrimSpace(string(ssh.MarshalAuthorizedKey(certificate(t)))): "this is a ssh-ed25519-cert-v01@openssh.com",
	} {
		_, err := ready.ParseHostKey(text)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && (strings.Contains(err.Error(), "c2VjcmV0") || len(text) > 20 && strings.Contains(err.Error(), text)) {
			t.Errorf("it is quoted: %v", err)
		}
	}
}

// certificate returns an SSH certificate, which is not accepted as a key.
func certificate(t *testing.T) ssh.PublicKey {
	t.Helper()
	pair := keys()[ssh.KeyAlgoED25519]
	c := &ssh.Certificate{Key: pair[0].PublicKey(), CertType: ssh.HostCert, ValidPrincipals: []string{"web1"}}
	if err := c.SignCert(rand.Reader, pair[1]); err != nil {
		t.Fatal(err)
	}
	return c
}
