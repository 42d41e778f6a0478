package operation_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
)

func TestSamePublicKeys(t *testing.T) {
	t.Parallel()
	const (
		key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
		other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA"
	)
	for name, test := range map[string]struct {
		a, b string
		same bool
	}{
		"a comment":                  {a: key, b: key + " ops@example", same: true},
		"a comment of several words": {a: key + " ops at example", b: key + " another", same: true},
		"whitespace": {
			a:    key,
			b:    " ssh-ed25519 \t" + key[len("ssh-ed25519 "):] + "\r\n",
			same: true,
		},
		"lines without a key": {
			a:    key + "\n" + other,
			b:    "# ops\n\n" + key + " a\n# deploy\n" + other + " b\n",
			same: true,
		},
		"a comment behind options": {
			a:    `command="echo hello",no-pty ` + key,
			b:    `command="echo hello",no-pty ` + key + " ops",
			same: true,
		},
		"another key":                       {a: key, b: other},
		"one key more":                      {a: key, b: key + "\n" + other},
		"another order":                     {a: key + "\n" + other, b: other + "\n" + key},
		"options":                           {a: key, b: "no-pty " + key},
		"other options":                     {a: `command="echo hello" ` + key, b: `command="echo bye" ` + key},
		"a key in the comment":              {a: key + " " + other, b: key, same: true},
		"what is not a key, with a comment": {a: "ssh-ed25519 A", b: "ssh-ed25519 A ops"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same := operation.SamePublicKeys(test.a, test.b); same != test.same {
				t.Errorf("the same: %v, want %v:\n%s\n%s", same, test.same, test.a, test.b)
			}
		})
	}
}

// TestUnusablePublicKeys: keys with which nobody can log in are refused, with the line.
func TestUnusablePublicKeys(t *testing.T) {
	t.Parallel()
	const (
		key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
		other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA"
	)
	for text, want := range map[string]string{
		key:                            "",
		key + "\n":                     "",
		key + " me, at work\n" + other: "",
		`from="192.0.2.0/24,!192.0.2.9",command="echo ssh-ed25519" ` + key: "",
		"sk-ssh-ed25519@openssh.com AAAA":                                  "",
		key[:len(key)-1]:                                                   "Line 1 has an incomplete key of the type ssh-ed25519",
		key[:len(key)-8]:                                                   "Line 1 has an incomplete key of the type ssh-ed25519",
		key + "\n" + other[:40]:                                            "Line 2 has an incomplete key of the type ssh-ed25519",
		"ssh-rsa" + key[len("ssh-ed25519"):]:                               "Line 1 has an incomplete key of the type ssh-rsa",
		key + "," + other:                                                  "Line 1 has 2 keys",
		key + " " + other:                                                  "Line 1 has 2 keys",
		"# ops\n" + key + " me " + other:                                   "Line 2 has 2 keys",
		key + " me; " + other:                                              "Line 1 has 2 keys",
		key + ` me\n` + other:                                              `Line 1 contains \n as two characters`,
		key + `\n`:                                                         `Line 1 contains \n as two characters`,
	} {
		if problem := operation.PublicKeys.Problem(path.Root("ssh_public_key"), text); !strings.HasPrefix(problem, want) || (problem == "") != (want == "") {
			t.Errorf("%q\ngot  %q\nwant %q", text, problem, want)
		}
	}
}
