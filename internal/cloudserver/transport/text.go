package transport

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Maximum lengths of foreign texts and names, in characters.
const (
	LongestMessage = 300
	LongestName    = 100
)

// forPeople makes a foreign text safe to show or log: without secrets, on one line, printable and of bounded length.
// Every text that does not come from this program or its configuration goes through it: words of the service, names in
// certificates and redirects, errors that quote an answer.
func (s *secrets) forPeople(text string) string {
	return Shorten(OneLine(s.hide(text)), LongestMessage)
}

// ForPeople makes a foreign text safe to show or log: without secrets, on one line, printable and of bounded length.
func ForPeople(text string) string { return ofProcess.forPeople(text) }

// Shown makes a text that may contain words of the service safe to show: without secrets of this process, printable and
// on one line.
func Shown(text string) string { return OneLine(ofProcess.hide(text)) }

// NameForPeople is ForPeople for a name, such as a key of a JSON object.
func NameForPeople(text string) string { return Shorten(ForPeople(text), LongestName) }

// OneLine replaces everything that could control a terminal or hide text by spaces: control characters, line breaks and
// bidirectional overrides.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) { // neither control nor format characters are printable
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// Shorten cuts a text to a number of characters.
func Shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}
