package emulator

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/shape"
)

// maxBody limits the body of a request, in bytes.
const maxBody = 1 << 20

// answer is the result of a handler.
type answer struct {
	status int
	kind   string // of the media type; "" is application/json
	value  any    // text is sent as text/plain, nil as no body
}

// text is a value that is sent as text/plain.
type text string

// reply returns a 200 answer.
func reply(kind string, value any) (answer, error) {
	return answer{http.StatusOK, kind, value}, nil
}

// gone returns a 204 answer.
func gone() (answer, error) { return answer{status: http.StatusNoContent}, nil }

// refusal is an answer that blames the client.
type refusal struct{ answer }

// Error implements error.
func (r *refusal) Error() string { return fmt.Sprintf("%d: %v", r.status, r.value) }

// refuse returns a refusal with a plain text body.
func refuse(status int, format string, arguments ...any) error {
	return &refusal{plain(status, format, arguments...)}
}

// plain returns an answer in plain text.
func plain(status int, format string, arguments ...any) answer {
	return answer{status, "", text(fmt.Sprintf(format, arguments...))}
}

// problems is the body of a 400: attribute to problems (API.md §1).
type problems map[string]any

// add adds a problem with an attribute.
func (p problems) add(attribute, format string, arguments ...any) {
	list, _ := p[attribute].([]string)
	p[attribute] = append(list, fmt.Sprintf(format, arguments...))
}

// err returns the refusal for these problems, or nil if there are none.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &refusal{answer{http.StatusBadRequest, "", p}}
}

// as returns the problems in the given form.
func (p problems) as(form shape.ProblemForm) any {
	switch form {
	case shape.ProblemTexts:
		texts := map[string]any{}
		for attribute, value := range p {
			texts[attribute] = value
			if list, ok := value.([]string); ok {
				texts[attribute] = strings.Join(list, ", ")
			}
		}
		return texts
	case shape.ProblemPlain:
		return text(p.text())
	case shape.ProblemLists:
	}
	return p
}

// text returns the problems as one line per attribute.
func (p problems) text() string {
	var lines []string
	for _, attribute := range slices.Sorted(maps.Keys(p)) {
		lines = append(lines, attribute+" "+phrase(p[attribute]))
	}
	return strings.Join(lines, "\n")
}

// phrase returns the problems of one attribute: a text, a list of texts, or a list of objects.
func phrase(value any) string {
	switch value := value.(type) {
	case []string:
		return strings.Join(value, ", ")
	case []problems:
		var parts []string
		for n, p := range value {
			if len(p) > 0 {
				parts = append(parts, fmt.Sprintf("%d: %s", n, strings.ReplaceAll(p.text(), "\n", ", ")))
			}
		}
		return strings.Join(parts, "; ")
	case []any:
		var parts []string
		for _, element := range value {
			parts = append(parts, phrase(element))
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return strings.ReplaceAll(problems(value).text(), "\n", ", ")
	}
	return fmt.Sprint(value)
}

// itoa returns the decimal text of a number.
func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }
