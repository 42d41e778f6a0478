package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
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

// decode decodes the JSON of an answer into target.
func (a *answer) decode(target any) error {
	if json.Unmarshal(a.body, target) != nil { // its words are those of a programmer
		return a.misunderstood(a.oddity())
	}
	return nil
}

// optional decodes the object of an answer, or returns the zero value if the
// answer is empty: a service may answer a change with the object, {} or nothing.
// Whatever else a successful answer says, such as OK, the change is made; only a
// page for a browser comes from somewhere else.
func optional[T any](a *answer) (T, error) {
	var object T
	if text := bytes.TrimSpace(a.body); len(text) == 0 || text[0] != '{' && text[0] != '<' {
		return object, nil
	}
	err := a.decode(&object)
	return object, err
}

// listOf decodes an answer that is an array. The service has been seen to answer
// with a single object instead, which is a list of one (API.md §5).
func listOf[T any](a *answer) ([]T, error) {
	var object struct {
		ID json.RawMessage `json:"id"`
	}
	body := a.body
	if json.Unmarshal(body, &object) == nil && looseInt(object.ID, new(int64)) {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	var list []T
	if json.Unmarshal(body, &list) != nil || list == nil {
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
	switch {
	case len(bytes.TrimSpace(a.body)) == 0:
		return errors.New("it is empty")
	case json.Valid(a.body):
		return errors.New("it is " + kindOf(a.body) + " of another shape than this call answers")
	case strings.HasPrefix(strings.TrimSpace(string(a.body[:min(len(a.body), 512)])), "<"):
		return errPage
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
