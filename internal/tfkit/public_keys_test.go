package tfkit

import (
	"strings"
	"testing"
)

const someKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

// TestPublicKeys: every text with which somebody can log in is accepted, and nothing else, least of all a private key.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"a key":               {someKey, true},
		"with a comment":      {someKey + " me@example.com\n", true},
		"with options":        {`command="/bin/true",no-pty ` + someKey, true},
		"two, with comments":  {"# mine\n" + someKey + "\n\n" + someKey, true},
		"a placeholder":       {"ssh-ed25519 AAAA", true},
		"nothing":             {"", false},
		"only a comment":      {"# mine", false},
		"a path":              {"~/.ssh/id_ed25519.pub", false},
		"a private key":       {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n", false},
		"of another type":     {"ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f", false},
		"one that is no key":  {someKey + "\nsecond", false},
		"the key alone":       {"AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f", false},
		"in a form of PuTTY":  {"---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3NzaC1lZDI1NTE5\n---- END SSH2 PUBLIC KEY ----", false},
		"with leading spaces": {"  " + someKey, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := arePublicKeys(test.text); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

// TestSamePublicKeys: comments and whitespace do not change a key; options and the key itself do.
func TestSamePublicKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"a line break":    {someKey + " me@here\n", true},
		"another comment": {someKey + " me@there", true},
		"no comment":      {someKey, true},
		"a comment line":  {"# mine\n" + someKey + " me@here", true},
		"an option":       {`command="true" ` + someKey + " me@here", false},
		"another key":     {strings.Replace(someKey, "AgMEB", "AgMEC", 1), false},
		"a second key":    {someKey + "\n" + someKey, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := SamePublicKeys(someKey+" me@here", test.text); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}
