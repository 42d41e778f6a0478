// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/ssh"
)

// PublicKeys accepts the text of authorized_keys with which somebody can log in. A private key would get into the
// state, so it is refused, and no message repeats any of the text.
var PublicKeys validator.String = publicKeys{}

type publicKeys struct{}

const acceptedKeys = "must be public keys in the form of OpenSSH, one a line: the contents of .pub files, as with file()"

// Description returns what is accepted.
func (publicKeys) Description(context.Context) string { return acceptedKeys }

// MarkdownDescription returns what is accepted.
func (publicKeys) MarkdownDescription(context.Context) string { return acceptedKeys }

// ValidateString refuses any other text.
func (publicKeys) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Given(req.ConfigValue) {
		return
	}
	if problem := refusedKeys(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid public key", problem)
	}
}

// refusedKeys returns what is wrong with a text of authorized_keys, or "".
func refusedKeys(text string) string {
	if strings.Contains(text, "PRIVATE KEY-----") {
		return "This is a private key. Set the public one, which is in the .pub file beside it."
	}
	lines := keyLines(text)
	if len(lines) == 0 {
		return "The text has no key. It " + acceptedKeys + ". To set no key, leave the argument out, or set it to null."
	}
	for _, line := range lines {
		switch {
		case line.hasAnother():
			return fmt.Sprintf("Line %d has several keys, of which only the first would count. "+
				"Join the keys with a line end between them, as in join(\"\\n\", [file(\"a.pub\"), file(\"b.pub\")]).", line.number)
		case !line.isKey():
			return fmt.Sprintf("Line %d is not a public key. The text %s.", line.number, acceptedKeys)
		}
	}
	return ""
}

// WarnPublicKeys warns of a line that is written like a key but cannot be read, because it is incomplete or of a type that
// is not known here. It is meant for plans that send the keys.
func WarnPublicKeys(keys types.String, at path.Path, diags *diag.Diagnostics) {
	for _, line := range keyLines(keys.ValueString()) {
		if line.key == nil && line.isKey() {
			diags.AddAttributeWarning(at, "A public key cannot be read",
				fmt.Sprintf("Line %d of %s is incomplete, or its type is not known: perhaps nobody can log in with it. "+
					"Compare it with the whole line of the .pub file.", line.number, at))
		}
	}
}

// SamePublicKeys reports whether two texts hold the same keys with the same options. Comments and whitespace are not
// compared.
func SamePublicKeys(a, b string) bool {
	return slices.EqualFunc(keyLines(a), keyLines(b), func(a, b keyLine) bool {
		if a.key == nil || b.key == nil {
			return a.text == b.text
		}
		return slices.Equal(a.options, b.options) && slices.Equal(a.key.Marshal(), b.key.Marshal())
	})
}

// keyLine is a line of authorized_keys that is neither empty nor a comment.
type keyLine struct {
	number  int
	text    string
	key     ssh.PublicKey // nil if it cannot be read
	options []string
	comment string
}

func keyLines(text string) (lines []keyLine) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			key = nil
		}
		lines = append(lines, keyLine{number, line, key, options, comment})
	}
	return lines
}

// isKey reports whether the line is written like a key, which may be of an unknown type.
func (l keyLine) isKey() bool { return l.key != nil || beginsLikeKey(l.words()) }

// hasAnother reports whether a second key follows in the line: a word that is a key of the type which the word before it
// ends with.
func (l keyLine) hasAnother() bool {
	words := l.words()
	if l.key != nil {
		words = strings.Fields(l.comment)
	}
	for i := 1; i < len(words); i++ {
		key := parseKey(words[i])
		if key != nil && strings.HasSuffix(words[i-1], key.Type()) {
			return true
		}
	}
	return false
}

// words returns the words of the line after its options, which are one word but for what is quoted.
func (l keyLine) words() []string {
	if words := strings.Fields(l.text); beginsLikeKey(words) {
		return words
	}
	text, quoted := strings.ReplaceAll(l.text, `\"`, ""), false
	end := strings.IndexFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && unicode.IsSpace(r)
	})
	return strings.Fields(text[max(end, 0):])
}

// keyTypeWord is written like the type of a key.
var keyTypeWord = regexp.MustCompile(`^[a-z][a-z0-9@.-]*$`)

// beginsLikeKey reports whether the first two words are like the type of a key and a key. Those of all types begin with
// the same four letters, unless they are incomplete.
func beginsLikeKey(words []string) bool {
	if len(words) < 2 || !keyTypeWord.MatchString(words[0]) {
		return false
	}
	isType := func(begin string) bool { return strings.HasPrefix(words[0], begin) }
	return slices.ContainsFunc([]string{"ssh-", "ecdsa-", "sk-"}, isType) || strings.HasPrefix(words[1], "AAAA")
}

// parseKey returns the key that a word encodes, or nil.
func parseKey(word string) ssh.PublicKey {
	blob, err := base64.StdEncoding.DecodeString(word)
	if err != nil {
		return nil
	}
	key, err := ssh.ParsePublicKey(blob)
	if err != nil {
		return nil
	}
	return key
}
