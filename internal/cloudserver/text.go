package cloudserver

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestMessage = 300 // characters of a foreign text that are shown
	longestName    = 100 // of a foreign name
)

var (
	htmlTitle   = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlIgnored = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	htmlTag     = regexp.MustCompile(`(?s)<[^>]*>`)
)

// forPeople prepares a foreign text to be shown or logged: without secrets, on
// one line, printable and of bounded length. Every text that does not come from
// this program or its configuration goes through it: words of the service, names
// in certificates and redirects, errors that quote an answer.
func (s *secrets) forPeople(text string) string {
	// Secrets may only appear once white space is collapsed.
	return shorten(s.hide(oneLine(s.hide(text))), longestMessage)
}

// Shown returns a text that may repeat words of the service as it can be shown:
// without the secrets of this process, printable and on one line.
func Shown(text string) string { return ofProcess.hide(oneLine(ofProcess.hide(text))) }

// nameForPeople is forPeople for a name, such as a key of a JSON object.
func (s *secrets) nameForPeople(text string) string {
	return shorten(s.forPeople(text), longestName)
}

// oneLine replaces whatever could steer a terminal or hide text by a blank:
// control characters, line breaks and bidirectional overrides.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) { // neither controls nor format characters are
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}

// printable replaces, in a value of an answer, what cannot be printed. A name
// with an escape sequence must not reach a terminal by way of the state.
func printable(value string) string { return replaceUnprintable(value, "") }

// printableLines is printable for a text that may have several lines.
func printableLines(value string) string { return replaceUnprintable(value, "\n\t") }

func replaceUnprintable(value, except string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || strings.ContainsRune(except, r) {
			return r
		}
		return unicode.ReplacementChar
	}, value)
}

// plainText reduces the HTML page of a proxy to its title, or to its text. It
// returns any other text as it is.
func plainText(contentType, body string) string {
	start := strings.ToLower(strings.TrimSpace(body))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<") {
		return body
	}
	text := htmlTag.ReplaceAllString(htmlIgnored.ReplaceAllString(body, " "), " ")
	if title := htmlTitle.FindStringSubmatch(body); title != nil && strings.TrimSpace(title[1]) != "" {
		text = title[1]
	}
	return html.UnescapeString(text)
}
