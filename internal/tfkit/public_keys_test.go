// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const (
	key        = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
	otherKey   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM"
	unknownKey = "ssh-new@example.com AAAAE3NzaC1uZXdAZXhhbXBsZS5jb20AAAADYWJj"
	privateKey = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n"
)

// TestPublicKeys: a text that is not keys, one a line, is an error. A key that cannot be read is a warning where it is
// sent. No message repeats what is wrong, because it may be a private key.
func TestPublicKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // "" if it is accepted, otherwise a phrase of the error or "warning: …"
		key: "", key + " me@example.com\n": "", "  " + key + "\r\n": "", "# mine\n" + key + "\n\n" + otherKey: "",
		`command="/bin/true",no-pty ` + key:               "",
		`command="ssh-keygen -l ssh-rsa AAAA" ` + key:     "",
		`command="cat >> ` + otherKey + ` x" ` + key:      "",
		`environment="A=\"b c\"",restrict ` + key + " me": "",
		key + " work laptop, not ssh-rsa":                 "",

		unknownKey:                             "warning: Line 1 ",
		"restrict " + unknownKey:               "warning: Line 1 ",
		key + "\nssh-ed25519 AAAAC3NzaC1lZDI1": "warning: Line 2 ",
		"# old\n" + key + "\n\nssh-foo bar":    "warning: Line 4 ",
		"ssh-rsa " + key[12:]:                  "warning: Line 1 ",
		key + "…":                              "warning: Line 1 ",

		"": "no key", "# mine": "no key", "~/.ssh/id_ed25519.pub": "Line 1 ", key + "\nsecond": "Line 2 ",
		"ssh-ed25519": "Line 1 ", "command=\"run ssh-keygen now\"": "Line 1 ", "command=\"x " + key: "Line 1 ",
		"\"" + key + "\"": "Line 1 ",
		"---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3NzaC1lZDI1NTE5\n---- END SSH2 PUBLIC KEY ----": "Line 1 ",

		privateKey: "private key", key + "\n" + privateKey: "private key", "# " + privateKey: "private key",
		"ssh-ed25519 " + strings.ReplaceAll(privateKey, "\n", " "): "private key",
		"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n":   "Line 1 ",

		key + otherKey:                                    "several keys",
		key + " me@here" + otherKey + " you":              "several keys",
		key + " me " + otherKey + " you":                  "several keys",
		key + "," + otherKey:                              "several keys",
		key + "," + key + "," + otherKey:                  "several keys",
		key + `\n` + otherKey:                             "several keys",
		`restrict ` + key + otherKey:                      "several keys",
		key + "\n" + key + " me" + otherKey + " you\n":    "Line 2 ",
		`command="x" ` + key + `command="y" ` + otherKey:  "several keys",
		unknownKey + " me" + key:                          "several keys",
		"ssh-ed25519 AAAAC3NzaC1lZDI1 me\t" + otherKey[:]: "several keys",
	} {
		at := path.Root("ssh_public_key")
		var resp validator.StringResponse
		PublicKeys.ValidateString(t.Context(), validator.StringRequest{Path: at, ConfigValue: types.StringValue(text)}, &resp)
		diags := resp.Diagnostics
		if !diags.HasError() {
			WarnPublicKeys(types.StringValue(text), at, &diags)
		}
		got := ""
		for _, d := range diags {
			if d.Severity() == diag.SeverityWarning {
				got = "warning: "
			}
			got += d.Detail()
		}
		if want == "" && got != "" || !strings.Contains(got, want) || len(diags) > 1 ||
			strings.HasPrefix(want, "warning") != strings.HasPrefix(got, "warning") {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		for _, part := range []string{"AAAA", "b3Bl", "second", "foo"} {
			if strings.Contains(got, part) {
				t.Errorf("%q: the message has %q: %s", text, part, got)
			}
		}
	}
}

// TestSamePublicKeys: comments and whitespace are not compared, and options are.
func TestSamePublicKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{key, "# mine\r\n\n  " + key + " me@here\n", true},
		{key, otherKey, false},
		{key, "no-pty " + key, false},
		{key + "\n" + otherKey, otherKey + "\n" + key, false},
		{`command="run ssh-keygen now" ` + key, `command="run ssh-keygen now" ` + otherKey, false},
		{`command="run ssh-keygen now" ` + key, `command="run ssh-keygen later" ` + key, false},
		{`command="a b",no-pty ` + key + " me", `command="a b",no-pty   ` + key, true},
		{`command="a b" ` + key, `command="a  b" ` + key, false},
		{"ssh-foo bar", "ssh-foo baz", false},
		{"ssh-foo bar", " ssh-foo bar\n", true},
	} {
		if SamePublicKeys(test.a, test.b) != test.same {
			t.Errorf("%q and %q: want %t", test.a, test.b, test.same)
		}
	}
}
