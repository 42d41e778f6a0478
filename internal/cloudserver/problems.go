package cloudserver

import (
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// readErrorBody extracts the service's words from the body of a refusal in any of its forms (API.md §1): problems by
// attribute, a message, text or HTML.
func readErrorBody(contentType string, body []byte) (string, []Problem) {
	value, ok := parse(body)
	if !ok {
		text := transport.ForPeople(plainText(contentType, transport.Hide(string(body))))
		if text == "" {
			return "", nil
		}
		return text, []Problem{{Index: -1, Message: text}}
	}
	var found problems
	found.collect(Problem{Index: -1}, value, true)
	var phrases []string
	for _, problem := range found {
		phrases = append(phrases, problem.String())
	}
	return transport.Shorten(strings.Join(phrases, "; "), transport.LongestMessage), found
}

// problems are the problems found in a JSON body.
type problems []Problem

// enclosing lists keys that are not attributes, but enclose problems or a sentence.
var enclosing = []string{"error", "errors", "message", "virtual_machine"}

// collect adds the texts in a value. at is its position: an attribute, one of the discs, and a field of either. bare
// marks a text that is not an element of an array: it may be a secret that is echoed, instead of words about it.
func (p *problems) collect(at Problem, value any, bare bool) {
	switch value := value.(type) {
	case string:
		at.Message = transport.ForPeople(value)
		if bare && (transport.IsSecretField(at.Attribute) || transport.IsSecretField(at.Field)) {
			at.Message = "is not accepted"
		}
		at.Attribute, at.Field = transport.NameForPeople(at.Attribute), transport.NameForPeople(at.Field)
		if at.Message != "" {
			*p = append(*p, at)
		}
	case []any:
		for i, element := range value {
			inner := at
			if _, ok := element.(map[string]any); ok {
				inner.Index = i
			}
			p.collect(inner, element, false)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			inner := at
			switch {
			case at.Attribute == "" && slices.Contains(enclosing, name):
			case at.Attribute == "":
				inner.Attribute = name
			case at.Field == "":
				inner.Field = name
			default: // no known refusal is nested deeper
				continue
			}
			p.collect(inner, value[name], true)
		}
	}
}

var (
	htmlTitle   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`) })
	htmlIgnored = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	})
	htmlTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<[^>]*>`) })
)

// plainText reduces a proxy's HTML page to its title, or to its text. Any other text is returned unchanged.
func plainText(contentType, body string) string {
	start := strings.ToLower(strings.TrimSpace(body))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<") {
		return body
	}
	text := htmlTag().ReplaceAllString(htmlIgnored().ReplaceAllString(body, " "), " ")
	if title := htmlTitle().FindStringSubmatch(body); title != nil && strings.TrimSpace(title[1]) != "" {
		text = title[1]
	}
	return html.UnescapeString(text)
}
