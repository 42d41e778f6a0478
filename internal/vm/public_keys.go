package vm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// publicKeys is a validator for the text of authorized_keys. It refuses texts with which nobody could log in, and a
// private key, which would get into the state. No message repeats what may be secret.
var publicKeys = tfkit.TextOf("public keys in the form of OpenSSH, one a line", "Invalid public key", keyMistake)

// keyMistake returns why a text does not consist of public keys, or "".
func keyMistake(text string) string {
	if strings.Contains(text, "PRIVATE KEY-----") {
		return "This is a private key. ssh_public_key is stored in the state and shown in plans: use the file that ends in .pub."
	}
	keys := authorizedKeys(text)
	if len(keys) == 0 {
		return "The text has no key: it is empty or has only comments."
	}
	for i, line := range keys {
		if _, ok := cutComment(line); !ok {
			return fmt.Sprintf("Key %d is not a public key in the form of OpenSSH: its type, such as ssh-ed25519, and the key itself. "+
				"Set the contents of a .pub file, as with file(\"id_ed25519.pub\"), one key a line.", i+1)
		}
	}
	return ""
}

// samePublicKeys reports whether two texts hold the same keys with the same options. Comments and whitespace are not
// compared.
func samePublicKeys(a, b string) bool { return slices.Equal(authorizedKeys(a), authorizedKeys(b)) }

// authorizedKeys returns the keys of an authorized_keys text, each with its options and without its comment.
func authorizedKeys(text string) []string {
	var keys []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			key, _ := cutComment(line)
			keys = append(keys, key)
		}
	}
	return keys
}

// placeholder is the longest text that stands for a key in examples, as in "ssh-ed25519 AAAA". No key is as short.
const placeholder = 16

// cutComment returns a line of authorized_keys up to its key. If it has none, it returns the whole line and false. A key
// is a word in base64 after the word for its type. Its data begins with the type, preceded by its length.
func cutComment(line string) (key string, ok bool) {
	words := strings.Fields(line)
	for i := 1; i < len(words); i++ {
		kind, encoded := words[i-1], words[i]
		if !strings.Contains(kind, "-") {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(encoded)
		field := append(binary.BigEndian.AppendUint32(nil, uint32(len(kind))), kind...) //nolint:gosec // a word of a line
		if err == nil && bytes.HasPrefix(data, field) || len(encoded) <= placeholder && strings.HasPrefix(kind, "ssh-") {
			return strings.Join(words[:i+1], " "), true
		}
	}
	return line, false
}
