// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Problem phrases (API.md §1).
const (
	blank      = "can't be blank"
	notListed  = "is not included in the list"
	notANumber = "is not a number"
	notInteger = "must be an integer"
	taken      = "has already been taken"
	atLeast    = "must be greater than or equal to %d"
	atMost     = "must be less than or equal to %d"
	tooShort   = "is too short (minimum is %d characters)"
	invalid    = "is invalid"
)

// maxInteger is the highest integer that every JSON decoder reads exactly.
const maxInteger = 1<<53 - 1

// form is a JSON object in a request. Its methods decode one attribute each. They return nil if the attribute is
// absent, and nil together with a problem if it has another type. Unknown attributes are ignored.
type form struct {
	values   map[string]json.RawMessage
	problems problems
}

// parseForm reads a request's body.
func parseForm(body []byte) (form, error) {
	f := form{problems: problems{}}
	if err := json.Unmarshal(body, &f.values); err != nil || f.values == nil {
		return f, refuse(http.StatusBadRequest, "the body is not a JSON object")
	}
	return f, nil
}

// has reports whether an attribute was sent, even as null.
func (f form) has(name string) bool {
	_, ok := f.values[name]
	return ok
}

// null reports whether an attribute is absent or null.
func (f form) null(name string) bool {
	raw, ok := f.values[name]
	return !ok || string(raw) == "null"
}

// text reads a string.
func (f form) text(name string) *string {
	return read[string](f, name, "is not a string")
}

// boolean reads a boolean.
func (f form) boolean(name string) *bool {
	return read[bool](f, name, notListed)
}

// integer reads a whole number that is at least minimum.
func (f form) integer(name string, minimum int64) *int64 {
	number := read[float64](f, name, notANumber)
	if number == nil {
		return nil
	}
	n := int64(*number)
	switch {
	case float64(n) != *number || n > maxInteger:
		f.problems.add(name, notInteger)
		return nil
	case n < minimum:
		f.problems.add(name, atLeast, minimum)
		return nil
	}
	return &n
}

// oneOf reads a string that must be in a set of definitions.
func (c *call) oneOf(set string, f form, name string) *string {
	value := f.text(name)
	if value != nil && !c.world.accepts(set, *value) {
		f.problems.add(name, notListed)
		return nil
	}
	return value
}

// required reads a string that must be present and not empty.
func (f form) required(name string) string {
	if f.null(name) {
		f.problems.add(name, blank)
		return ""
	}
	value := f.text(name)
	if value == nil {
		return ""
	}
	if strings.TrimSpace(*value) == "" {
		f.problems.add(name, blank)
	}
	return *value
}

// nullable decodes a string that may be null, which it returns as "".
func (f form) nullable(name string) *string {
	if f.has(name) && f.null(name) {
		return new(string)
	}
	return f.text(name)
}

// object reads a nested object, which has problems of its own.
func (f form) object(name string) (form, bool) {
	nested := form{problems: problems{}}
	if f.null(name) {
		return nested, false
	}
	if json.Unmarshal(f.values[name], &nested.values) != nil {
		f.problems.add(name, invalid)
		return nested, false
	}
	return nested, true
}

// objects reads an array of objects, in order.
func (f form) objects(name string) []form {
	if f.null(name) {
		return nil
	}
	var values []map[string]json.RawMessage
	if json.Unmarshal(f.values[name], &values) != nil {
		f.problems.add(name, invalid)
		return nil
	}
	forms := make([]form, len(values))
	for i := range values {
		forms[i] = form{values: values[i], problems: problems{}}
	}
	return forms
}

// read decodes one attribute. If it has another type, it adds the problem.
func read[T any](f form, name, problem string) *T {
	if f.null(name) {
		return nil
	}
	var value T
	if json.Unmarshal(f.values[name], &value) != nil {
		f.problems.add(name, "%s", problem)
		return nil
	}
	return &value
}

// or returns the value of a pointer, or a default if the pointer is nil.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}
