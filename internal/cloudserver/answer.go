package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// errMisunderstood marks a successful answer that could not be read: what was
// asked for has nevertheless been done.
var errMisunderstood = errors.New("the answer is not understood")

// errAccepted is one of these, to a creation that the service has accepted.
var errAccepted = fmt.Errorf("%w", errMisunderstood)

// errPage is what such an answer is where another server than the service gave it.
var errPage = errors.New("it is a page for a browser, not JSON; check that endpoint is the base address of the service's HTTP API")

// IsPage reports whether a successful answer is a page for a browser: endpoint is
// then not the service's address, or a proxy wants a login.
func IsPage(err error) bool { return errors.Is(err, errPage) }

// misunderstood explains such an answer.
func (a *answer) misunderstood(why error) error {
	kind := errMisunderstood
	if a.isBareAcceptance() {
		kind = errAccepted
	}
	return fmt.Errorf("%s %s answered %d, but %w: %w", a.method, a.path, a.status, kind, why)
}

// decode decodes the object of an answer into the target.
func (a *answer) decode(target any) error {
	if value, ok := parse(a.body); !ok || !fill(reflect.ValueOf(target).Elem(), value) {
		return a.misunderstood(a.oddity())
	}
	return nil
}

// optional decodes the object of an answer, or returns the zero value if the
// answer is empty: a service may answer a change with the object, {} or nothing.
// Whatever else a successful answer says, such as OK, the change is made.
func optional[T any](a *answer) (T, error) {
	var object T
	if text := bytes.TrimSpace(a.body); len(text) == 0 || text[0] != '{' {
		return object, nil
	}
	err := a.decode(&object)
	return object, err
}

// listOf decodes an answer that is an array of objects. One of anything else is not
// understood: who does not find an object in it must not take it for gone. The service
// has been seen to answer with a single object instead, a list of one (API.md §5).
func listOf[T any](a *answer) ([]T, error) {
	value, _ := parse(a.body)
	elements, ok := value.([]any)
	if object, isObject := value.(map[string]any); isObject {
		_, ok = integer(object["id"])
		elements = []any{object}
	}
	list := make([]T, len(elements))
	for i, element := range elements {
		ok = ok && fill(reflect.ValueOf(&list[i]).Elem(), element)
	}
	if !ok {
		return nil, a.misunderstood(a.oddity())
	}
	return list, nil
}

// isBareAcceptance reports an answer to a creation that may be no more than its
// status: 201 or 202 with an object or nothing (API.md §1). What else answers with
// success in place of the service, such as a proxy, answers 200 or with a page.
func (a *answer) isBareAcceptance() bool {
	text := bytes.TrimSpace(a.body)
	return (a.status == http.StatusCreated || a.status == http.StatusAccepted) &&
		(len(text) == 0 || text[0] == '{' && json.Valid(text))
}

// oddity describes an answer that cannot be decoded.
func (a *answer) oddity() error {
	switch text := bytes.TrimSpace(a.body); {
	case len(text) == 0:
		return errors.New("it is empty")
	case json.Valid(text):
		return errors.New("it is JSON of another shape than this call answers")
	}
	return errors.New("it is not JSON")
}

// answeredForAnother returns the error for an answer that describes another
// object than the one that was asked for.
func (a *answer) answeredForAnother(kind string, got, wanted any) error {
	return a.misunderstood(fmt.Errorf("it is an answer for another %s: %v instead of %v", kind, got, wanted))
}

// isAbout returns an error unless an answer describes the object of the wanted id,
// or else the one that the wanted name, which may be an id, stands for. What the
// answer does not contain is not compared. Case is ignored, because a service may
// normalise names.
func (a *answer) isAbout(kind string, id int64, name string, wantedID int64, wanted string) error {
	switch {
	case wantedID != 0 && id != 0 && id != wantedID:
		return a.answeredForAnother(kind, id, wantedID)
	case wanted != "" && name != "" && !strings.EqualFold(name, wanted) && IDText(id) != wanted:
		return a.answeredForAnother(kind, fmt.Sprintf("%q (id %d)", transport.Shorten(transport.OneLine(name), transport.LongestName), id), strconv.Quote(wanted))
	}
	return nil
}
