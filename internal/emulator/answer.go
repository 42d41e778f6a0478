// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// vendor is the vendor in media types.
const vendor = "example"

// answer is the result of a handler.
type answer struct {
	status int
	kind   string // of the media type; "" is application/json
	value  any    // text is sent as text/plain, nil as no body
}

// text is a value that is sent as text/plain.
type text string

// reply returns a 200 answer.
func reply(kind string, value any) (answer, error) { return answer{http.StatusOK, kind, value}, nil }

// gone returns a 204 answer.
func gone() (answer, error) { return answer{status: http.StatusNoContent}, nil }

// plain returns an answer in plain text.
func plain(status int, format string, arguments ...any) answer {
	return answer{status, "", text(fmt.Sprintf(format, arguments...))}
}

// mediaType returns the value of a type field (API.md §8).
func mediaType(kind string) string { return "application/vnd." + vendor + "." + kind }

// send writes the answer.
func (a answer) send(x *recorder) {
	x.status = a.status
	switch value := a.value.(type) {
	case nil:
	case text:
		x.header.Set("Content-Type", "text/plain; charset=utf-8")
		x.body = []byte(value)
	default:
		body, err := json.Marshal(value)
		if err != nil {
			plain(http.StatusInternalServerError, "cannot encode the answer: %v", err).send(x)
			return
		}
		x.header.Set("Content-Type", "application/json")
		if a.kind != "" {
			x.header.Set("Content-Type", mediaType(a.kind)+"+json")
		}
		x.body = body
	}
}

// refusal is an answer that blames the client.
type refusal struct{ answer }

// Error implements error.
func (r *refusal) Error() string { return fmt.Sprintf("%d: %v", r.status, r.value) }

// refuse returns a refusal with a plain text body.
func refuse(status int, format string, arguments ...any) error {
	return &refusal{plain(status, format, arguments...)}
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
