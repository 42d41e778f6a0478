package tfkit

import "testing"

// TestPublicKeys: a text is accepted if each line that is not a comment has a key. A private key never is.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
	for text, want := range map[string]bool{
		key: true, key + " me@example.com\n": true, "  " + key: true, `command="/bin/true",no-pty ` + key: true,
		"# mine\n" + key + "\n\n" + key: true, "ecdsa-sha2-nistp256 AAAA": true,
		"": false, "# mine": false, "~/.ssh/id_ed25519.pub": false, key + "\nsecond": false, "ssh-ed25519": false,
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n": false,
		"---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3NzaC1lZDI1NTE5\n---- END SSH2 PUBLIC KEY ----":   false,
	} {
		if got := arePublicKeys(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
	if !SamePublicKeys("# mine\n"+key+" me\n", key) || SamePublicKeys(key, "no-pty "+key) {
		t.Error("comments are compared, or options are not")
	}
}
