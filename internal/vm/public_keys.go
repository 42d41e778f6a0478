package vm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// publicKeys accepts the text of authorized_keys with which somebody can log in. A private key would get into the
// state, so it is refused, and the message does not repeat it.
var publicKeys = tfkit.Text{
	Accepts: "public keys in the form of OpenSSH, one a line: the contents of .pub files, as with file(), " +
		"and no private key",
	Summary: "Invalid public key", Valid: arePublicKeys, Secret: true,
}

// arePublicKeys reports whether a text has a key, and each line of it that is not a comment has one.
func arePublicKeys(text string) bool {
	lines := keyLines(text)
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(line string) bool {
		_, ok := cutComment(line)
		return !ok
	})
}

// samePublicKeys reports whether two texts hold the same keys with the same options. Comments and whitespace are not
// compared.
func samePublicKeys(a, b string) bool { return slices.Equal(authorizedKeys(a), authorizedKeys(b)) }

// authorizedKeys returns the keys of an authorized_keys text, each with its options and without its comment.
func authorizedKeys(text string) []string {
	return mapped(keyLines(text), func(line string) string {
		key, _ := cutComment(line)
		return key
	})
}

// keyLines returns the lines that are not comments.
func keyLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// placeholder is the longest text that stands for a key in examples, as in "ssh-ed25519 AAAA". No key is as short.
const placeholder = 16

// cutComment returns a line of authorized_keys up to its key. If it has none, it returns the whole line and false. A
// key is a word in base64 after the word for its type. Its data begins with the type, preceded by its length.
func cutComment(line string) (key string, ok bool) {
	words := strings.Fields(line)
	for i := 1; i < len(words); i++ {
		kind, encoded := words[i-1], words[i]
		if !strings.Contains(kind, "-") {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(encoded)
		length := binary.BigEndian.AppendUint32(nil, uint32(len(kind))) //nolint:gosec // of a word of a line
		isKey := err == nil && bytes.HasPrefix(data, append(length, kind...))
		isExample := len(encoded) <= placeholder && strings.HasPrefix(kind, "ssh-")
		if isKey || isExample {
			return strings.Join(words[:i+1], " "), true
		}
	}
	return line, false
}
