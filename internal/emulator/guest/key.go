package guest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// CheckKey returns an error unless the text is a private key in PEM that can be a guest's host key.
func CheckKey(text string) error {
	_, err := ssh.ParsePrivateKey([]byte(text))
	if err != nil {
		return errors.New("must be a private key in PEM, without a passphrase, as ssh-keygen -t ed25519 writes it")
	}
	return nil
}

// PublicKey returns the public host key of a guest in the format of configurations.
func PublicKey(guest emulator.Guest) string {
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(hostKey(guest).PublicKey())))
}

// hostKey returns the key that a guest was given, or one derived from the machine's ID and the number of its images.
// Anybody can derive the latter: an emulator has no secrets.
func hostKey(guest emulator.Guest) ssh.Signer {
	var unindented []string
	for line := range strings.Lines(guest.HostKey) {
		unindented = append(unindented, strings.TrimSpace(line))
	}
	if key, err := ssh.ParsePrivateKey([]byte(strings.Join(unindented, "\n") + "\n")); err == nil {
		return key
	}
	seed := sha256.Sum256(fmt.Appendf(nil, "image %d of machine %d", guest.Images, guest.Machine))
	key, _ := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(seed[:])) // cannot fail: the type is known
	return key
}

// errNoLogin refuses logins.
var errNoLogin = errors.New("an emulated machine lets nobody log in")

// showKey makes the handshake of an SSH server and refuses the login.
func showKey(connection net.Conn, guest emulator.Guest) {
	config := &ssh.ServerConfig{
		ServerVersion:     "SSH-2.0-emulator",
		PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return nil, errNoLogin },
	}
	config.AddHostKey(hostKey(guest))
	_, _, _, _ = ssh.NewServerConn(connection, config) // it always fails
}
