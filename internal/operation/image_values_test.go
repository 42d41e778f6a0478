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
		"a comment":                         {key, key + " ops@example", true},
		"a comment of several words":        {key + " ops at example", key + " another", true},
		"whitespace":                        {key, " ssh-ed25519 \t" + key[len("ssh-ed25519 "):] + "\r\n", true},
		"lines without a key":               {key + "\n" + other, "# ops\n\n" + key + " a\n# deploy\n" + other + " b\n", true},
		"a comment behind options":          {`command="echo hello",no-pty ` + key, `command="echo hello",no-pty ` + key + " ops", true},
		"another key":                       {key, other, false},
		"one key more":                      {key, key + "\n" + other, false},
		"another order":                     {key + "\n" + other, other + "\n" + key, false},
		"options":                           {key, "no-pty " + key, false},
		"other options":                     {`command="echo hello" ` + key, `command="echo bye" ` + key, false},
		"a key in the comment":              {key + " " + other, key, true},
		"what is not a key, with a comment": {"ssh-ed25519 A", "ssh-ed25519 A ops", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same := operation.SamePublicKeys(test.a, test.b); same != test.same {
				t.Errorf("the same: %v, want %v:\n%s\n%s", same, test.same, test.a, test.b)
			}
		})
	}
}
