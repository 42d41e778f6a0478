package operation_test

import (
	"testing"

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
