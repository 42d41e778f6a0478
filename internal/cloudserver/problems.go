package cloudserver

import (
	"encoding/json"
	"strings"
)

// longestErrorBody is how many bytes a refusal may have; a longer one has no words.
const longestErrorBody = 128 << 10

// readErrorBody finds the service's words in the body of a refusal, whatever
// its shape (API.md §1): problems by attribute, a message, text, HTML.
func readErrorBody(contentType string, body []byte, secrets *secrets) (string, []Problem) {
	if !json.Valid(body) {
		text := secrets.forPeople(plainText(contentType, secrets.hide(string(body))))
		return text, textProblem(text)
	}
	found := problemReader{secrets: secrets}
	found.document(body, 0)
	var phrases strings.Builder
	for _, problem := range found.problems {
		if phrases.Len() > 4*longestMessage { // more than is shown
			break
		}
		if phrases.Len() > 0 {
			phrases.WriteString("; ")
		}
		phrases.WriteString(problem.String())
	}
	return shorten(phrases.String(), longestMessage), found.problems
}

func textProblem(text string) []Problem {
	if text == "" {
		return nil
	}
	return []Problem{{Index: -1, Message: text}}
}

// mostEnclosing is how deep problems may be enclosed.
const mostEnclosing = 3

// problemReader collects the problems of a JSON body.
type problemReader struct {
	secrets  *secrets
	problems []Problem
}

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
	place.Message = r.secrets.forPeople(text)
	if bare && (isSecretField(place.Attribute) || isSecretField(place.Field)) {
		place.Message = "is not accepted"
	}
	place.Attribute, place.Field = r.secrets.nameForPeople(place.Attribute), r.secrets.nameForPeople(place.Field)
	if place.Message != "" {
		r.problems = append(r.problems, place)
	}
}
