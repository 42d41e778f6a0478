package cloudserver

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

const longestMessage = 300 // characters of the service's words that are kept

var (
	htmlTitle   = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlIgnored = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	htmlTag     = regexp.MustCompile(`(?s)<[^>]*>`)
)

// plainText reduces the HTML page of a proxy to its title, or to its text.
// Other text stays as it is.
func plainText(contentType, body string, secrets hidden) string {
	start := strings.ToLower(strings.TrimSpace(body))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<") {
		return body
	}
	text := htmlTag.ReplaceAllString(htmlIgnored.ReplaceAllString(body, " "), " ")
	if title := htmlTitle.FindStringSubmatch(body); title != nil && strings.TrimSpace(title[1]) != "" {
		text = title[1]
	}
	return secrets.in(html.UnescapeString(text))
}

// shorten puts a text on one line of bounded length, without what could steer
// a terminal.
func shorten(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longestMessage {
		return string(runes[:longestMessage]) + "…"
	}
	return text
}
