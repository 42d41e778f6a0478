package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// errMisunderstood marks a successful answer that cannot be decoded, or differs from what API.md §1 promises for the
// call. The request may have been carried out.
var errMisunderstood = errors.New("the answer is not understood")

// errAccepted marks such an answer to a creation if its status shows that the service has accepted the creation.
var errAccepted = fmt.Errorf("%w", errMisunderstood)

// errPage marks such an answer if it comes from another server than the service.
var errPage = errors.New("it is a page for a browser, not JSON; check that endpoint is the base address of the service's HTTP API")

// errAnother marks such an answer if it describes another object.
var errAnother = errors.New("it is an answer for another")

// IsMisunderstood reports whether the service answered with success, but the answer cannot be decoded or differs from
// what is promised for the call.
func IsMisunderstood(err error) bool { return errors.Is(err, errMisunderstood) }

// IsPage reports whether a successful answer is a page for a browser. Then endpoint is not the service's address, or a
// proxy requires a login.
func IsPage(err error) bool { return errors.Is(err, errPage) }

// misunderstood returns the error for a successful answer that is not understood.
func (a *answer) misunderstood(why error) error {
	kind := errMisunderstood
	if a.isBareAcceptance() {
		kind = errAccepted
	}
	return a.notUnderstood(kind, why)
}

func (a *answer) notUnderstood(kind, why error) error {
	return fmt.Errorf("%s %s answered %d, but %w: %w", a.method, a.path, a.status, kind, why)
}

// decode decodes the object of an answer into the target.
func (a *answer) decode(target any) error {
	if value, ok := parse(a.body); !ok || !fill(reflect.ValueOf(target).Elem(), value) {
		return a.misunderstood(a.oddity())
	}
	return a.refuseSecrets(target)
}

// notPromised returns the difference between a successful answer and those that API.md §1 promises, or nil if there is
// none. Promised are 200 or 202 for a GET, 204 for a DELETE, and an object, {} or nothing for a POST or PUT. A proxy,
// or a service that fails, may answer anything.
func (a *answer) notPromised() error {
	var statuses []int
	switch a.method {
	case http.MethodGet:
		statuses = []int{http.StatusOK, http.StatusAccepted}
	case http.MethodDelete:
		statuses = []int{http.StatusNoContent}
	default:
		statuses = []int{http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusNoContent}
	}
	isWrite := a.method != http.MethodGet
	switch text := bytes.TrimSpace(a.body); {
	case bytes.HasPrefix(text, []byte("<")):
		return errPage
	case isWrite && a.isRefusal():
		words, _ := readErrorBody("", a.body)
		return errors.New("it reports an error: " + words)
	case !slices.Contains(statuses, a.status):
		return fmt.Errorf("the service answers a %s with %d when it is done", a.method, statuses[0])
	case isWrite && len(text) > 0 && (text[0] != '{' || !json.Valid(text)):
		return a.oddity()
	}
	return nil
}

// isRefusal reports whether the answer is an object that contains an error, whatever its status is.
func (a *answer) isRefusal() bool {
	value, _ := parse(a.body)
	object, _ := value.(map[string]any)
	return object["error"] != nil || object["errors"] != nil
}

// isEmpty reports whether the answer is {} or nothing.
func (a *answer) isEmpty() bool {
	value, ok := parse(a.body)
	object, isObject := value.(map[string]any)
	return len(bytes.TrimSpace(a.body)) == 0 || ok && isObject && len(object) == 0
}

// listOf decodes an answer that is an array of objects. If an element is not an object, the whole answer is not
// understood: otherwise a caller could take an object for gone. The service has been seen to answer with a single
// object instead of a list of one (API.md §5), which is accepted.
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
	return list, a.refuseSecrets(list)
}

// isBareAcceptance reports whether an answer to a creation has the status of an acceptance: 201 or 202, with an object
// or nothing (API.md §1). Anything else that answers in place of the service, such as a proxy, answers 200 or with a
// page.
func (a *answer) isBareAcceptance() bool {
	text := bytes.TrimSpace(a.body)
	return (a.status == http.StatusCreated || a.status == http.StatusAccepted) && !a.isRefusal() &&
		(len(text) == 0 || text[0] == '{' && json.Valid(text))
}

// oddity describes why an answer cannot be decoded.
func (a *answer) oddity() error {
	switch text := bytes.TrimSpace(a.body); {
	case len(text) == 0:
		return errors.New("it is empty")
	case json.Valid(text):
		return errors.New("it is JSON of another shape than this call answers")
	}
	return errors.New("it is not JSON")
}

// answeredForAnother returns the error for an answer that describes another object than the requested one. It accepts
// no creation: a proxy may have exchanged the answers of two requests.
func (a *answer) answeredForAnother(kind string, got, wanted any) error {
	return a.notUnderstood(errMisunderstood, fmt.Errorf("%w %s: %v instead of %v", errAnother, kind, got, wanted))
}

// isAbout returns an error unless an answer describes the object with the wanted ID or, without an ID, the object with
// the wanted name, which may be an ID. Missing values are not compared. Case is ignored, because a service may
// normalise names.
func (a *answer) isAbout(kind string, id int64, name string, wantedID int64, wanted string) error {
	switch {
	case wantedID != 0 && id != 0 && id != wantedID:
		return a.answeredForAnother(kind, id, wantedID)
	case wanted != "" && name != "" && !strings.EqualFold(name, wanted) && IDText(id) != wanted:
		return a.answeredForAnother(
			kind, fmt.Sprintf("%q (id %d)", transport.Shorten(transport.Shown(name), transport.LongestName), id),
			strconv.Quote(wanted),
		)
	}
	return nil
}
