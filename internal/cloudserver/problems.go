// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Problem is one problem with a request, at the attribute to blame.
type Problem struct {
	Attribute string // "name", "discs", "ips"; "" for plain text
	Index     int    // which disc, in the request's order; -1 otherwise
	Field     string // "size" for discs[1].size; "" otherwise
	Message   string // "must be greater than or equal to 50"
}

// String describes the problem for people.
func (p Problem) String() string {
	where := p.Attribute
	if p.Index >= 0 {
		where += fmt.Sprintf("[%d]", p.Index)
	}
	if p.Field != "" {
		where += "." + p.Field
	}
	return strings.TrimSpace(where + " " + p.Message)
}

// readErrorBody returns the service's words in the body of a refusal in any of its forms: problems by attribute, a
// message, text or a page (API.md §1). If the request carried secrets, only what quotes none of them is returned.
func (x *exchange) readErrorBody(isPage bool, body []byte) (message string, problems []Problem) {
	all := x.secrets.readProblems(isPage, body)
	problems = x.carried.show(all)
	if len(problems) == 0 && len(all) > 0 {
		return withheld, nil
	}
	phrases := make([]string, len(problems))
	for i, problem := range problems {
		phrases[i] = problem.String()
	}
	return shorten(strings.Join(phrases, "; "), longestMessage), problems
}

// readProblems returns the problems in a body. Text is one without an attribute.
func (s secrets) readProblems(isPage bool, body []byte) []Problem {
	var value any
	if json.Unmarshal(body, &value) != nil {
		value = plainText(isPage, string(body))
	}
	return s.collect(Problem{Index: -1}, value)
}

// shown returns a text of the service without secrets, printable and of bounded length.
func (s secrets) shown(text string, limit int) string { return shorten(Shown(s.hide(text)), limit) }

// enclosing are keys that are not attributes, but enclose problems or a sentence.
var enclosing = []string{"error", "errors", "message", "virtual_machine"}

// collect returns the problems in a value. at is its position: an attribute, one of the discs, and a field of either.
func (s secrets) collect(at Problem, value any) (found []Problem) {
	switch value := value.(type) {
	case string:
		at.Message = s.shown(value, longestMessage)
		if at.Message != "" {
			found = append(found, at)
		}
	case []any:
		for i, element := range value {
			inner := at
			if _, ok := element.(map[string]any); ok {
				inner.Index = i
			}
			found = append(found, s.collect(inner, element)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			inner, shown := at, s.shown(name, longestName)
			switch {
			case at.Attribute == "" && slices.Contains(enclosing, name):
			case at.Attribute == "":
				inner.Attribute = shown
			case at.Field == "":
				inner.Field = shown
			default: // no known refusal is nested deeper
				continue
			}
			found = append(found, s.collect(inner, value[name])...)
		}
	}
	return found
}

var (
	htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlTag   = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<[^>]*>`)
)

// plainText reduces a page to its title, or to its text. Any other text is returned unchanged.
func plainText(isPage bool, body string) string {
	if !isPage && !strings.HasPrefix(strings.TrimSpace(body), "<") {
		return body
	}
	words := htmlTag.ReplaceAllString(body, " ")
	if title := htmlTitle.FindStringSubmatch(body); title != nil && strings.TrimSpace(title[1]) != "" {
		words = title[1]
	}
	return html.UnescapeString(words)
}
