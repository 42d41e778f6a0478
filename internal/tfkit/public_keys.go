package tfkit

import (
	"slices"
	"strings"
)

// PublicKeys accepts the text of authorized_keys with which somebody can log in. A private key would get into the
// state, so it is refused, and the message does not repeat it.
var PublicKeys = Text{
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

// SamePublicKeys reports whether two texts hold the same keys with the same options. Comments and whitespace are not
// compared.
func SamePublicKeys(a, b string) bool { return slices.Equal(authorizedKeys(a), authorizedKeys(b)) }

// authorizedKeys returns the keys of an authorized_keys text, each with its options and without its comment.
func authorizedKeys(text string) []string {
	lines := keyLines(text)
	for i, line := range lines {
		lines[i], _ = cutComment(line)
	}
	return lines
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

// keyTypes are the beginnings of the words for types of keys.
var keyTypes = []string{"ssh-", "ecdsa-", "sk-"}

// cutComment returns a line of authorized_keys up to its key: the word after the one for its type, which options may
// precede. If it has none, it returns the whole line and false.
func cutComment(line string) (key string, ok bool) {
	words := strings.Fields(line)
	for i, word := range words[:len(words)-1] {
		isType := func(begin string) bool { return strings.HasPrefix(word, begin) }
		if slices.ContainsFunc(keyTypes, isType) {
			return strings.Join(words[:i+2], " "), true
		}
	}
	return line, false
}
