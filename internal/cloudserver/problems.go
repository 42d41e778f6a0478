package cloudserver

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// readErrorBody finds the service's words in the body of a refusal, whatever
// its shape (API.md §1): problems by attribute, a message, text, HTML.
func readErrorBody(contentType string, body []byte) (string, []Problem) {
	if !json.Valid(body) {
		text := transport.ForPeople(plainText(contentType, transport.Hide(string(body))))
		if text == "" {
			return "", nil
		}
		return text, []Problem{{Index: -1, Message: text}}
	}
	var found problemReader
	found.document(body, 0)
	var phrases []string
	for _, problem := range found {
		phrases = append(phrases, problem.String())
	}
	return transport.Shorten(strings.Join(phrases, "; "), transport.LongestMessage), found
}

// mostEnclosing is how deep problems may be enclosed.
const mostEnclosing = 3

// problemReader collects the problems of a JSON body.
type problemReader []Problem

// document reads an object of attributes. Keys that are not attributes, but
// enclose problems or a sentence, are looked through.
func (r *problemReader) document(body json.RawMessage, depth int) {
	fields, err := members(body)
	if err != nil { // not an object: its strings are the words
		r.at(Problem{Index: -1}, body)
		return
	}
	for _, field := range fields {
		switch field.name {
		case "error", "errors", "message", "virtual_machine":
			if depth < mostEnclosing {
				r.document(field.value, depth+1)
			}
		default:
			r.at(Problem{Attribute: field.name, Index: -1}, field.value)
		}
	}
}

// at reads the problems at one place: a phrase, phrases, one object a disc, or
// an object of fields.
func (r *problemReader) at(place Problem, value json.RawMessage) {
	switch kindOf(value) {
	case "a string":
		r.phrase(place, value, true)
	case "an object":
		r.fields(place, value)
	case "an array":
		for i, element := range elementsOf(value) {
			switch kindOf(element) {
			case "a string":
				r.phrase(place, element, false)
			case "an object":
				indexed := place
				indexed.Index = i
				r.fields(indexed, element)
			}
		}
	}
}

// fields reads the problems of an object below an attribute.
func (r *problemReader) fields(place Problem, object json.RawMessage) {
	fields, err := members(object)
	if err != nil || place.Field != "" { // no known refusal nests deeper
		return
	}
	for _, field := range fields {
		below := place
		below.Field = field.name
		r.at(below, field.value)
	}
}

// phrase adds one problem. A bare string at the place of a secret may be the
// secret itself instead of words about it.
func (r *problemReader) phrase(place Problem, value json.RawMessage, bare bool) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return
	}
	place.Message = transport.ForPeople(text)
	if bare && (transport.IsSecretField(place.Attribute) || transport.IsSecretField(place.Field)) {
		place.Message = "is not accepted"
	}
	place.Attribute, place.Field = transport.NameForPeople(place.Attribute), transport.NameForPeople(place.Field)
	if place.Message != "" {
		*r = append(*r, place)
	}
}

var (
	htmlTitle   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`) })
	htmlIgnored = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	})
	htmlTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<[^>]*>`) })
)

// plainText reduces the HTML page of a proxy to its title, or to its text. It
// returns any other text as it is.
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
