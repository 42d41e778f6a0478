package cloudserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number is an integer that may also be written as 2.0 or "2". Anything else is zero.
type number int64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(document []byte) error {
	digits := strings.Trim(string(document), `"`)
	if integer, err := strconv.ParseInt(digits, 10, 64); err == nil {
		*n = number(integer)
		return nil
	}
	float, err := strconv.ParseFloat(digits, 64)
	if err == nil && float == math.Trunc(float) && math.Abs(float) < 1<<53 {
		*n = number(float)
	}
	return nil
}

// positive returns the number, or nil if there is none or it is not understood.
func (n *number) positive() *int64 {
	if n == nil || *n <= 0 {
		return nil
	}
	return (*int64)(n)
}

// text is a string. A value of any other shape is kept as its JSON.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(document []byte) error {
	if document[0] == '"' {
		return json.Unmarshal(document, (*string)(t))
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, document)
	*t = text(compact.String())
	return err
}

// list is an array. The service has been seen to answer with a single object instead of an array of one (API.md §5).
type list[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (l *list[T]) UnmarshalJSON(document []byte) error {
	if document[0] == '{' {
		*l = make(list[T], 1)
		return json.Unmarshal(document, &(*l)[0])
	}
	return json.Unmarshal(document, (*[]T)(l))
}

// decode decodes a JSON document. A field of another shape than expected is left unset, because the contract leaves
// several shapes open: such a field must not make the whole object unreadable.
func decode(document []byte, target any) error {
	err := json.Unmarshal(document, target)
	if err == nil {
		return nil
	}
	if len(bytes.TrimSpace(document)) == 0 {
		return errors.New("it is empty")
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errors.New("it is not JSON")
	}
	mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case !ok:
		return err
	case mismatch.Field != "":
		return nil
	}
	return fmt.Errorf("it is JSON of another shape: there is a %s in place of an object or a list", mismatch.Value)
}
