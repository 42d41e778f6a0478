package transport

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How many characters of a foreign text, and of a foreign name, are shown.
const (
	LongestMessage = 300
	LongestName    = 100
)

// forPeople prepares a foreign text to be shown or logged: without secrets, on
// one line, printable and of bounded length. Every text that does not come from
// this program or its configuration goes through it: words of the service, names
// in certificates and redirects, errors that quote an answer.
func (s *secrets) forPeople(text string) string {
	return Shorten(OneLine(s.hide(text)), LongestMessage)
}

// ForPeople prepares a foreign text to be shown or logged: without secrets, on one
// line, printable and of bounded length.
func ForPeople(text string) string { return ofProcess.forPeople(text) }

// Shown returns a text that may repeat words of the service as it can be shown:
// without the secrets of this process, printable and on one line.
func Shown(text string) string { return OneLine(ofProcess.hide(text)) }

// NameForPeople is ForPeople for a name, such as a key of a JSON object.
func NameForPeople(text string) string { return Shorten(ForPeople(text), LongestName) }

// OneLine replaces whatever could steer a terminal or hide text by a blank:
// control characters, line breaks and bidirectional overrides.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) { // neither controls nor format characters are
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// Shorten cuts a text after so many characters.
func Shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}
