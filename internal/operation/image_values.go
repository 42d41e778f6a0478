package operation

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// Distribution is the set of the definitions that an image's distribution must be in.
var Distribution = tfkit.Offer{What: "distribution", Set: cloudserver.Distributions}

// PublicKeys refuses texts with which nobody could log in: a path, a comment, an empty text, or a line without a key.
// It also refuses a private key, which a mistyped path would publish. No message repeats what may be secret. A path is
// recognised by its lack of whitespace, which every key has after its type.
var PublicKeys = tfkit.TextOf("the text of authorized_keys with at least one key: neither a private key nor a path",
	"Invalid public key", func(text string) string {
		const instead = "Set the contents of a .pub file, or remove ssh_public_key."
		switch {
		case strings.Contains(text, "PRIVATE KEY-----"):
			return "This is a private key. ssh_public_key is stored in the state and shown in plans: use the file that ends in .pub."
		case strings.HasSuffix(text, ".pub") && !strings.ContainsAny(text, " \t\n"):
			return fmt.Sprintf("This is the path of a file. Set the contents of the file: file(%q).", text)
		case strings.HasPrefix(text, byteOrderMark) && strings.TrimSpace(text) != byteOrderMark:
			return "The text begins with a byte-order mark (U+FEFF), with which SSH does not recognise the first key. " +
				"Save the file without it, or remove it with trimprefix()."
		case len(authorizedKeys(strings.TrimPrefix(text, byteOrderMark))) == 0:
			return "The text has no key: it is empty or has only comments. " + instead
		}
		for i, line := range strings.Split(text, "\n") {
			if len(authorizedKeys(line)) == 0 {
				continue
			}
			if why := lineMistake(line); why != "" {
				return fmt.Sprintf("Line %d %s", i+1, why)
			}
			if !hasKey(line) {
				return fmt.Sprintf("Line %d has no key in the form of OpenSSH: its type, such as ssh-ed25519, and the key itself. "+
					"%s ssh-keygen -i converts the forms of other programs.", i+1, instead)
			}
		}
		return ""
	})

// keyShape matches the type of a key and the key.
var keyShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s,;"]|\\[nrt])((?:ssh|ecdsa|sk)-[a-z0-9@.-]+)[ \t]+(AAAA[A-Za-z0-9+/=]*)`)
})

// lineMistake returns what is wrong with a line that has a key, and how to correct it, or "". sshd ignores a key that is
// incomplete, and all that follows the first key of a line.
func lineMistake(line string) string {
	const list = `set the keys one a line, as in join("\n", [file("a.pub"), file("b.pub")]).`
	keys := keyShape().FindAllStringSubmatch(line, -1)
	switch {
	case strings.Contains(line, `\n`) && len(keys) > 0:
		return `contains \n as two characters, which do not end a line. In a quoted text, "\n" is a line break: ` + list
	case len(keys) > 1:
		return fmt.Sprintf("has %d keys, and only the first one of a line counts: ", len(keys)) + list
	case len(keys) == 1 && !isWhole(keys[0][1], keys[0][2]):
		return fmt.Sprintf("has an incomplete key of the type %s: it is cut off or damaged, so nobody can log in with it. "+
			"Set the whole contents of the .pub file.", keys[0][1])
	}
	return ""
}

// longestPlaceholder is the length of the texts that stand for a key in examples. No key is as short.
const longestPlaceholder = 16

// isWhole reports whether a key consists of complete fields, each preceded by its length in four bytes, of which the
// first is the key's type.
func isWhole(kind, key string) bool {
	if len(key) <= longestPlaceholder {
		return true
	}
	data, err := base64.StdEncoding.DecodeString(key)
	if err != nil || !bytes.HasPrefix(data, typeField(kind)) {
		return false
	}
	for len(data) > 0 {
		if len(data) < lengthSize {
			return false
		}
		length := binary.BigEndian.Uint32(data)
		if data = data[lengthSize:]; int64(length) > int64(len(data)) {
			return false
		}
		data = data[length:]
	}
	return true
}

const lengthSize = 4 // bytes

// typeField returns the type of a key as the key's data begins with it.
func typeField(kind string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(kind))), kind...)
}

// byteOrderMark is written by some editors at the beginning of a file.
const byteOrderMark = "\ufeff"

// hasKey reports whether a line contains what looks like the type of a key followed by a key, with or without options
// before it.
func hasKey(line string) bool {
	const letters, base64 = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	words := strings.Fields(line)
	for i := 1; i < len(words); i++ {
		kind, key := words[i-1], words[i]
		isKind := strings.ContainsAny(kind[:1], letters) && strings.Contains(kind, "-") && strings.Trim(kind, letters+"0123456789-@.") == ""
		if isKind && strings.Trim(key, base64) == "" {
			return true
		}
	}
	return false
}

// SamePublicKeys reports whether two texts hold the same keys with the same
// options. Comments and whitespace are not compared.
func SamePublicKeys(a, b string) bool { return slices.Equal(authorizedKeys(a), authorizedKeys(b)) }

// authorizedKeys returns the keys of an authorized_keys text, each with its options and without its comment.
func authorizedKeys(text string) []string {
	var keys []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			keys = append(keys, withoutComment(line))
		}
	}
	return keys
}

// withoutComment returns a line of authorized_keys up to its key, or the whole line if it finds none. A key is a word
// in base64 whose data begins with the key's type, which is also the word before it, in SSH's encoding: preceded by its
// length in four bytes.
func withoutComment(line string) string {
	words := strings.Fields(line)
	for i := 1; i < len(words); i++ {
		kind := words[i-1]
		key, err := base64.StdEncoding.DecodeString(words[i])
		if err == nil && bytes.HasPrefix(key, typeField(kind)) {
			return strings.Join(words[:i+1], " ")
		}
	}
	return line
}
