package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 1 << 20

// answer is a success as a handler tells it.
type answer struct {
	status int
	kind   string // of the media type; "" is plain application/json
	value  any    // text/plain when it is a text, nothing when it is nil
}

// text is a value that is sent as text/plain.
type text string

// reply is a 200 answer.
func reply(kind string, value any) (answer, error) {
	return answer{http.StatusOK, kind, value}, nil
}

// gone is a 204 answer.
func gone() (answer, error) { return answer{status: http.StatusNoContent}, nil }

// refusal is an answer that is an error of the client's making.
type refusal struct{ answer }

// Error implements error.
func (r *refusal) Error() string {
	return fmt.Sprintf("%d: %v", r.status, r.value)
}

// refuse makes a refusal with a plain text body.
func refuse(status int, format string, arguments ...any) error {
	return &refusal{plain(status, format, arguments...)}
}

// plain is an answer in plain text.
func plain(status int, format string, arguments ...any) answer {
	return answer{status, "", text(fmt.Sprintf(format, arguments...))}
}

// problems is the body of a 400: attribute to what is wrong with it
// (api.md §1).
type problems map[string]any

// add notes one more problem of an attribute.
func (p problems) add(attribute, format string, arguments ...any) {
	list, _ := p[attribute].([]string)
	p[attribute] = append(list, fmt.Sprintf(format, arguments...))
}

// err is the refusal for these problems, nil when there are none.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &refusal{answer{http.StatusBadRequest, "", p}}
}

// outcome encodes an answer.
func (a answer) outcome(vendor string) outcome {
	header := http.Header{}
	if a.value == nil {
		return outcome{status: a.status, header: header}
	}
	if message, ok := a.value.(text); ok {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		return outcome{status: a.status, header: header, body: []byte(message)}
	}
	body, err := json.Marshal(a.value)
	if err != nil {
		return plain(http.StatusInternalServerError, "cannot encode the answer: %v", err).outcome(vendor)
	}
	contentType := "application/json"
	if a.kind != "" {
		contentType = mediaType(vendor, a.kind) + "+json"
	}
	header.Set("Content-Type", contentType)
	return outcome{status: a.status, header: header, body: body}
}

// mediaType is the value of a type field (service.md §2).
func mediaType(vendor, kind string) string {
	return "application/vnd." + vendor + "." + kind
}

// itoa is short for the decimal text of a number.
func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }
