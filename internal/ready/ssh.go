package ready

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

const (
	// seldom is the pause after a handshake: OpenSSH refuses clients that connect and do not log in more often
	// (PerSourcePenalties).
	seldom = 5 * time.Second

	mostOfSSH = 16 << 10 // bytes up to the key. OpenSSH sends fewer than 8 KiB; a huge key would take seconds to verify
)

// SSH makes a handshake with an SSH server, which shows its host key. It does not log in.
type SSH struct {
	Dial    Dial
	Address string // with the port
	Key     HostKey
}

// HostKey is a public key of an SSH server.
type HostKey struct{ key ssh.PublicKey }

// algorithms are the signature algorithms for each type of key. For RSA they use SHA-2: servers have dropped SHA-1.
var algorithms = map[string][]string{
	ssh.KeyAlgoED25519:  {ssh.KeyAlgoED25519},
	ssh.KeyAlgoECDSA256: {ssh.KeyAlgoECDSA256},
	ssh.KeyAlgoECDSA384: {ssh.KeyAlgoECDSA384},
	ssh.KeyAlgoECDSA521: {ssh.KeyAlgoECDSA521},
	ssh.KeyAlgoRSA:      {ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256},
}

// ParseHostKey parses one public key in the format of a file such as ssh_host_ed25519_key.pub.
func ParseHostKey(text string) (HostKey, error) {
	const wanted = "must be one public key of an SSH server, such as \"ssh-ed25519 AAAA…\""
	if strings.Contains(text, "PRIVATE KEY") {
		return HostKey{}, errors.New(wanted + ", and it is a private key") // do not quote it
	}
	text = strings.TrimSpace(text)
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(text))
	switch {
	case err != nil || len(options) > 0 || len(bytes.TrimSpace(rest)) > 0 || strings.Contains(text, "\n"):
		return HostKey{}, errors.New(wanted + ": a type, the key, and perhaps a comment")
	case algorithms[key.Type()] == nil:
		return HostKey{}, fmt.Errorf("%s of the type ssh-ed25519, ecdsa-sha2-… or ssh-rsa, and this is a %s", wanted, key.Type())
	}
	return HostKey{key}, nil
}

// String returns the type and the fingerprint in the format of ssh-keygen -l.
func (k HostKey) String() string { return k.key.Type() + " " + ssh.FingerprintSHA256(k.key) }

func (p SSH) String() string { return fmt.Sprintf("the SSH host key %s at %s", p.Key, p.Address) }

// Try makes a handshake up to the point where the server has proved that it has the private key.
func (p SSH) Try(ctx context.Context) (time.Duration, error) {
	connection, err := connect(ctx, p.Dial, p.Address, mostOfSSH)
	if err != nil {
		return often, seen(ctx, err)
	}
	defer func() { _ = connection.Close() }() // nothing that matters was sent
	key, err := p.handshake(connection)
	switch none, ok := errors.AsType[*ssh.AlgorithmNegotiationError](err); {
	case key != nil && bytes.Equal(key.Marshal(), p.Key.key.Marshal()):
		return 0, nil
	case key != nil:
		return seldom, fmt.Errorf("the server showed the key %s", HostKey{key})
	case ok && strings.Contains(none.What, "host key"):
		return seldom, fmt.Errorf("the server has no key of this type, but of %s", strings.Join(none.RequestedAlgorithms, ", "))
	}
	return seldom, fmt.Errorf("the handshake failed: %w", seen(ctx, err))
}

// errSeen ends a handshake before the login.
var errSeen = errors.New("the key was seen")

// handshake returns the host key that the server has proved to hold, or nil.
func (p SSH) handshake(connection net.Conn) (proved ssh.PublicKey, err error) {
	_, _, _, err = ssh.NewClientConn(connection, p.Address, &ssh.ClientConfig{
		ClientVersion:     "SSH-2.0-terraform-provider-cloudserver",
		HostKeyAlgorithms: algorithms[p.Key.key.Type()], // otherwise the server might show another of its keys
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error { // called when the signature is verified
			proved = key
			return errSeen
		},
	})
	return proved, err
}
